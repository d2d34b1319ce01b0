-- For each term its postings, the greatest first. KEYS: postings. ARGV: limit, terms.
local reply = {}
for i = 2, #ARGV do
  reply[i - 1] = redis.call('ZREVRANGEBYLEX', KEYS[1], '(' .. ARGV[i] .. '\1', '[' .. ARGV[i] .. '\0',
    'LIMIT', 0, ARGV[1])
end
return reply
