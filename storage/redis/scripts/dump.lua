-- All of a partition but the bytes of its blobs, at one moment.
-- KEYS: logs, places, blobs, meta, docs, names, inbox, seen, rows, states,
-- timers, due; then the logs, postings and indexed of each place, the blobs.
-- ARGV: clock offset, names of logs, of places and of blobs.
-- Reply: ok, the time, the counters, then what snapshot.go takes it for.
local at, same = 2, true
for i = 1, 3 do
  local ok
  ok, at = covered(KEYS[i], at)
  same = same and ok
end
if not same then
  return {'changed'}
end

local logs, places = {}, {}
at = 2
for i = 1, tonumber(ARGV[at]) do
  local name = ARGV[at + i]
  logs[i] = {name, redis.call('HGET', KEYS[1], name), redis.call('ZRANGE', KEYS[12 + i], 0, -1)}
end
at = at + #logs + 1
for i = 1, tonumber(ARGV[at]) do
  local name, key = ARGV[at + i], 11 + #logs + 2 * i
  places[i] = {
    name,
    redis.call('HGET', KEYS[2], name),
    redis.call('ZCARD', KEYS[key]),
    redis.call('HGETALL', KEYS[key + 1]),
  }
end
return {
  'ok',
  whole(now(ARGV[1])),
  redis.call('HMGET', KEYS[4], 'inbox', 'outbox'),
  redis.call('HGETALL', KEYS[5]),
  redis.call('ZCARD', KEYS[6]),
  redis.call('ZRANGE', KEYS[7], 0, -1),
  redis.call('ZRANGE', KEYS[8], 0, -1, 'WITHSCORES'),
  redis.call('HGETALL', KEYS[9]),
  redis.call('ZCARD', KEYS[10]),
  redis.call('HGETALL', KEYS[11]),
  redis.call('ZRANGE', KEYS[12], 0, -1, 'WITHSCORES'),
  logs,
  places,
  redis.call('HKEYS', KEYS[3]),
}
