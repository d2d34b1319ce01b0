-- KEYS: meta. ARGV: clock offset, token, time to live.
local time = now(ARGV[1])
local lease = redis.call('HMGET', KEYS[1], 'token', 'until')
if lease[1] ~= ARGV[2] or tonumber(lease[2] or 0) <= time then
  return {'fenced'}
end
redis.call('HSET', KEYS[1], 'until', whole(time + ARGV[3]))
return {'ok'}
