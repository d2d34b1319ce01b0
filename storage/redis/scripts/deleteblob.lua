-- KEYS: blobs, blob. ARGV: hash.
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return {'ok'}
