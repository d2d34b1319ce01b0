package app_test

import (
	"slices"
	"strings"
	"testing"

	"talaria/core/model/modeltest"
	"talaria/gateway/config"
)

func TestAJobRunsWithItsOwnSkillToolsModelAndTokens(t *testing.T) {
	model := modeltest.Start(func(modeltest.Request) modeltest.Answer { return modeltest.Text("All is well.") }, modeltest.Options{})
	t.Cleanup(model.Close)
	dir := folder(t, map[string]string{"kitchen/teatime/SKILL.md": tea("kettle.txt")})
	b := newBot(t, "TALARIA_SKILLS_EXTERNAL="+dir)
	own := config.Endpoint{Provider: "openai", Name: "careful-1", BaseURL: model.URL() + "/v1"}
	b.config.Model.Jobs = map[string]*config.JobModel{"careful": {Endpoint: own}, "dear": {Endpoint: own, Role: "admin"}}
	b.start()
	s := b.telegram

	s.Say(stranger, stranger, "/jobs add every day at 9:00 look at the house with the model `dear`")
	hears(t, s, stranger, "no model dear that your jobs may use")
	s.Say(stranger, stranger, "/jobs add every day at 9:00 look at the house with the skill teatime, with at most 20000 tokens")
	made := hears(t, s, stranger, "(?s)"+jobID.String()+".*skills: teatime; at most 20000 tokens a run")
	id := jobID.FindStringSubmatch(made)[1]
	s.Say(stranger, stranger, "/jobs set "+id+" tools time, role")
	hears(t, s, stranger, "no tool role")
	s.Say(stranger, stranger, "/jobs set "+id+" tools time")
	hears(t, s, stranger, "tools: time")
	s.Say(stranger, stranger, "/jobs set "+id+" model careful")
	hears(t, s, stranger, "model: careful")
	s.Say(stranger, stranger, "/jobs run "+id)
	hears(t, s, stranger, "^All is well.$")
	asked := model.Requests()[0]
	var words strings.Builder
	for _, m := range asked.Messages {
		words.WriteString(m.Text)
	}
	if asked.Model != "careful-1" || !slices.Equal(asked.Tools, []string{"time"}) || asked.MaxTokens < 1 || asked.MaxTokens > 20000 {
		t.Errorf("asked %q with the tools %q for %d tokens", asked.Model, asked.Tools, asked.MaxTokens)
	}
	if text := words.String(); !strings.Contains(text, "kettle.txt") || !strings.Contains(text, "look at the house") {
		t.Errorf("the model was told %q", text)
	}

	b.stop()
	b.config.Model.Jobs["careful"].Role = "admin" // and it is theirs no longer
	b.start()
	s.Say(stranger, stranger, "/jobs run "+id)
	hears(t, s, stranger, "(?s)no model careful that your jobs may use.*did not take place")
	if n := len(model.Requests()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
}
