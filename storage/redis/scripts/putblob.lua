-- KEYS: meta, blobs, blob. ARGV: registration, hash, bytes.
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then
  return {'ok'}
end
if not admitted(redis.call('HGET', KEYS[1], 'v'), ARGV[1]) then
  return {'unregistered'}
end
redis.call('HSETNX', KEYS[1], 'v', '1')
redis.call('SET', KEYS[3], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], #ARGV[3])
return {'ok'}
