-- Counts of a place: documents, their length, and documents of each term.
-- KEYS: places, postings, indexed. ARGV: place, terms.
local reply = {
  redis.call('HLEN', KEYS[3]),
  tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0),
}
for i = 2, #ARGV do
  reply[i + 1] = redis.call('ZLEXCOUNT', KEYS[2], '[' .. ARGV[i] .. '\0', '(' .. ARGV[i] .. '\1')
end
return reply
