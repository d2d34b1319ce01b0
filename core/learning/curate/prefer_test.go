package curate_test

import (
	"testing"

	"talaria/core/learning/curate"
)

func TestPeopleSayThatTheyUseSomethingElseNow(t *testing.T) {
	for said, want := range map[string][2]string{
		"I use Go now, not Python":                                      {"Go", "Python"},
		"I use Rust now instead of C++.":                                {"Rust", "C++"},
		"From now on use pnpm instead of npm":                           {"pnpm", "npm"},
		"By the way, I've switched from Jest to Vitest.":                {"Vitest", "Jest"},
		"I moved from vim to Helix recently":                            {"Helix", "vim"},
		"I no longer use Jenkins, I use GitHub Actions now":             {"GitHub Actions", "Jenkins"},
		"I don't use MySQL anymore, I use Postgres now.":                {"Postgres", "MySQL"},
		"Thanks! Please use tabs instead of spaces from now on":         {"tabs", "spaces"},
		"I stopped using Webpack and switched to Vite":                  {"Vite", "Webpack"},
		"我现在用 Go，不用 Python 了":                                           {"Go", "Python"},
		"我不用 npm 了，改用 pnpm":                                             {"pnpm", "npm"},
		"我从 Vue 换成了 React":                                              {"React", "Vue"},
		"我们已经从 MySQL 迁移到 Postgres 了。":                                   {"Postgres", "MySQL"},
		"以后用 yarn 代替 npm":                                               {"yarn", "npm"},
		"These days I prefer Kotlin over Java.":                         {"Kotlin", "Java"},
		"I'm using Firefox now, not Chrome. Please open the page there": {"Firefox", "Chrome"},
	} {
		got, ok := curate.ReadPreference(said)
		if !ok || got.New != want[0] || got.Old != want[1] {
			t.Errorf("%q: new %q, old %q (%v), want %q", said, got.New, got.Old, ok, want)
		}
	}
}

func TestWhatIsAboutOneTaskOrAQuestionChangesNoPreference(t *testing.T) {
	for _, said := range []string{
		"Use Go for this one, not Python", "Should I use Go now, not Python?", "If I use Go now, not Python, what changes?",
		"He said I use Go now, not Python", "I use Go and Python", "translate from English to German", "move the file from a to b",
		"为什么我现在用 Go，不用 Python 了？", "这次用 Go，不用 Python", "把文件从 a 移到 b", "I use it now, not that", "",
	} {
		if got, ok := curate.ReadPreference(said); ok {
			t.Errorf("%q was read as new %q, old %q", said, got.New, got.Old)
		}
	}
}

func FuzzReadPreference(f *testing.F) {
	f.Add("I use Go now, not Python")
	f.Add("我现在用 Go，不用 Python 了")
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := curate.ReadPreference(s); ok && (p.New == "" || p.Old == "") {
			t.Errorf("%q: %+v", s, p)
		}
	})
}
