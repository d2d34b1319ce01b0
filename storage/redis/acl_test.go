package redis_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
	"talaria/storage/redis"
	"talaria/storage/redis/redistest"
)

// documentedRights are the words of the ACL SETUSER command in doc.go.
func documentedRights(t *testing.T) []any {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "//\tACL SETUSER talaria ")
	command, _, ok := strings.Cut(rest, "//\n")
	if !ok {
		t.Fatal("doc.go has no ACL SETUSER command")
	}
	words := []any{"acl", "setuser", "talaria"}
	for _, w := range strings.Fields(strings.ReplaceAll(command, "//", " ")) {
		words = append(words, strings.ReplaceAll(w, "PASSWORD", "canary"))
	}
	return words
}

// admin is a client with all rights.
func admin(t *testing.T, s *redistest.Server) *goredis.Client {
	t.Helper()
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr()})
	t.Cleanup(func() { c.Close() })
	return c
}

var refusal = regexp.MustCompile(`NOPERM|can't access|can't run|not allowed`)

func TestUserStaysWithinThePrefix(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	root := admin(t, s)
	if err := root.Do(t.Context(), documentedRights(t)...).Err(); err != nil {
		t.Fatal(err)
	}
	if err := root.Set(t.Context(), "other", "secret", 0).Err(); err != nil {
		t.Fatal(err)
	}
	c := goredis.NewClient(&goredis.Options{Addr: s.Addr(), Username: "talaria", Password: "canary"})
	defer c.Close()
	for _, command := range [][]any{
		{"get", "other"}, {"set", "other", "x"}, {"del", "other"}, {"hget", "other", "f"},
		{"eval", "return redis.call('get', 'other')", 0}, {"eval", "return redis.call('get', KEYS[1])", 1, "other"},
		{"eval", "return redis.call('flushall')", 0}, {"eval", "return redis.call('scan', 0)", 0},
		{"keys", "*"}, {"scan", 0}, {"randomkey"}, {"dbsize"}, {"flushall"}, {"flushdb"}, {"swapdb", 0, 1},
		{"config", "set", "dir", "/"}, {"acl", "list"}, {"monitor"}, {"client", "list"}, {"debug", "sleep", 0},
		{"publish", "other", "x"}, {"subscribe", "other"}, {"psubscribe", "*"}, {"script", "flush"}, {"shutdown"},
		{"slaveof", "127.0.0.1", 1}, {"rename", "other", "talaria:1:x"}, {"copy", "other", "talaria:1:x"},
	} {
		err := c.Do(t.Context(), command...).Err()
		if err == nil || !refusal.MatchString(err.Error()) {
			t.Errorf("%v: error is %v, want a refusal", command, err)
		}
	}
	if got := root.Get(t.Context(), "other").Val(); got != "secret" {
		t.Errorf("the other key is now %q", got)
	}
}

func TestMissingRightShowsWhenOpening(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	root := admin(t, s)
	if err := root.Do(t.Context(), append(documentedRights(t), "-zadd")...).Err(); err != nil {
		t.Fatal(err)
	}
	_, err := redis.Open(t.Context(), strings.Replace(s.URL(), "://", "://talaria:canary@", 1), redis.Options{})
	if !errors.Is(err, storage.ErrUnavailable) || !strings.Contains(err.Error(), "ZADD") {
		t.Errorf("error is %v, want one about zadd", err)
	}
	if strings.Contains(err.Error(), "canary") {
		t.Errorf("the password is in %v", err)
	}
	if n := root.DBSize(t.Context()).Val(); n > 1 {
		t.Errorf("%d keys are left", n)
	}
}
