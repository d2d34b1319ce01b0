package propose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/observe"
	"talaria/core/learning/propose"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/trace"
	"talaria/storage"
)

const (
	notesAsked = "write the release notes from the merged pull requests"
	notesFor   = "Write release notes from merged pull requests for the changelog"
	notesBody  = "## Steps\n\n1. List what was merged.\n2. Group it by kind.\n\n## Pitfalls\n\n- Leave reverted work out\n"
)

func TestTheGateGuardsNewSkills(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	if res := w.skill(w.after(who, notesAsked, alike(5)), drafted("release-notes", notesFor, notesBody)); res.Skipped == "" {
		t.Errorf("without the gate: %+v", res)
	}
	failed := func(c *propose.Case) { c.Observed.Success = false }
	if res := w.skill(w.after(who, notesAsked, passes, failed), drafted("release-notes", notesFor, notesBody)); res.Skipped == "" {
		t.Errorf("of a failure: %+v", res)
	}
	d := drafted("release-notes", notesFor, notesBody)
	d.Confidence = 0.3 // a task that passes is drafted whatever the confidence
	res := w.skill(w.after(who, notesAsked, passes), d)
	s := w.find(who, "release-notes")
	r, err := w.library.Revision(w.ctx, who, s.At(1))
	if err != nil || res.Tier != propose.TierSkill || s.Live() || r.Provenance[0].Confidence != 0.3 || r.Provenance[0].Model != "test-model" || len(r.Provenance[0].Messages) != 1 {
		t.Errorf("%+v, %+v, %v", res, r.Provenance, err)
	}
	if len(w.announced) != 1 || res.Undo != "" || res.See != "/skills pending" {
		t.Errorf("%+v, %d announced", res, len(w.announced))
	}
}

func TestADraftHoldsWhatTheTraceKnows(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "house-style", "How the house writes", "Short.\n")
	w.skill(w.after(who, notesAsked, passes, using("house-style"),
		called("files_read", `{"name":"merged.txt"}`, "list", chat.Member),
		called("schedule_create", `{"when":"friday"}`, "made", chat.Self),
		called("skill_view", `{}`, "", chat.Member), called("unknown_tool", `{}`, "", chat.Member),
		func(c *propose.Case) {
			c.Observed.Recoveries = []observe.Recovery{
				{Tool: "files_read", Error: trace.Arguments, How: "the field name is required", Worked: "files_read", With: `{"name":"merged.txt"}`, Resolved: true},
				{Tool: "fetch", Error: trace.Environment, How: "no credentials", Worked: "fetch", Resolved: true},
				{Tool: "fetch", Error: trace.Transient, How: "503", Worked: "fetch", Resolved: true, Retry: true},
			}
		}), drafted("release-notes", notesFor, notesBody))
	m, _, err := manifest.Read([]byte(w.text(who, "release-notes", 1, manifest.MainFile)), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.Tools, " "); got != "files_read schedule_create" {
		t.Errorf("tools %q", got)
	}
	if !m.Permissions.Schedules || len(m.RelatedSkills) != 1 {
		t.Errorf("%+v, %v", m.Permissions, m.RelatedSkills)
	}
	for _, want := range []string{"## When to use", "## Needs", "- Leave reverted work out\n- `files_read` answered: \"the field name is required\"", "What worked: `files_read`"} {
		if !strings.Contains(m.Body, want) {
			t.Errorf("it lacks %q:\n%s", want, m.Body)
		}
	}
	for _, not := range []string{"credentials", "503"} {
		if strings.Contains(m.Body, not) {
			t.Errorf("it tells of %q", not)
		}
	}
}

