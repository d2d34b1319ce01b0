-- Records of a dump, in any order. KEYS and ARGV as in apply.lua, without
-- offset and fence: registration, then the records; arguments as in load.go.
local meta = KEYS[1]
if not admitted(redis.call('HGET', meta, 'v'), ARGV[1]) then
  return {'unregistered'}
end
redis.call('HSETNX', meta, 'v', '1')

local function keys(a)
  local base = tonumber(ARGV[a])
  return KEYS[base], KEYS[base + 1], KEYS[base + 2]
end

-- raise sets a counter unless it is greater already.
local function raise(key, field, value)
  if tonumber(redis.call('HGET', key, field) or -1) < tonumber(value) then
    redis.call('HSET', key, field, value)
  end
end

local load = {}

function load.document(a)
  local docs, names, ttls = keys(a)
  write_document(docs, names, ttls, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4])
end

function load.log(a)
  raise((keys(a)), ARGV[a + 1], ARGV[a + 2])
end

function load.entry(a)
  local logs, log = keys(a)
  redis.call('ZREMRANGEBYSCORE', log, ARGV[a + 2], ARGV[a + 2])
  redis.call('ZADD', log, ARGV[a + 2], ARGV[a + 2] .. ':' .. ARGV[a + 3])
  raise(logs, ARGV[a + 1], ARGV[a + 2])
end

function load.counter(a)
  raise(meta, ARGV[a], ARGV[a + 1])
end

function load.event(a)
  local inbox = keys(a)
  redis.call('ZREMRANGEBYSCORE', inbox, ARGV[a + 1], ARGV[a + 1])
  redis.call('ZADD', inbox, ARGV[a + 1], ARGV[a + 1] .. ':' .. ARGV[a + 2] .. ':' .. ARGV[a + 3])
  raise(meta, 'inbox', ARGV[a + 1])
end

function load.seen(a)
  local _, seen = keys(a)
  redis.call('ZADD', seen, ARGV[a + 2], ARGV[a + 1])
end

function load.row(a)
  local rows, states, ttls = keys(a)
  write_row(rows, states, ttls, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4], ARGV[a + 5])
  raise(meta, 'outbox', ARGV[a + 2])
end

function load.timer(a)
  local timers, due = keys(a)
  redis.call('HSET', timers, ARGV[a + 1], ARGV[a + 3])
  redis.call('ZADD', due, ARGV[a + 2], ARGV[a + 1])
end

function load.indexed(a)
  local places, postings, indexed = keys(a)
  index(places, postings, indexed, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4])
end

function load.blob(a)
  local blobs, blob = keys(a)
  redis.call('SET', blob, ARGV[a + 2])
  redis.call('HSET', blobs, ARGV[a + 1], #ARGV[a + 2])
end

local at = 2
while at <= #ARGV do
  load[ARGV[at]](at + 2)
  at = at + 2 + tonumber(ARGV[at + 1])
end
return {'ok'}
