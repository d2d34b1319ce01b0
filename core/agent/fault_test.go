package agent_test

import (
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
)

// TestModelFaultsEndInPlainWords goes through what a model can do wrong. The
// answer must be whole, or say that it is not, and tell no internals.
func TestModelFaultsEndInPlainWords(t *testing.T) {
	cut := func(text string) iter.Seq2[agent.Delta, error] { return broken(text, agent.ModelCut) }
	noStop := deltas(agent.Delta{Text: "and so"})
	huge := func(yield func(agent.Delta, error) bool) {
		for range 10 << 20 / 1024 {
			if !yield(agent.Delta{Text: strings.Repeat("x", 1024)}, nil) {
				return
			}
		}
		yield(agent.Delta{Stop: agent.StopEnd}, nil)
	}
	foreign := func(yield func(agent.Delta, error) bool) {
		yield(agent.Delta{}, errors.New("dial tcp 10.0.0.1:443: connection refused"))
	}
	tests := []struct {
		name   string
		model  []iter.Seq2[agent.Delta, error]
		want   string
		ending agent.Ending
	}{
		{"unreachable", []iter.Seq2[agent.Delta, error]{failing(agent.ModelTransient)}, "can't reach the language model", agent.Broken},
		{"key refused", []iter.Seq2[agent.Delta, error]{failing(agent.ModelAuth)}, "talaria doctor", agent.Broken},
		{"set up wrongly", []iter.Seq2[agent.Delta, error]{failing(agent.ModelSetUp)}, "no fault of your message", agent.Broken},
		{"out of credit", []iter.Seq2[agent.Delta, error]{failing(agent.ModelUnpaid)}, "credit or quota", agent.Broken},
		{"rate limited", []iter.Seq2[agent.Delta, error]{failing(agent.ModelRateLimited)}, "try again in a few minutes", agent.Broken},
		{"garbage", []iter.Seq2[agent.Delta, error]{failing(agent.ModelInvalid)}, "unreadable", agent.Broken},
		{"too long with nothing to drop", []iter.Seq2[agent.Delta, error]{failing(agent.ModelTooLong)}, "too long", agent.Broken},
		{"cut, then whole", []iter.Seq2[agent.Delta, error]{cut("Paris is the cap"), say("Paris is the capital.")}, "Paris is the capital.", agent.Answered},
		{"cut three times", []iter.Seq2[agent.Delta, error]{cut("Par"), cut("Pari"), cut("Paris")}, "broke off its answer several times", agent.Broken},
		{"unavailable amid the words, then whole", []iter.Seq2[agent.Delta, error]{broken("Par", agent.ModelTransient), say("Paris.")}, "Paris.", agent.Answered},
		{"ends without a stop, then whole", []iter.Seq2[agent.Delta, error]{noStop, say("And so on.")}, "And so on.", agent.Answered},
		{"error of a foreign type, thrice", []iter.Seq2[agent.Delta, error]{foreign, foreign, foreign}, "broke off", agent.Broken},
		{"refused", []iter.Seq2[agent.Delta, error]{sayStop("", agent.StopRefused)}, "declined", agent.Answered},
		{"refused amid the words", []iter.Seq2[agent.Delta, error]{sayStop("First you", agent.StopRefused)}, "stopped here because of its own policy", agent.Answered},
		{"empty, then not", []iter.Seq2[agent.Delta, error]{say(""), say("Here.")}, "Here.", agent.Answered},
		{"empty twice", []iter.Seq2[agent.Delta, error]{say(""), say(" \n")}, "returned nothing", agent.Answered},
		{"ten megabytes", []iter.Seq2[agent.Delta, error]{huge}, "cut off here", agent.Answered},
		{"too long for one call", []iter.Seq2[agent.Delta, error]{sayStop("one, ", agent.StopLength), say("two.")}, "one, two.", agent.Answered},
		{"too long for ever", []iter.Seq2[agent.Delta, error]{sayStop("a", agent.StopLength), sayStop("b", agent.StopLength), sayStop("c", agent.StopLength), sayStop("d", agent.StopLength)}, "abcd\n\n*(My answer was cut off", agent.Answered},
		{"too long, then unreachable", []iter.Seq2[agent.Delta, error]{sayStop("one, ", agent.StopLength), failing(agent.ModelTransient)}, "one,", agent.Answered},
		{"thoughts before the answer", []iter.Seq2[agent.Delta, error]{say("<think>\nhm\n</think>\nYes.")}, "Yes.", agent.Answered},
		{"thoughts alone, then an answer", []iter.Seq2[agent.Delta, error]{say("<think>hm"), say("Yes.")}, "Yes.", agent.Answered},
		{"control characters", []iter.Seq2[agent.Delta, error]{say("a\x00b\xffc")}, "ab\uFFFDc", agent.Answered},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := run(t, script(tt.model...), turn("hello"), agent.Hooks{})
				mustContain(t, a.Text, tt.want)
				if a.Ending != tt.ending {
					t.Errorf("ending %s, want %s", a.Ending, tt.ending)
				}
				for _, internal := range []string{"scripted", "10.0.0.1", "<think>", "test:", "hm"} {
					if strings.Contains(a.Text, internal) {
						t.Errorf("answer holds %q: %q", internal, a.Text)
					}
				}
				if len(a.Text) > 300<<10 {
					t.Errorf("answer of %d bytes", len(a.Text))
				}
				wellFormed(t, a.Messages)
			})
		})
	}
}

