package main

import "testing"

func TestTheEnvironmentTellsTheLanguage(t *testing.T) {
	for _, c := range []struct {
		name    string
		environ []string
		want    string
	}{
		{"language and country", []string{"LANG=zh_CN.UTF-8"}, "zh-CN"},
		{"a variant", []string{"LANG=de_DE@euro"}, "de-DE"},
		{"no language", []string{"LANG=C.UTF-8"}, ""},
		{"nothing", nil, ""},
		{"an empty variable overrides nothing", []string{"LC_ALL=", "LANG=zh_TW.UTF-8"}, "zh-TW"},
		{"all over messages over the rest", []string{"LANG=en_US.UTF-8", "LC_MESSAGES=fr_FR", "LC_ALL=zh_CN"}, "zh-CN"},
		{"all overrides with no language, too", []string{"LANG=zh_CN.UTF-8", "LC_ALL=C"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := locale(c.environ); got != c.want {
				t.Errorf("%v is %q, want %q", c.environ, got, c.want)
			}
		})
	}
}
