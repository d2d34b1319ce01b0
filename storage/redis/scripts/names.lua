-- covered tells whether the names in ARGV, from which the driver derived keys,
-- are all that the hash has now. ARGV[at] is how many names follow it. Returns
-- also where the next list begins.
local function covered(hash, at)
  local count, there = tonumber(ARGV[at]), 0
  for i = at + 1, at + count do
    there = there + redis.call('HEXISTS', hash, ARGV[i])
  end
  return there == redis.call('HLEN', hash), at + count + 1
end
