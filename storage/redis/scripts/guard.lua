-- A partition is written to only once the registry names it; the mark v in
-- meta says so. A registration that is not from just now is no proof, because
-- the registry may have dropped the name since (see forget.lua).
local function admitted(mark, registered)
  return mark or (registered ~= '' and now(0) - registered <= 30000)
end
