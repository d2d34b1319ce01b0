package config_test

import (
	"testing"
	"time"

	"talaria/core/memory"
	"talaria/core/skill/match"
	"talaria/gateway/config"
)

func TestMeasuresOfPromptsAndDraftsComeFromTheConfiguration(t *testing.T) {
	c, _, err := config.Load("", nil)
	if err != nil || c.Skills.Prompt.Room() != (match.Room{List: 3000, Block: 2500, Skills: 5, Certain: 0.75}) ||
		c.Memory.Room() != (memory.Room{Work: 2200, Profile: 1375, Recalled: 5}) || c.Learning.Drafts.Expire.Duration != 72*time.Hour {
		t.Errorf("by default %+v, %+v, %+v, %v", c.Skills.Prompt, c.Memory, c.Learning.Drafts, err)
	}
	c, _, err = config.Load("", []string{"TALARIA_SKILLS_PROMPT_CERTAIN=80", "TALARIA_SKILLS_PROMPT_MATCHES=2", "TALARIA_MEMORY_WORK=900", "TALARIA_LEARNING_DRAFTS_EXPIRE=96h"})
	room := c.Skills.Prompt.Room()
	if err != nil || room.Certain != 0.8 || room.Skills != 2 || c.Memory.Room().Work != 900 || c.Learning.Drafts.Expire.Duration != 96*time.Hour {
		t.Errorf("%+v, %+v, %+v, %v", room, c.Memory, c.Learning.Drafts, err)
	}
	for _, wrong := range []string{"LEARNING_DRAFTS_EXPIRE=24h", "LEARNING_DRAFTS_REMIND=0s", "SKILLS_PROMPT_MATCHES=0", "SKILLS_PROMPT_CERTAIN=101", "MEMORY_PROFILE=0", "MEMORY_RECALLED=-1", "RETENTION_KINDS_DAYS=0"} {
		if _, _, err = config.Load("", []string{"TALARIA_" + wrong}); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
