-- Removes a partition. KEYS: all of it, beginning with logs, places and blobs.
-- ARGV: the names that the further keys were derived from.
local at, same = 1, true
for i = 1, 3 do
  local ok
  ok, at = covered(KEYS[i], at)
  same = same and ok
end
if not same then
  return {'changed'}
end
for _, key in ipairs(KEYS) do
  redis.call('UNLINK', key)
end
return {'ok'}
