-- KEYS: meta. ARGV: clock offset, registration, holder, time to live.
local time = now(ARGV[1])
local lease = redis.call('HMGET', KEYS[1], 'v', 'token', 'holder', 'until')
if lease[3] and lease[3] ~= ARGV[3] and tonumber(lease[4]) > time then
  return {'held'}
end
if not admitted(lease[1], ARGV[2]) then
  return {'unregistered'}
end
-- A token is the time in microseconds, or one more than the last. So it grows
-- even when Redis has lost its last seconds, or the partition was erased.
local t = redis.call('TIME')
local token = whole(math.max(tonumber(lease[2] or 0) + 1, t[1] * 1000000 + t[2]))
redis.call('HSET', KEYS[1], 'v', '1', 'token', token, 'holder', ARGV[3], 'until', whole(time + ARGV[4]))
return {'ok', token}
