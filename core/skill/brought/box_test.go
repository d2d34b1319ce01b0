package brought_test

import (
	"encoding/json"
	"testing"

	"talaria/core/person"
	"talaria/core/skill/brought"
	"talaria/core/skill/foreign"
	"talaria/storage/teststore"
)

func job(t *testing.T, record string) foreign.Job {
	t.Helper()
	j, ok := foreign.ReadJob(json.RawMessage(record))
	if !ok {
		t.Fatalf("no job: %s", record)
	}
	return j
}

func TestAJobIsOfferedUntilItIsSettled(t *testing.T) {
	s := teststore.File(t)
	box, ctx := brought.Of(s, "p1"), t.Context()
	watering := job(t, `{"id": "j1", "name": "Plants", "prompt": "Water the plants", "schedule": {"kind": "cron", "expr": "0 8 * * *"}}`)
	unnamed := job(t, `{"prompt": "Feed the cat", "enabled": false}`)
	for range 2 { // the same home twice
		for _, j := range []foreign.Job{watering, unnamed} {
			if err := box.Keep(ctx, brought.Jobs, j.ID, j); err != nil {
				t.Fatal(err)
			}
		}
	}
	waiting := jobs(t, box)
	if len(waiting) != 2 {
		t.Fatalf("%d jobs wait", len(waiting))
	}
	for _, j := range waiting {
		if j.ID == "j1" && (j.Schedule != "0 8 * * *" || j.Prompt != "Water the plants" || !j.Enabled) {
			t.Errorf("read back as %+v", j)
		}
	}
	for _, j := range waiting {
		for range 2 {
			if err := box.Settle(ctx, brought.Jobs, j.Key, "dropped"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := box.Keep(ctx, brought.Jobs, "j1", watering); err != nil {
		t.Fatal(err)
	}
	if left := jobs(t, box); len(left) != 0 {
		t.Errorf("settled jobs are offered again: %+v", left)
	}
	changed := job(t, `{"id": "j1", "prompt": "Water the plants twice"}`)
	if err := box.Keep(ctx, brought.Jobs, "j1", changed); err != nil {
		t.Fatal(err)
	}
	if left := jobs(t, box); len(left) != 1 || left[0].Prompt != "Water the plants twice" {
		t.Errorf("a job that was changed in its home is not offered: %+v", left)
	}
	if others := jobs(t, brought.Of(s, person.ID("p2"))); len(others) != 0 {
		t.Errorf("somebody else has %+v", others)
	}
}

func jobs(t *testing.T, b brought.Box) []brought.Job {
	t.Helper()
	all, err := b.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestChangesOfMemoryAndOfSkillsAreToldApart(t *testing.T) {
	box, ctx := brought.Of(teststore.File(t), "p1"), t.Context()
	record := json.RawMessage(`{"id": "a1", "payload": {"action": "add"}}`)
	for _, about := range []string{"memory", "skills"} {
		p, ok := foreign.ReadPending(about, record)
		if !ok {
			t.Fatal("no change")
		}
		if err := box.Keep(ctx, brought.Changes, p.ID, p); err != nil {
			t.Fatal(err)
		}
	}
	all, err := box.Changes(ctx)
	if err != nil || len(all) != 2 || all[0].About == all[1].About || all[0].Action != "add" {
		t.Errorf("%+v, %v", all, err)
	}
}
