package command_test

import (
	"testing"

	"talaria/gateway/command"
)

func TestForeignTextIsNoMarkup(t *testing.T) {
	const text = "see [me](https://evil.example)\n`code` **bold** <@U1> ||x|| ~y~ \xff"
	const want = "see (me)(https://evil.example) 'code' ∗∗bold∗∗ ‹@U1› ¦¦x¦¦ ∼y∼ ?"
	if got := command.Plain(text); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := command.Clipped("*****", 3); got != "∗∗…" {
		t.Errorf("clipped to %q", got)
	}
}
