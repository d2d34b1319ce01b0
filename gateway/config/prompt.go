package config

import (
	"time"

	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/skill/match"
)

// Drafts is how long a draft of a skill waits for somebody's yes.
type Drafts struct {
	Expire Duration `toml:"expire"`
	Remind Duration `toml:"remind"` // after so long, once
}

func defaultDrafts() Drafts { return Drafts{Duration{skill.DraftFor}, Duration{skill.RemindAfter}} }

// SkillsPrompt is how much of the skills stands in prompts.
type SkillsPrompt struct {
	ListTokens  int `toml:"list_tokens"`  // of the list at the head of a conversation
	BlockTokens int `toml:"block_tokens"` // of what goes before a message
	Matches     int `toml:"matches"`      // skills before a message
	Certain     int `toml:"certain"`      // percent of likelihood from which the best one's text goes with them
}

func defaultSkillsPrompt() SkillsPrompt {
	d := match.DefaultRoom()
	return SkillsPrompt{ListTokens: d.List, BlockTokens: d.Block, Matches: d.Skills, Certain: percent(d.Certain)}
}

// Room is the measures as package match takes them.
func (s SkillsPrompt) Room() match.Room {
	return match.Room{List: s.ListTokens, Block: s.BlockTokens, Skills: s.Matches, Certain: share(s.Certain)}
}

// Memory is how much of what is remembered stands in prompts: at the head of a
// conversation, in characters, and before a message.
type Memory struct {
	Work     int `toml:"work"`
	Profile  int `toml:"profile"`
	Recalled int `toml:"recalled"` // cards
}

func defaultMemory() Memory { return Memory(memory.DefaultRoom()) }

// Room is the measures as package memory takes them.
func (m Memory) Room() memory.Room { return memory.Room(m) }

func (l *loader) checkPrompt() {
	d := l.cfg.Learning.Drafts
	l.positive("learning.drafts.remind", d.Remind)
	if d.Expire.Duration < d.Remind.Duration || d.Expire.Duration < time.Minute {
		l.bad("learning.drafts.expire", d.Expire.String()+" is too short", "set it to a minute or more, and not below remind")
	}
	s := l.cfg.Skills.Prompt
	l.atLeast(1, "skills.prompt.list_tokens", s.ListTokens)
	l.atLeast(1, "skills.prompt.block_tokens", s.BlockTokens)
	l.atLeast(1, "skills.prompt.matches", s.Matches)
	l.percent("skills.prompt.certain", s.Certain)
	l.atLeast(1, "memory.work", l.cfg.Memory.Work)
	l.atLeast(1, "memory.profile", l.cfg.Memory.Profile)
	l.atLeast(0, "memory.recalled", l.cfg.Memory.Recalled)
}
