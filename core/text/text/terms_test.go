package text_test

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"talaria/core/text"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     string
	}{
		{"english words lose case, ending and filler", "The Deployments were FAILING again", "deploy fail"},
		{"irregular forms come to their base", "she went and bought children's books", "go buy child book"},
		{"apostrophe of either shape", "Anna’s bike isn't Anna's car", "anna bike isn't anna car"},
		{"identifiers split", "core.text rate_limit a/b", "core text rate limit b"},
		{"numbers stay whole", "3.5 of 1,000 at 10.0.0.1.", "3.5 1000 10.0.0.1"},
		{"full width is half width", "ＤＮＡ　test", "dna test"},
		{"accents do not matter", "Café déjà Ångström", "cafe deja angstrom"},
		{"pairs of characters", "部署失败", "部署 署失 失败"},
		{"one character by itself", "琴", "琴"},
		{"traditional becomes simplified", "頤和園", "颐和 和园"},
		{"pairs cross kana and kanji", "もち米", "もち ち米"},
		{"half-width katakana", "ｶﾞﾗｽ", "ガラ ラス"},
		{"prolonged sound and repetition marks", "レーダー 人々", "レー ーダ ダー 人々"},
		{"scripts next to each other", "T恤和GPU卡", "恤和 gpu 卡"},
		{"korean", "배포 실패", "배포 실패"},
		{"other alphabets keep their words", "Привет мир", "привет мир"},
		{"nothing to find", " \t…!? 🎉 the", ""},
		{"broken bytes", "a\xffb \xe4\xb8", "b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(text.Terms(c.in), " "); got != c.want {
				t.Errorf("Terms(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestCountsHoldEverythingThatCanBeAsked(t *testing.T) {
	for _, s := range []string{"颐和园", "頤和園", "園", "園林 of 臺北", "もち米 T恤", "plain words", "ｲﾝﾌﾗ"} {
		counts := text.Counts(s)
		for _, term := range text.Terms(s) {
			if counts[term] == 0 {
				t.Errorf("Counts(%q) lacks %q", s, term)
			}
		}
	}
	want := map[string]int{"颐": 1, "和": 1, "园": 1, "颐和": 1, "和园": 1, "頤": 1, "園": 1, "頤和": 1, "和園": 1}
	if diff := cmp.Diff(want, text.Counts("頤和園")); diff != "" {
		t.Error(diff)
	}
}

func TestFoldingTwiceChangesNothing(t *testing.T) {
	twice := func(s string) bool { return text.Fold(text.Fold(s)) == text.Fold(s) }
	for _, s := range []string{"Ｆｕｌｌ  Width", "乾燥機與發票", "École"} {
		if !twice(s) {
			t.Errorf("Fold(%q) is not stable", s)
		}
	}
	if err := quick.Check(twice, nil); err != nil {
		t.Error(err)
	}
}

func TestSame(t *testing.T) {
	if !text.Same("開發票　OK", "开发票 ok") {
		t.Error("spellings of one text are told apart")
	}
	if text.Same("use tabs", "do not use tabs") {
		t.Error("a statement is the same as its negation")
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "Hello, wörld", "頤和園", "ｶﾞ", "a\u0301\u0301", "\xff\xfe", "don't", "1,000.5", "각각"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		counts := text.Counts(s)
		for _, term := range text.Terms(s) {
			if term == "" || !utf8.ValidString(term) || len(term) > 64 {
				t.Fatalf("bad term %q of %q", term, s)
			}
			if counts[term] == 0 {
				t.Fatalf("%q is asked for but not indexed, in %q", term, s)
			}
		}
		text.Fold(s)
	})
}

const sample = "Yesterday's deployment failed twice because the migration of the billing database was still " +
	"running; we rolled it back, told everybody in the channel and planned the next attempt for Monday at 10:30."

func BenchmarkCountsOf200Characters(b *testing.B) {
	for b.Loop() {
		text.Counts(sample)
	}
}

func BenchmarkCountsOf200ChineseCharacters(b *testing.B) {
	s := strings.Repeat("昨天的部署失败了因为帐单数据库还在迁移我们", 10)
	for b.Loop() {
		text.Counts(s)
	}
}
