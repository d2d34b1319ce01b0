package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// talked is a shell in which somebody had a conversation that is over.
func talked(t *testing.T, environ ...string) *shell {
	s := withModel(t, environ...)
	s.in = "summarise the meeting of Monday\nno, that's wrong because it was moved, my password is Tr0ub4dor&3\n/new\n"
	if _, stderr, code := s.run("chat"); code != 0 {
		t.Fatal(stderr)
	}
	s.in = ""
	return s
}

// ids are those of the kept traces.
func (s *shell) ids() []string {
	out, stderr, code := s.run("traces", "list", "--json")
	if code != 0 {
		s.t.Fatal(stderr)
	}
	var ids []string
	for line := range strings.Lines(out) {
		var l struct{ Task struct{ ID string } }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			s.t.Fatalf("%q: %v", line, err)
		}
		ids = append(ids, l.Task.ID)
	}
	return ids
}

func TestTracesOfAConversation(t *testing.T) {
	s := talked(t)
	ids := s.ids()
	if len(ids) != 1 {
		t.Fatalf("traces %v of one conversation", ids)
	}
	list, _, _ := s.run("traces", "list")
	if !strings.Contains(list, ids[0]) || !strings.Contains(list, "summarise the meeting") {
		t.Errorf("listed:\n%s", list)
	}
	shown, stderr, code := s.run("traces", "show", ids[0][:17])
	for _, part := range []string{"summarise the meeting", "that's wrong because", "correction with reason", "settled", "[redacted]"} {
		if !strings.Contains(shown, part) {
			t.Errorf("no %q in what is shown (exit code %d, %s):\n%s", part, code, stderr, shown)
		}
	}
	if strings.Contains(shown, "Tr0ub4dor") {
		t.Errorf("a secret is shown:\n%s", shown)
	}
	if _, stderr, code := s.run("traces", "show", "nothing"); code != 1 || !strings.Contains(stderr, "there is no trace") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestTracesAreExportedWithConsentAlone(t *testing.T) {
	s := talked(t)
	out, stderr, code := s.run("traces", "export")
	if code != 0 || out != "" || !strings.Contains(stderr, "records: 0, of finished tasks: 1; withheld: 1,") {
		t.Errorf("exit code %d, %q, %q", code, out, stderr)
	}
	s.environ = append(s.environ, "TALARIA_LEARNING_EXPORT_CONSENT=true")
	for form, field := range map[string]string{"sharegpt": "reward", "preferences": "chosen"} {
		out, stderr, code := s.run("traces", "export", "--form", form)
		var record map[string]any
		if err := json.Unmarshal([]byte(out), &record); err != nil || code != 0 || record[field] == nil {
			t.Errorf("%s: exit code %d, %v, %q, %q", form, code, err, out, stderr)
		}
		if strings.Contains(out, "Tr0ub4dor") {
			t.Errorf("a secret is exported: %s", out)
		}
	}
	if _, _, code := s.run("traces", "export", "--form", "poem"); code != 2 {
		t.Errorf("exit code %d of an unknown form, want 2", code)
	}
}

func TestWithoutLearningNoTraceIsKept(t *testing.T) {
	for _, key := range []string{"TALARIA_LEARNING_ENABLED=false", "TALARIA_LEARNING_OBSERVE=false"} {
		if ids := talked(t, key).ids(); len(ids) > 0 {
			t.Errorf("with %s: traces %v", key, ids)
		}
	}
}
