-- Timers due and not under a claim: id, due, value, id, due, value, ...
-- KEYS: timers, due, claims. ARGV: clock offset, due until, limit.
local time, limit = now(ARGV[1]), tonumber(ARGV[3])
local reply, skipped = {}, 0
while true do
  local page = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[2], 'WITHSCORES', 'LIMIT', skipped, limit)
  for i = 1, #page, 2 do
    local held = redis.call('HGET', KEYS[3], page[i])
    if not held or tonumber(held) <= time then
      local value = redis.call('HGET', KEYS[1], page[i])
      if not value then
        error('DAMAGED timer ' .. page[i])
      end
      reply[#reply + 1] = page[i]
      reply[#reply + 1] = page[i + 1]
      reply[#reply + 1] = value
    end
    if #reply == 3 * limit then
      return reply
    end
  end
  if #page < 2 * limit then
    return reply
  end
  skipped = skipped + limit
end
