-- A page of a collection: field, document, field, document, ...
-- KEYS: docs, names. ARGV: clock offset, collection, after, limit.
local time, limit = now(ARGV[1]), tonumber(ARGV[4])
local from = '(' .. ARGV[2] .. '\0' .. ARGV[3]
local reply = {}
while true do
  local page = redis.call('ZRANGEBYLEX', KEYS[2], from, '(' .. ARGV[2] .. '\1', 'LIMIT', 0, limit)
  for _, field in ipairs(page) do
    local raw = redis.call('HGET', KEYS[1], field)
    if not raw then
      error('DAMAGED document ' .. field)
    end
    local _, expires = read_document(raw, field)
    if alive(expires, time) then
      reply[#reply + 1] = field
      reply[#reply + 1] = raw
    end
    if #reply == 2 * limit then
      return reply
    end
    from = '(' .. field
  end
  if #page < limit then
    return reply
  end
end
