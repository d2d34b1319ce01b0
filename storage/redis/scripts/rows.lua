-- Rows in some states by sequence: key, row, key, row, ...
-- KEYS: rows, states. ARGV: clock offset, after (padded), limit, states.
local time, limit = now(ARGV[1]), tonumber(ARGV[3])
local found = {}

local function collect(state)
  local from, count = '(' .. state .. '\0' .. ARGV[2] .. '\1', 0
  while true do
    local page = redis.call('ZRANGEBYLEX', KEYS[2], from, '(' .. state .. '\1', 'LIMIT', 0, limit)
    for _, member in ipairs(page) do
      local key = string.sub(member, #state + 23)
      local raw = redis.call('HGET', KEYS[1], key)
      if not raw then
        error('DAMAGED row ' .. key)
      end
      local sequence, expires = read_row(raw, key)
      if alive(expires, time) then
        found[#found + 1] = {pad(sequence), key, raw}
        count = count + 1
      end
      if count == limit then
        return
      end
      from = '(' .. member
    end
    if #page < limit then
      return
    end
  end
end

local asked = {}
for i = 4, #ARGV do
  if not asked[ARGV[i]] then
    asked[ARGV[i]] = true
    collect(ARGV[i])
  end
end
table.sort(found, function(a, b) return a[1] < b[1] end)

local reply = {}
for i = 1, math.min(limit, #found) do
  reply[#reply + 1] = found[i][2]
  reply[#reply + 1] = found[i][3]
end
return reply
