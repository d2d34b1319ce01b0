-- An outbox row is stored as "sequence expires state LF value" under its key,
-- and in a sorted set as state NUL sequence NUL key, so that the rows of a
-- state are a range in the order of their sequences.

local function pad(sequence)
  return string.rep('0', 20 - #sequence) .. sequence
end

local function place_of(state, sequence, key)
  return state .. '\0' .. pad(sequence) .. '\0' .. key
end

-- read_row returns sequence, expires, state and where the value begins.
local function read_row(raw, key)
  local _, last, sequence, expires, state = string.find(raw, '^(%d+) (%d+) ([^\n]*)\n')
  if not last then
    error('DAMAGED row ' .. key)
  end
  return sequence, expires, state, last + 1
end

local function drop_row(rows, states, ttls, key)
  local raw = redis.call('HGET', rows, key)
  if not raw then
    return
  end
  local sequence, _, state = read_row(raw, key)
  redis.call('ZREM', states, place_of(state, sequence, key))
  redis.call('HDEL', rows, key)
  redis.call('ZREM', ttls, key)
end

local function write_row(rows, states, ttls, key, sequence, expires, state, value)
  drop_row(rows, states, ttls, key)
  redis.call('HSET', rows, key, sequence .. ' ' .. expires .. ' ' .. state .. '\n' .. value)
  redis.call('ZADD', states, 0, place_of(state, sequence, key))
  if expires ~= '0' then
    redis.call('ZADD', ttls, expires, key)
  end
end
