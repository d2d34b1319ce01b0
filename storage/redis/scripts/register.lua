-- Names a partition in the registry and says when. KEYS: registry. ARGV: partition.
local time = whole(now(0))
redis.call('ZADD', KEYS[1], time, ARGV[1])
return time
