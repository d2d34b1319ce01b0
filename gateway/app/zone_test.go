package app_test

import (
	"strings"
	"testing"
)

// Machines without a zone of their own call it "Etc/UTC".
func TestUniversalTimeHasOneName(t *testing.T) {
	t.Parallel()
	s := serve(t, "TALARIA_SCHEDULER_ZONE=Etc/UTC")
	s.Say(admin, admin, "/jobs add every day at 9 drink tea")
	if got := hears(t, s, admin, "Job .*UTC"); strings.Contains(got, "Etc/") {
		t.Errorf("told %q", got)
	}
}
