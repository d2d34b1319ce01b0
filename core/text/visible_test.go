package text_test

import (
	"testing"

	"talaria/core/text"
)

func TestOnlyWhatCanNotBeSeenIsLeftOut(t *testing.T) {
	for _, same := range []string{
		"plain", "👨\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🔬", "می\u200cخواهم", "क्\u200dष", "ශ්\u200dරී", "❤\ufe0f", "葛\U000e0100",
	} {
		if got := text.Visible(same); got != same {
			t.Errorf("%+q became %+q", same, got)
		}
	}
	for in, want := range map[string]string{
		"pass\u200bword": "password", "a\u200db": "ab", "a\u200cb": "ab", "\u200d👩": "👩", "👩\u200d": "👩", "x\u202eevil\u202c": "xevil",
		"hi\U000e0041\U000e0042": "hi", "so\u00adft": "soft", "a \ufe0f\ufe0fb": "a b", "👩\ufe0f\ufe01\ufe02": "👩\ufe0f", "ㅤ": "", "\ufeffstart": "start",
	} {
		if got := text.Visible(in); got != want {
			t.Errorf("%+q became %+q, want %+q", in, got, want)
		}
	}
}
