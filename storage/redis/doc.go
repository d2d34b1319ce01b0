// Package redis is the storage driver for several replicas that share one
// Redis (6.2 or later) or Valkey: a single server, one behind Sentinel, or a
// Cluster. It needs no modules. For one replica storage/sqlite is simpler and
// loses less in a power cut.
//
// The URL has one of these forms; user and password are those of an ACL user,
// or the password alone, and a port may be left out:
//
//	redis://USER:PASSWORD@HOST:PORT/DB
//	rediss://USER:PASSWORD@HOST:PORT/DB                                      encrypted
//	redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/DB?master=NAME        also &tls=true, &sentinel_user=, &sentinel_password=
//	redis+cluster://USER:PASSWORD@HOST:PORT,HOST:PORT                        also ?tls=true
//
// A server that is not on this machine and has no password is refused.
//
// # How it is stored
//
// All keys begin with PREFIX:1:{PARTITION}: and are derived here, never in a
// script; 1 is the version of the layout. A partition has one hash and one
// order (a sorted set) for each kind of thing, one sorted set for each log,
// two keys for each place of the text index and one for each blob. Nothing
// scans: what must be listed has an order, and what exists is named in a
// registry before it is first written to. What expires is hidden by the
// server's clock and removed by later writes.
//
// A batch is one script, run by its SHA-1. It asks everything that can say no
// (the fence, the registration, each expected revision and state) before its
// first write, since Redis does not roll a script back.
//
// # Rights
//
// An ACL user needs what follows and no more; INFO and CONFIG GET only let
// Durability tell more. Open tries what the scripts run and says what is missing.
//
//	ACL SETUSER talaria on >PASSWORD resetkeys ~talaria:1:* resetchannels &talaria:1:* -@all +eval +evalsha +time +ping
//	+hset +hsetnx +hincrby +hget +hmget +hgetall +hkeys +hlen +hexists +hdel +set +get +del +unlink
//	+zadd +zscore +zcard +zcount +zlexcount +zrange +zrangebyscore +zrangebylex +zrevrangebylex +zremrangebyscore +zrem
//	+publish +subscribe +unsubscribe +info +config|get
//
// A database other than 0 needs +select, a Cluster +cluster|slots.
//
// # Decisions
//
// Logs and inboxes are sorted sets by offset, not lists or streams. Both would
// take less memory for each entry (about 100 bytes); but a list can't hold a
// gap or be loaded out of order, and a stream takes 4 kB from its first entry
// on, which for many short logs is more.
//
// All postings of a place are in one sorted set with the score 0, as term and
// document, instead of a set for each term. So the terms of a document need no
// keys of their own, which a script could not know beforehand.
//
// A fencing token is the server's time in microseconds, or one more than the
// last. A plain counter would give a token twice after a failover that lost
// the last second, or after Erase.
//
// Expiry is stored and compared rather than left to Redis (PEXPIREAT): a
// document is a field of a hash, whose fields can't expire before Redis 7.4,
// and the driver's clock may be moved in tests.
//
// Replies are always read from masters, and the client library never retries:
// only this package knows which calls may be repeated.
package redis
