-- The clock and those of some fields of a hash that are there.
local reply = {whole(now(ARGV[1]))}
for i = 2, #ARGV do
  reply[i] = redis.call('HGET', KEYS[1], ARGV[i])
end
return reply