func TestRetryAfterIsSaid(t *testing.T) {
	m := always(func(yield func(agent.Delta, error) bool) {
		yield(agent.Delta{}, &agent.ModelError{Kind: agent.ModelRateLimited, RetryAfter: 100 * time.Second})
	})
	mustContain(t, run(t, m, turn("x"), agent.Hooks{}).Text, "in 2 minutes")
}

func TestShowBeginsAnewAfterACut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown []string
		m := script(broken("The capital of Fr", agent.ModelCut), say("It is Paris."))
		run(t, m, turn("x"), agent.Hooks{Show: func(text string) { shown = append(shown, text) }})
		want := "The capital of Fr|It is |It is Paris."
		if got := strings.Join(shown, "|"); got != want {
			t.Errorf("shown %q, want %q", got, want)
		}
	})
}

func TestShowGoesOnWhereAnAnswerIsContinued(t *testing.T) {
	var shown []string
	m := script(sayStop("ab", agent.StopLength), say("cd"))
	run(t, m, turn("x"), agent.Hooks{Show: func(text string) { shown = append(shown, text) }})
	if got := strings.Join(shown, "|"); got != "a|ab|abc|abcd" {
		t.Errorf("shown %q", got)
	}
	last := m.asked[1].Messages
	mustContain(t, last[len(last)-1].Text, "Go on exactly where you stopped")
}

func TestBrokenTurnTellsWhatWasDone(t *testing.T) {
	m := script(use(call("1", "send", `{}`)))
	a := run(t, m, turn("x", echo("send", agent.Effectful, &tally{})), agent.Hooks{})
	mustContain(t, a.Text, "can't reach the language model", "Done before that: send.")
	wellFormed(t, a.Messages)
}

func TestWordsBesideTheLastCallsStandInForAnEmptyAnswer(t *testing.T) {
	withText := deltas(agent.Delta{Text: "Noted: you like tea."}, agent.Delta{Call: new(call("1", "keep", `{}`))}, agent.Delta{Stop: agent.StopCalls})
	m := script(withText, say(""), say(""))
	a := run(t, m, turn("x", echo("keep", agent.Idempotent, &tally{})), agent.Hooks{})
	if a.Text != "Noted: you like tea." {
		t.Errorf("answer %q", a.Text)
	}
}
