-- now is the server's clock in milliseconds, moved by the offset the driver
-- was made with. TIME stands still while a script runs.
local function now(offset)
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000) + offset
end

-- whole writes a number with all its digits; Lua itself would write 1e+15.
local function whole(n)
  return string.format('%.0f', n)
end

-- alive tells whether something with this expiry (0: never) is still there.
local function alive(expires, time)
  return expires == '0' or tonumber(expires) > time
end
