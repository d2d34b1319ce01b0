package inbound_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"talaria/adapters/inbound"
)

func TestLabel(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf":              "report.pdf",
		"../../etc/passwd":        "passwd",
		`..\..\AGENT.md`:          "AGENT.md",
		"a\u202egpj.exe":          "agpj.exe",
		"re\u200bport\x00\n.txt":  "report.txt",
		"..":                      "",
		"dir/":                    "",
		strings.Repeat("é", 400):  strings.Repeat("é", 120),
		"résumé \u4f60\u597d.txt": "résumé 你好.txt",
	} {
		if got := inbound.Label(name); got != want {
			t.Errorf("%q becomes %q, not %q", name, got, want)
		}
	}
}

func TestParseCommand(t *testing.T) {
	type command = inbound.Command
	for text, want := range map[string]command{
		"/stop":                      {Name: "stop"},
		"/STOP@My_Bot":               {Name: "stop", Suffix: "My_Bot"},
		"/brief add  8:00 Mon ":      {Name: "brief", Args: "add  8:00 Mon"},
		"/note one\ntwo":             {Name: "note", Args: "one\ntwo"},
		"/note \n one\ntwo\n":        {Name: "note", Args: "\none\ntwo"},
		"/stop \n":                   {Name: "stop"},
		"\u200b \u2060/st\u200dop x": {Name: "stop", Args: "x"},
		"/say \u200bkept":            {Name: "say", Args: "\u200bkept"},
		"/usr/bin/env":               {},
		"/":                          {},
		"/@bot":                      {},
		"/stop@":                     {},
		"/stop@a@b":                  {},
		"stop /stop":                 {},
		"/你好":                        {},
		"":                           {},
	} {
		got, ok := inbound.ParseCommand(text)
		if got != want || ok != (want.Name != "") {
			t.Errorf("%q is %+v, %v", text, got, ok)
		}
	}
}

// FuzzClean: names and commands of any sort come out clean.
func FuzzClean(f *testing.F) {
	f.Add("/stop@bot now")
	f.Add("../\u202ea\x00.txt")
	f.Fuzz(func(t *testing.T, s string) {
		if label := inbound.Label(s); strings.ContainsAny(label, "/\\\x00\n\u202e\u200b") || utf8.RuneCountInString(label) > 120 {
			t.Errorf("%q becomes %q", s, label)
		}
		if c, ok := inbound.ParseCommand(s); ok && (c.Name == "" || c.Name != strings.ToLower(c.Name)) {
			t.Errorf("%q is %+v", s, c)
		}
	})
}
