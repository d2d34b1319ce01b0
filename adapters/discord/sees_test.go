package discord

import (
	"testing"

	"talaria/adapters/wire"
)

func TestTheNarrowerExceptionDecidesWhoSeesAChannel(t *testing.T) {
	const view = "1024"
	rule := func(id, allow, deny string) overwrite {
		return overwrite{ID: snowflake(id), Allow: wire.Maybe[string]{Is: &allow}, Deny: wire.Maybe[string]{Is: &deny}}
	}
	closed := rule("g", "0", view)
	roles := map[string]int64{"g": 1024, "staff": 0, "muted": 0, "boss": 8}
	for _, c := range []struct {
		what   string
		except []overwrite
		roles  []snowflake
		want   bool
	}{
		{"no exceptions", nil, nil, true},
		{"closed to everybody", []overwrite{closed}, []snowflake{"staff"}, false},
		{"a role is let in", []overwrite{closed, rule("staff", view, "0")}, []snowflake{"staff"}, true},
		{"another role is let in", []overwrite{closed, rule("staff", view, "0")}, []snowflake{"muted"}, false},
		{"of two roles the one that allows", []overwrite{rule("muted", "0", view), rule("staff", view, "0")}, []snowflake{"muted", "staff"}, true},
		{"the person is kept out", []overwrite{rule("staff", view, "0"), rule("u", "0", view)}, []snowflake{"staff"}, false},
		{"the person is let in", []overwrite{closed, rule("u", view, "0")}, nil, true},
		{"an administrator", []overwrite{closed, rule("u", "0", view)}, []snowflake{"boss"}, true},
	} {
		if got := (access{roles: roles, except: c.except}).sees("g", "u", c.roles); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if (access{roles: map[string]int64{"g": 0}}).sees("g", "u", nil) {
		t.Error("a server that shows nothing to everybody is seen")
	}
}

func TestAPrivateThreadIsAPlaceOfItsOwn(t *testing.T) {
	for kind, want := range map[int]string{newsThread: "parent", privateThread: "thread"} {
		c := channel{ID: "thread", Guild: "g", Parent: "parent", Type: wire.Maybe[int]{Is: &kind}}
		if at := c.place().Address; at.Chat != want || at.Thread != "thread" {
			t.Errorf("a thread of kind %d is %+v", kind, at)
		}
	}
}