func TestNamesAreOfAClass(t *testing.T) {
	for name, want := range map[string]string{
		"release-notes": "release-notes", "Release Notes": "release-notes", "release-notes-2026-03-01": "release-notes", "release-notes-2026": "release-notes",
		"release-notes-march-2026": "release-notes", "release-notes-q3": "release-notes", "release-notes-for-monday": "release-notes",
		"release-notes-pr-4312": "release-notes", "release-notes-v2": "release-notes", "release-notes-final": "release-notes", "todays-release-notes": "todays-release-notes",
		"release-notes-cyra": "release-notes", "release-notes-for-novak": "release-notes", "release-notes-jordan": "release-notes", "release-notes-9f3ab21c": "release-notes",
		"encode-utf8-files": "encode-utf8-files", "convert-mp3": "convert-mp3", "k8s-rollout": "k8s-rollout", "s3-upload": "s3-upload", "fix-flaky-tests": "fix-flaky-tests",
		"fix-bug-1234": "", "task-20260301": "", "fix-issue-17": "", "2026-03-01": "", "this-session": "", "cyra-novak": "", "my-skill": "", "debug-today": "", "garden-99123": "garden",
	} {
		w := inMemory(t, skill.NewAndWider)
		who := w.dm(cy)
		w.skill(w.after(who, notesAsked+" for Dr. Jordan", passes), drafted(name, notesFor, notesBody))
		got := ""
		if len(w.announced) > 0 {
			got = w.announced[0].Revision.Name
		}
		if got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
		w.store.Close()
	}
}

func TestATaskSpeaksForADraftOnce(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	once := w.after(who, notesAsked, passes)
	w.skill(once, drafted("release-notes", notesFor, notesBody))
	once.Task.Turns = append(once.Task.Turns, trace.Turn{ID: "u", Who: who.Person, Message: "later", Asked: "thanks", Ending: agent.Answered})
	if res := w.skill(once, drafted("release-notes", notesFor, notesBody)); res.Skipped == "" {
		t.Errorf("the same task, looked at again, is told as %q", res.Line)
	}
	failed := w.after(who, notesAsked)
	failed.Observed.Success, failed.Observed.Why = false, "no call of a tool worked"
	more := propose.Draft{Name: "release-notes", Reason: "again", Changes: []edit.Change{{Action: edit.Edit, Content: w.text(who, "release-notes", 1, manifest.MainFile)}}}
	if res := w.skill(failed, more); res.Skipped == "" {
		t.Errorf("a task without success is told as %q", res.Line)
	}
	s := w.find(who, "release-notes")
	if r, err := w.library.Revision(w.ctx, who, s.At(s.Pending)); err != nil || len(r.Provenance) != 1 || len(r.Provenance[0].Messages) != 2 {
		t.Errorf("%+v, %v", r.Provenance, err)
	}
}

func TestTheSameSkillAgainJoinsTheDraft(t *testing.T) {
	onEachStore(t, func(t *testing.T, w *world) {
		who := w.dm(cy)
		w.skill(w.after(who, notesAsked, passes), drafted("release-notes", notesFor, notesBody))
		w.skill(w.after(who, notesAsked, passes), drafted("release-notes", notesFor, notesBody))
		res := w.skill(w.after(who, notesAsked, passes), drafted("writing-release-notes", notesFor, notesBody+"- Thank the authors\n"))
		s := w.find(who, "release-notes")
		r, err := w.library.Revision(w.ctx, who, s.At(s.Pending))
		if err != nil || s.Last != 1 || len(r.Provenance) != 3 || len(w.announced) != 1 || !strings.Contains(res.Line, "once more") {
			t.Errorf("%+v: %d revisions, %d occasions, %d announced, %v", res, s.Last, len(r.Provenance), len(w.announced), err)
		}
		w.skill(w.after(who, notesAsked, passes, corrected("no, thank the authors too, because they like it")), drafted("release-notes", notesFor, notesBody+"- Thank the authors\n"))
		if s := w.find(who, "release-notes"); s.Last != 2 || !strings.Contains(w.text(who, "release-notes", 2, manifest.MainFile), "Thank") {
			t.Errorf("after a correction: %+v", s)
		}
	})
}

