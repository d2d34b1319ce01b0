-- A document is stored as "revision expires LF value" under collection NUL
-- key, which also stands in a sorted set for lists in the order of keys.

local function read_document(raw, field)
  local revision, expires = string.match(raw, '^(%d+) (%d+)\n')
  if not revision then
    error('DAMAGED document ' .. field)
  end
  return tonumber(revision), expires
end

local function drop_document(docs, names, ttls, field)
  redis.call('HDEL', docs, field)
  redis.call('ZREM', names, field)
  redis.call('ZREM', ttls, field)
end

local function write_document(docs, names, ttls, field, revision, expires, value)
  local new = redis.call('HSET', docs, field, revision .. ' ' .. expires .. '\n' .. value)
  if new == 1 then
    redis.call('ZADD', names, 0, field)
  end
  if expires ~= '0' then
    redis.call('ZADD', ttls, expires, field)
  elseif new == 0 then
    redis.call('ZREM', ttls, field)
  end
end
