-- The names from which further keys are derived. KEYS: logs, places, blobs.
return {redis.call('HKEYS', KEYS[1]), redis.call('HKEYS', KEYS[2]), redis.call('HKEYS', KEYS[3])}
