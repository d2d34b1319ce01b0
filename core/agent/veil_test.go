package agent

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const block = "<recalled id=7>\nlikes tea\n</recalled>"

func TestVeilHidesWhatIsNotForPeople(t *testing.T) {
	note := notePrefix + "go on"
	tests := []struct{ name, text, want string }{
		{"nothing to hide", "Tea, as you like it.", "Tea, as you like it."},
		{"echo before the answer", block + "\nTea.", "Tea."},
		{"echo within", "So:\n" + block + "\n\nTea.", "So:\nTea."},
		{"echo twice", block + "\n" + block + "\nTea.", "Tea."},
		{"echo without an end", "<recalled id=7>\nTea.", "Tea."},
		{"delimiter in a sentence", "I saw <recalled id=7> there.", "I saw <recalled id=7> there."},
		{"thoughts", "\n<think>tea?</think>\n\nTea.", "Tea."},
		{"thoughts later are text", "Write <think> first.", "Write <think> first."},
		{"note", note + "\nTea.", "Tea."},
		{"note at the end", "Tea.\n" + note, "Tea.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := newVeil(block)
			if got := v.whole(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			for n := range len(tt.text) + 1 {
				shown := v.sofar(tt.text[:n])
				for _, hidden := range []string{"likes tea", "tea?", "go on"} {
					if strings.Contains(shown, hidden) {
						t.Errorf("%q was shown", shown)
					}
				}
			}
		})
	}
}

func TestVeilOfBlockWithoutDelimitersHidesNothing(t *testing.T) {
	for _, b := range []string{"", "one line", "-\nlist\n-"} {
		if diff := cmp.Diff("-\nlist\n-", newVeil(b).whole("-\nlist\n-")); diff != "" {
			t.Errorf("block %q: %s", b, diff)
		}
	}
}

func TestCutKeepsHeadAndTail(t *testing.T) {
	s := strings.Repeat("ü漢😀", 100)
	for limit := range 200 {
		got := cut(s, limit)
		if !utf8.ValidString(got) || len(got) > limit+40 {
			t.Fatalf("limit %d gives %d bytes: %q", limit, len(got), got)
		}
	}
}

func TestEstimateIsNearKnownCounts(t *testing.T) {
	// The counts are what the o200k vocabulary gives for such texts.
	tests := []struct {
		name, text string
		tokens     int
	}{
		{"English", strings.Repeat("The quick brown fox jumps over the lazy dog. ", 20), 200},
		{"Chinese", strings.Repeat("今天的天气非常好，我们去公园散步吧。", 20), 260},
		{"Russian", strings.Repeat("Съешь ещё этих мягких французских булок. ", 20), 300},
	}
	for _, tt := range tests {
		got := weight(tt.text) / 4
		if got < tt.tokens*6/10 || got > tt.tokens*16/10 {
			t.Errorf("%s: estimated %d, counted about %d", tt.name, got, tt.tokens)
		}
	}
}

func FuzzVeil(f *testing.F) {
	f.Add(block, "So:\n"+block+"\nTea.")
	f.Add("aaaa\naaaa", "aaaa\naaaaaaaa\naaaa")
	f.Add("", "<think></think><think>")
	f.Fuzz(func(t *testing.T, b, text string) {
		v := newVeil(b)
		whole := v.whole(text)
		if again := v.whole(whole); v.open != "" && lineAt(again, v.open) >= 0 {
			t.Errorf("an opening is left in %q", again)
		}
		v.sofar(text)
	})
}

func FuzzArgs(f *testing.F) {
	f.Add(`{"required":["a"],"properties":{"a":{"type":"integer"}}}`, `{"a":1e3}`)
	f.Add(`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		once := normalArgs([]byte(args))
		if twice := normalArgs(once); string(once) != string(twice) {
			t.Errorf("%q becomes %q, then %q", args, once, twice)
		}
		_ = checkArgs([]byte(schema), once)
	})
}
