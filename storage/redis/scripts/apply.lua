-- One batch, all or nothing. A script that fails half way is not rolled back,
-- so everything that can say no is asked before the first write.
--
-- KEYS: meta, then the groups of keys that the operations use.
-- ARGV: clock offset; registration; fence or ''; 1 if the batch stores
-- something; then for each operation its name, the number of its arguments and
-- those: first the index of its group in KEYS, the rest as in apply.go.
-- Reply: a word, and for ok one whole number for each operation.
local meta = KEYS[1]
local time = now(ARGV[1])

local lease = redis.call('HMGET', meta, 'v', 'token', 'until')
if ARGV[3] ~= '' and not (lease[2] == ARGV[3] and tonumber(lease[3] or 0) > time) then
  return {'fenced'}
end
if ARGV[4] == '1' and not admitted(lease[1], ARGV[2]) then
  return {'unregistered'}
end

-- keys returns the group of the operation whose arguments begin at a.
local function keys(a)
  local base = tonumber(ARGV[a])
  return KEYS[base], KEYS[base + 1], KEYS[base + 2]
end

local function last(a)
  return a + tonumber(ARGV[a - 1]) - 1
end

-- First pass. Later operations see what earlier ones are going to do.
local revisions, states, planned = {}, {}, {}

local function revision_of(a)
  local field = ARGV[a + 1]
  if not revisions[field] then
    revisions[field] = 0
    local raw = redis.call('HGET', (keys(a)), field)
    if raw then
      local revision, expires = read_document(raw, field)
      if alive(expires, time) then
        revisions[field] = revision
      end
    end
  end
  return revisions[field]
end

local function state_of(a)
  local key = ARGV[a + 1]
  if states[key] == nil then
    states[key] = false
    local raw = redis.call('HGET', (keys(a)), key)
    if raw then
      local _, expires, state = read_row(raw, key)
      states[key] = alive(expires, time) and state
    end
  end
  return states[key]
end

local function expected(a)
  local expect = tonumber(ARGV[a + 2])
  return expect < 0 or expect == revision_of(a)
end

local check = {}

function check.put(n, a)
  planned[n] = revision_of(a) + 1
  local ok = expected(a)
  revisions[ARGV[a + 1]] = planned[n]
  return ok
end

function check.delete(_, a)
  local ok = expected(a)
  revisions[ARGV[a + 1]] = 0
  return ok
end

function check.queue(n, a)
  planned[n] = not state_of(a)
  if planned[n] then
    states[ARGV[a + 1]] = ARGV[a + 2]
  end
  return true
end

function check.move(_, a)
  local state = state_of(a)
  states[ARGV[a + 1]] = ARGV[a + 2]
  for i = a + 6, last(a) do
    if ARGV[i] == state then
      return true
    end
  end
  return false
end

-- Second pass.
local purges = {}
local write = {}

function write.put(n, a)
  local docs, names, ttls = keys(a)
  local expires = '0'
  if ARGV[a + 3] ~= '0' then
    expires = whole(time + ARGV[a + 3])
  end
  write_document(docs, names, ttls, ARGV[a + 1], whole(planned[n]), expires, ARGV[a + 4])
  purges.documents = a
  return planned[n]
end

function write.delete(_, a)
  local docs, names, ttls = keys(a)
  drop_document(docs, names, ttls, ARGV[a + 1])
  purges.documents = a
  return 0
end

function write.append(_, a)
  local logs, log = keys(a)
  local count = last(a) - a - 1
  local first = redis.call('HINCRBY', logs, ARGV[a + 1], count) - count + 1
  for i = 0, count - 1 do
    local offset = whole(first + i)
    redis.call('ZADD', log, offset, offset .. ':' .. ARGV[a + 2 + i])
  end
  return first
end

function write.trim(_, a)
  local logs, log = keys(a)
  if ARGV[a + 2] == '0' then
    redis.call('DEL', log)
    redis.call('HDEL', logs, ARGV[a + 1])
  else
    redis.call('ZREMRANGEBYSCORE', log, '-inf', '(' .. ARGV[a + 2])
  end
  return 0
end

function write.receive(_, a)
  local inbox, seen = keys(a)
  local known = false
  for i = a + 3, last(a) do
    local remembered = redis.call('ZSCORE', seen, ARGV[i])
    known = known or (remembered and tonumber(remembered) > time)
  end
  for i = a + 3, last(a) do
    redis.call('ZADD', seen, 'GT', whole(time + ARGV[a + 2]), ARGV[i])
  end
  purges.seen = a
  if known then
    return 0
  end
  local sequence = redis.call('HINCRBY', meta, 'inbox', 1)
  redis.call('ZADD', inbox, sequence, whole(sequence) .. ':' .. whole(time) .. ':' .. ARGV[a + 1])
  return sequence
