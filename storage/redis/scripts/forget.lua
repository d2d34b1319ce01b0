-- Drops a partition from the registry, unless somebody registered it within
-- the last minute and may be about to write. KEYS: registry. ARGV: partition.
local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if since and now(0) - since > 60000 then
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return {'ok'}
