-- One sorted set holds all postings of a place, as term NUL document with the
-- score 0, so that the documents of a term are a range in the order of their
-- ids. The hash beside it keeps each document's counts, for exact removal.

-- many calls a command that takes a list, in portions that fit Lua's stack.
local function many(command, key, list)
  for i = 1, #list, 1000 do
    redis.call(command, key, unpack(list, i, math.min(i + 999, #list)))
  end
end

local function unindex(places, postings, indexed, place, doc)
  local counts = redis.call('HGET', indexed, doc)
  if not counts then
    return
  end
  local members, length = {}, 0
  for term, count in string.gmatch(counts, '(%Z+)%z(%d+)%z') do
    members[#members + 1] = term .. '\0' .. doc
    length = length + count
  end
  many('ZREM', postings, members)
  redis.call('HDEL', indexed, doc)
  redis.call('HINCRBY', places, place, whole(0 - length))
  if redis.call('HLEN', indexed) == 0 then
    redis.call('HDEL', places, place)
  end
end

local function index(places, postings, indexed, place, doc, counts, length)
  unindex(places, postings, indexed, place, doc)
  local members = {}
  for term in string.gmatch(counts, '(%Z+)%z%d+%z') do
    members[#members + 1] = 0
    members[#members + 1] = term .. '\0' .. doc
  end
  many('ZADD', postings, members)
  redis.call('HSET', indexed, doc, counts)
  redis.call('HINCRBY', places, place, length)
end
