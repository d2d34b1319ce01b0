package rehearsal_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/core/agent"
	"talaria/core/chat"
)

func TestWhatIsRepeatedBecomesALineAndWhatIsDeniedDoesNot(t *testing.T) {
	text, calls := respond(t, agent.Request{
		Prefix: "You keep the picture that Talaria has of one person.",
		Messages: []agent.Message{{Role: agent.User, Origin: chat.Member, Text: `<person>
{"lines":[{"id":"l1","text":"uses Vim for notes"}],"said":[
{"id":"s1","occasion":"t1","words":"I prefer short answers"},
{"id":"s2","occasion":"t2","words":"Please, I like short answers"},
{"id":"s3","occasion":"t2","words":"I no longer use Vim for notes"},
{"id":"s4","occasion":"t3","words":"I use Perl for reports"},
{"id":"s5","occasion":"t4","words":"I do not use Perl for reports"},
{"id":"s6","occasion":"t4","words":"the weather was fine in my town"}]}
</person>`}},
	})
	var got struct {
		Antithesis []struct{ Of string }
		Synthesis  []struct {
			Text       string
			Confidence float64
			Sources    []string
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(calls) != 0 {
		t.Fatalf("%q, %v, %v", text, calls, err)
	}
	var lines []string
	for _, l := range got.Synthesis {
		lines = append(lines, l.Text)
	}
	// Who no longer uses something says so of themselves: that is a line too.
	if diff := cmp.Diff([]string{"I prefer short answers", "I no longer use Vim for notes"}, lines); diff != "" {
		t.Error(diff)
	}
	if len(got.Synthesis) > 0 && !slices.Equal(got.Synthesis[0].Sources, []string{"s1", "s2"}) {
		t.Errorf("the first line comes from %v", got.Synthesis[0].Sources)
	}
	var against []string
	for _, a := range got.Antithesis {
		against = append(against, a.Of)
	}
	if !slices.Contains(against, "l1") {
		t.Errorf("nothing speaks against l1: %v", against)
	}
}
