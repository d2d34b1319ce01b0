package secret_test

import (
	"strings"
	"testing"

	"talaria/core/secret"
)

// The keys here are random and were never anybody's; they are put together so
// that no scanner of repositories takes them for real ones.
var (
	gitHub = "gh" + "p_" + "Zk3vQ9xTb7LmW2cRf8YsJd5HnPa4Ue6G1oKi"
	amazon = "AK" + "IA" + "Q7ZK3MWX9TLB2VCR"
	signed = "ey" + "JhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI3NzMxIn0.dBjftJeZ4CVPmB92K27u"
)

func TestKnownFormsAreFoundWhereTheyBegin(t *testing.T) {
	for _, key := range []string{gitHub, amazon, signed, "-----BEGIN OPENSSH PRIVATE KEY-----"} {
		why, at := secret.Known("key: " + key)
		if why == "" || at != len("key: ") {
			t.Errorf("%.8s...: %q at %d", key, why, at)
		}
		if secret.In("key: "+key) == "" {
			t.Errorf("%.8s... passes In", key)
		}
	}
}

func TestPlaceholdersAndWordsAreNotKnown(t *testing.T) {
	for _, text := range []string{
		"", "AKIAIOSFODNN7EXAMPLE", "gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-your-key-goes-here-in-full",
		"Set GITHUB_TOKEN first.", "password: hunter2hunter", "The sk_buff_and_friends_of_linux structure.",
	} {
		if why, _ := secret.Known(text); why != "" {
			t.Errorf("%q: %s", text, why)
		}
	}
}

func TestInGoesByWordsAndRandomnessToo(t *testing.T) {
	for text, want := range map[string]bool{
		"the password is hunter2hunter":             true,
		"my card is 4111 1111 1111 1111":            true,
		"Zk3vQ9xTb7LmW2cRf8YsJd5HnPa4Ue6G1oKi":      true,
		"commit " + strings.Repeat("0123456789", 4): false,
		"the password manager is open":              false,
	} {
		if got := secret.In(text) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzKnown(f *testing.F) {
	f.Add("key: " + gitHub)
	f.Add("eyJ..-----BEGIN PRIVATE KEY")
	f.Fuzz(func(t *testing.T, text string) {
		if why, at := secret.Known(text); at < 0 || at > len(text) || why != "" && secret.In(text) == "" {
			t.Errorf("%q: %q at %d", text, why, at)
		}
	})
}