func TestADuplicateBecomesAnUpdate(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "release-notes", notesFor, notesBody)
	if res := w.skill(w.after(who, notesAsked, passes), drafted("release-notes-writing", notesFor, notesBody)); res.Skipped == "" {
		t.Errorf("with nothing new: %+v", res)
	}
	w.skill(w.after(who, notesAsked, passes), drafted("release-notes-writing", notesFor, notesBody+"- Thank the authors\n\n## Parameters\n\n- The version\n"))
	s := w.find(who, "release-notes")
	got := w.text(who, "release-notes", s.Last, manifest.MainFile)
	if len(w.announced) != 1 || !strings.Contains(got, "- Leave reverted work out\n- Thank the authors\n") || !strings.Contains(got, "## Parameters\n\n- The version") || strings.Count(got, "List what was merged") != 1 {
		t.Errorf("%s", got)
	}
}

func TestFiveNewSkillsADay(t *testing.T) {
	onEachStore(t, func(t *testing.T, w *world) {
		who := w.dm(cy)
		topics := []string{"sourdough baking", "bicycle repair", "tax returns", "choir rehearsals", "garden irrigation", "museum tours", "sailing knots"}
		learn := func(n int) propose.Result {
			return w.skill(w.after(who, topics[n], passes), drafted(strings.ReplaceAll(topics[n], " ", "-"), "How to do "+topics[n], "## Steps\n\n1. "+topics[n]+".\n"))
		}
		for n := range 5 {
			if res := learn(n); res.Skipped != "" {
				t.Fatalf("skill %d: %+v", n, res)
			}
		}
		if res := learn(5); !strings.Contains(res.Skipped, "waits in the report") {
			t.Errorf("the sixth: %+v", res)
		}
		w.at(24*time.Hour, skill.NewAndWider)
		if res := learn(6); res.Skipped != "" {
			t.Errorf("the next day: %+v", res)
		}
	})
}

func TestSkillsDoNotHoldWhatIsForbidden(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	for _, body := range []string{
		"## Steps\n\n1. The fetch tool is broken.\n",
		"## Pitfalls\n\n- pandoc is not installed here\n",
		"## Notes\n\n昨天帮用户写了发布说明\n",
		"## Steps\n\n1. Run `convert --from=docx notes.docx` first.\n",
	} {
		failed := func(c *propose.Case) {
			c.Observed.Recoveries = []observe.Recovery{{Tool: "shell", Tried: `{"cmd":"convert --from=docx notes.docx"}`}}
		}
		if res := w.skill(w.after(who, notesAsked, passes, failed), drafted("release-notes", notesFor, body)); res.Skipped == "" {
			t.Errorf("%q: %+v", body, res)
		}
	}
	w.inForce(who, skill.ByAgent, "release-notes", notesFor, notesBody)
	change := propose.Draft{Name: "release-notes", Reason: "r", Changes: []edit.Change{{Action: edit.Patch, Old: "Group it by kind.", New: "The network is down, skip it."}}}
	if res := w.skill(w.after(who, notesAsked, using("release-notes")), change); res.Skipped == "" {
		t.Errorf("%+v", res)
	}
	if len(w.announced) > 0 {
		t.Errorf("%d were announced", len(w.announced))
	}
}

func TestOnlySkillsOfTheWorkAreChanged(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "release-notes", notesFor, notesBody)
	change := propose.Draft{Name: "release-notes", Reason: "thanks", Changes: []edit.Change{{Action: edit.Patch, Old: "Leave reverted work out", New: "Leave reverted work out\n- Thank the authors"}}}
	if res := w.skill(w.after(who, "water the garden"), change); res.Skipped == "" {
		t.Errorf("other work: %+v", res)
	}
	if res := w.skill(w.after(who, notesAsked), propose.Draft{Name: "nothing", Changes: change.Changes}); res.Skipped == "" {
		t.Errorf("no such skill: %+v", res)
	}
	bad := propose.Draft{Name: "release-notes", Reason: "r", Changes: []edit.Change{{Action: edit.Patch, Old: "not in it", New: "x"}}}
	if res := w.skill(w.after(who, notesAsked), bad); res.Skipped == "" {
		t.Errorf("a change that does not fit: %+v", res)
	}
	if res := w.skill(w.after(who, notesAsked, unattended), change); res.Undo != "/skills rollback release-notes" {
		t.Errorf("covered work: %+v", res)
	}
	wider := propose.Draft{Name: "release-notes", Reason: "scripts", Changes: []edit.Change{{Action: edit.WriteFile, File: "scripts/run.sh", Content: "echo hi\n"}}}
	if res := w.skill(w.after(who, notesAsked, using("release-notes"), unattended), wider); res.Undo != "" || w.find(who, "release-notes").Pending == 0 {
		t.Errorf("a script: %+v", res)
	}
}

