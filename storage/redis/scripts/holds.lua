-- What a partition holds: nothing (not even the mark), empty, or content.
-- KEYS: meta, docs, docs-ttl, seen, logs, timers, places, blobs. ARGV: clock offset.
local meta = redis.call('HMGET', KEYS[1], 'v', 'inbox', 'outbox')
if not meta[1] then
  return 'nothing'
end
local time = whole(now(ARGV[1]))
if meta[2] or meta[3]
  or redis.call('HLEN', KEYS[2]) > redis.call('ZCOUNT', KEYS[3], '-inf', time)
  or redis.call('ZCOUNT', KEYS[4], '(' .. time, '+inf') > 0 then
  return 'content'
end
for i = 5, 8 do
  if redis.call('HLEN', KEYS[i]) > 0 then
    return 'content'
  end
end
return 'empty'
