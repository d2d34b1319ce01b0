-- Runs every command that the other scripts run, so that a missing right or
-- too old a server shows before anything is stored. KEYS: three to be removed.
local hash, zset, str = KEYS[1], KEYS[2], KEYS[3]

-- A server that is out of memory, disk or replicas may be so for a while only,
-- and refuses the first write of a script, so that is no reason to fail.
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  local err = type(reply) == 'table' and reply.err
  if err and not (string.find(err, 'OOM') or string.find(err, 'MISCONF') or string.find(err, 'NOREPLICAS')) then
    error(command .. ': ' .. err)
  end
end

try('TIME')

try('HSET', hash, 'f', '1')
try('HSETNX', hash, 'f', '1')
try('HINCRBY', hash, 'f', 1)
try('HGET', hash, 'f')
try('HMGET', hash, 'f', 'g')
try('HGETALL', hash)
try('HKEYS', hash)
try('HLEN', hash)
try('HEXISTS', hash, 'f')
try('HDEL', hash, 'f')

try('ZADD', zset, 'GT', 0, 'm')
try('ZSCORE', zset, 'm')
try('ZCARD', zset)
try('ZCOUNT', zset, '-inf', '+inf')
try('ZLEXCOUNT', zset, '-', '+')
try('ZRANGE', zset, 0, -1)
try('ZRANGEBYSCORE', zset, '-inf', '+inf')
try('ZRANGEBYLEX', zset, '-', '+')
try('ZREVRANGEBYLEX', zset, '+', '-')
try('ZREMRANGEBYSCORE', zset, '-inf', '+inf')
try('ZREM', zset, 'm')

try('SET', str, '')
try('GET', str)
try('DEL', str)
try('UNLINK', hash, zset)
return {'ok'}