func TestAChangeOfADraftBeginsFromIt(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.skill(w.after(who, notesAsked, passes), drafted("release-notes", notesFor, notesBody))
	change := propose.Draft{Name: "release-notes", Reason: "thanks", Changes: []edit.Change{{Action: edit.Patch, Old: "Leave reverted work out", New: "Leave reverted work out\n- Thank the authors"}}}
	w.skill(w.after(who, notesAsked), change)
	s := w.find(who, "release-notes")
	if s.Last != 2 || s.Live() || !strings.Contains(w.text(who, "release-notes", s.Pending, manifest.MainFile), "Thank") {
		t.Errorf("%+v", s)
	}
}

func TestTheSkillThatTheGateNamesIsUpdated(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "shipping", "How the house ships a version", notesBody)
	update := func(c *propose.Case) { c.Observed.Gate = learning.Verdict{Pass: true, Update: "shipping"} }
	w.skill(w.after(who, notesAsked, update), drafted("release-notes", notesFor, notesBody+"- Thank the authors\n"))
	if s := w.find(who, "shipping"); s.Last != 2 || len(w.announced) != 1 {
		t.Errorf("%+v", s)
	}
}

func TestSourcesOfTheNewestRevisionAreKept(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "release-notes", notesFor, notesBody)
	learn := func(n int) string {
		c := w.after(who, notesAsked, alike(2), using("release-notes"), unattended)
		b := storage.On(person.ShardOf(c.Task.Place))
		trace.Put(b, c.Task, storage.Absent, time.Hour)
		if _, err := w.store.Commit(w.ctx, b); err != nil {
			t.Fatal(err)
		}
		w.rule(c, propose.Rule{Then: fmt.Sprintf("put line %d first", n), Confidence: 1})
		return c.Task.ID
	}
	cited := func(id string) int {
		d, err := trace.Get(w.ctx, w.store, person.ShardOf(who.Place), id)
		if err != nil {
			t.Fatal(err)
		}
		return len(d.Value.Cited)
	}
	first := learn(100)
	if cited(first) != 1 {
		t.Error("the source of a revision is not kept")
	}
	second := learn(200)
	if cited(first) != 0 || cited(second) != 1 {
		t.Errorf("after the next revision: %d and %d citations", cited(first), cited(second))
	}
}

func TestAnAlikeSkillGetsASupportFile(t *testing.T) {
	w := onSQLite(t)
	who := w.dm(cy)
	w.inForce(who, skill.ByAgent, "release-notes", notesFor, notesBody)
	res := w.skill(w.after(who, notesAsked, passes), drafted("mobile-release-notes", "Release notes for mobile apps in the stores", "Ask for the store's limit.\n"))
	s := w.find(who, "release-notes")
	if got := w.text(who, "release-notes", s.Last, "references/mobile-release-notes.md"); !strings.Contains(got, "store's limit") || !strings.Contains(w.text(who, "release-notes", s.Last, manifest.MainFile), "`references/mobile-release-notes.md`") {
		t.Errorf("%+v: %q", res, got)
	}
}

func ExampleResult() {
	r := propose.Result{Line: "I noted, not certain yet: put the vegetables first", Undo: "/memory undo 4", See: "/memory", Tier: propose.TierCard}
	fmt.Println(r.Line)
	fmt.Println(r.Undo)
	// Output:
	// I noted, not certain yet: put the vegetables first
	// /memory undo 4
}
