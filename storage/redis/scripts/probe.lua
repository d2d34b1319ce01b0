-- Runs every command that the other scripts run, so that a missing right or
-- too old a server shows before anything is stored. KEYS: three to be removed.
local hash, zset, str = KEYS[1], KEYS[2], KEYS[3]
redis.call('TIME')

redis.call('HSET', hash, 'f', '1')
redis.call('HSETNX', hash, 'f', '1')
redis.call('HINCRBY', hash, 'f', 1)
redis.call('HGET', hash, 'f')
redis.call('HMGET', hash, 'f', 'g')
redis.call('HGETALL', hash)
redis.call('HKEYS', hash)
redis.call('HLEN', hash)
redis.call('HEXISTS', hash, 'f')
redis.call('HDEL', hash, 'f')

redis.call('ZADD', zset, 'GT', 0, 'm')
redis.call('ZSCORE', zset, 'm')
redis.call('ZCARD', zset)
redis.call('ZCOUNT', zset, '-inf', '+inf')
redis.call('ZLEXCOUNT', zset, '-', '+')
redis.call('ZRANGE', zset, 0, -1)
redis.call('ZRANGEBYSCORE', zset, '-inf', '+inf')
redis.call('ZRANGEBYLEX', zset, '-', '+')
redis.call('ZREVRANGEBYLEX', zset, '+', '-')
redis.call('ZREMRANGEBYSCORE', zset, '-inf', '+inf')
redis.call('ZREM', zset, 'm')

redis.call('SET', str, '')
redis.call('GET', str)
redis.call('DEL', str)
redis.call('UNLINK', hash, zset)
return {'ok'}
