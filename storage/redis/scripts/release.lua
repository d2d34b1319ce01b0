-- KEYS: meta. ARGV: token. The token stays, for the next one to be greater.
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'holder', 'until')
end
return {'ok'}