end

function write.done(_, a)
  redis.call('ZREMRANGEBYSCORE', (keys(a)), ARGV[a + 1], ARGV[a + 1])
  return 0
end

function write.queue(n, a)
  if not planned[n] then
    return 0
  end
  local rows, index, ttls = keys(a)
  local sequence = redis.call('HINCRBY', meta, 'outbox', 1)
  write_row(rows, index, ttls, ARGV[a + 1], whole(sequence), '0', ARGV[a + 2], ARGV[a + 3])
  purges.rows = a
  return sequence
end

function write.move(_, a)
  local rows, index, ttls = keys(a)
  local raw = redis.call('HGET', rows, ARGV[a + 1])
  local sequence, _, _, begin = read_row(raw, ARGV[a + 1])
  local value, expires = ARGV[a + 5], '0'
  if ARGV[a + 4] == 'keep' then
    value = string.sub(raw, begin)
  end
  if ARGV[a + 3] ~= '0' then
    expires = whole(time + ARGV[a + 3])
  end
  write_row(rows, index, ttls, ARGV[a + 1], sequence, expires, ARGV[a + 2], value)
  purges.rows = a
  return 0
end

function write.timer(_, a)
  local timers, due, claims = keys(a)
  redis.call('HSET', timers, ARGV[a + 1], ARGV[a + 3])
  redis.call('ZADD', due, ARGV[a + 2], ARGV[a + 1])
  redis.call('HDEL', claims, ARGV[a + 1])
  return 0
end

-- due_then tells whether the timer still is to happen at the time given.
local function due_then(due, a)
  local score = redis.call('ZSCORE', due, ARGV[a + 1])
  return score and tonumber(score) == tonumber(ARGV[a + 2])
end

function write.claim(_, a)
  local _, due, claims = keys(a)
  local held = redis.call('HGET', claims, ARGV[a + 1])
  if not due_then(due, a) or (held and tonumber(held) > time) then
    return 0
  end
  redis.call('HSET', claims, ARGV[a + 1], whole(time + ARGV[a + 3]))
  return 1
end

function write.settle(_, a)
  local timers, due, claims = keys(a)
  if not due_then(due, a) then
    return 0
  end
  redis.call('HDEL', claims, ARGV[a + 1])
  if ARGV[a + 3] ~= '' then
    redis.call('ZADD', due, ARGV[a + 3], ARGV[a + 1])
  else
    redis.call('ZREM', due, ARGV[a + 1])
    redis.call('HDEL', timers, ARGV[a + 1])
  end
  return 0
end

function write.index(_, a)
  local places, postings, indexed = keys(a)
  index(places, postings, indexed, ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4])
  return 0
end

function write.unindex(_, a)
  local places, postings, indexed = keys(a)
  unindex(places, postings, indexed, ARGV[a + 1], ARGV[a + 2])
  return 0
end

-- What has expired is hidden at once, and removed here a little at a time.
local purge = {}

function purge.documents(a)
  local docs, names, ttls = keys(a)
  for _, field in ipairs(redis.call('ZRANGEBYSCORE', ttls, '-inf', whole(time), 'LIMIT', 0, 32)) do
    drop_document(docs, names, ttls, field)
  end
end

function purge.rows(a)
  local rows, index, ttls = keys(a)
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', ttls, '-inf', whole(time), 'LIMIT', 0, 32)) do
    drop_row(rows, index, ttls, key)
  end
end

function purge.seen(a)
  local _, seen = keys(a)
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', seen, '-inf', whole(time), 'LIMIT', 0, 32)) do
    redis.call('ZREM', seen, key)
  end
end

local at, n = 5, 0
while at <= #ARGV do
  n = n + 1
  local ask = check[ARGV[at]]
  if ask and not ask(n, at + 2) then
    return {'conflict', n}
  end
  at = last(at + 2) + 1
end

-- A full server refuses only the first write of a script, and only if it may
-- grow something. So a batch that stores begins with one that does.
if ARGV[4] == '1' then
  redis.call('HSETNX', meta, 'v', '1')
end
local reply = {'ok'}
at, n = 5, 0
while at <= #ARGV do
  n = n + 1
  reply[n + 1] = write[ARGV[at]](n, at + 2)
  at = last(at + 2) + 1
end
for kind, a in pairs(purges) do
  purge[kind](a)
end
return reply
