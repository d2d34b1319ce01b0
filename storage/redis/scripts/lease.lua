-- KEYS: meta. ARGV: clock offset. Reply: holder, token, until; or nothing.
local lease = redis.call('HMGET', KEYS[1], 'holder', 'token', 'until')
if lease[1] and tonumber(lease[3]) > now(ARGV[1]) then
  return lease
end
return {}
