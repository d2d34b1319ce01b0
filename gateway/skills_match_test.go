package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallPool = `{"name": "trip-planner", "description": "Plan trips with trains and hotels.", "tags": ["travel"]}
{"name": "会议纪要", "description": "整理会议录音。", "body": "先转写，再整理。", "uses": 3}
`

func TestSkillsAreMatchedFromAFile(t *testing.T) {
	s := newShell(t)
	pool := filepath.Join(s.dir, "pool.jsonl")
	if err := os.WriteFile(pool, []byte(smallPool), 0o600); err != nil {
		t.Fatal(err)
	}
	s.in = `{"id": "a", "query": "book a hotel and a train for my trip"}` + "\n" + `{"id": "b", "query": "why is the sea salty"}` + "\n"
	out, stderr, code := s.run("skills", "match", "--pool", pool, "--jsonl")
	lines := strings.SplitAfter(out, "\n")
	if code != 0 || len(lines) != 3 || !strings.HasPrefix(lines[0], `{"id":"a","ranked":["trip-planner"`) ||
		!strings.HasSuffix(lines[0], `"none":false}`+"\n") || !strings.HasSuffix(lines[1], `"none":true}`+"\n") {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	if out, _, code := s.run("skills", "match", "写会议纪要", "--pool", pool); code != 0 || !strings.HasSuffix(strings.SplitN(out, "\n", 2)[0], "  会议纪要") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code := s.run("skills", "match", "why is the sea salty", "--pool", pool); code != 0 || out != "No skill fits.\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	want := "- trip-planner: Plan trips with trains and hotels.\n- 会议纪要: 整理会议录音。\n"
	if out, _, code := s.run("skills", "index", "--pool", pool); code != 0 || out != want {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code := s.run("skills", "index", "--pool", pool, "--query", "plan a trip by train"); code != 0 || !strings.Contains(out, "- trip-planner: ") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestWhatAPromptCarriesOfSkillsIsToldFromAFile(t *testing.T) {
	s := newShell(t)
	pool := filepath.Join(s.dir, "pool.jsonl")
	if err := os.WriteFile(pool, []byte(smallPool), 0o600); err != nil {
		t.Fatal(err)
	}
	s.in = `{"id": "a", "query": "book a hotel and a train for my trip"}` + "\n" + `{"id": "b", "query": "why is the sea salty"}` + "\n"
	out, stderr, code := s.run("skills", "index", "--pool", pool, "--jsonl")
	lines := strings.SplitAfter(out, "\n")
	if code != 0 || len(lines) != 3 || !strings.Contains(lines[0], `\n- trip-planner: Plan trips`) || lines[1] != `{"id":"b","block":"","tokens":0}`+"\n" {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	if out, _, code := s.run("skills", "index", "--pool", pool, "--count"); code != 0 || out != "27\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, _, code := s.run("skills", "index", "--pool", pool, "--count", "--query", "why is the sea salty"); code != 0 || out != "0\n" {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestSkillsAreCompared(t *testing.T) {
	s := newShell(t)
	s.in = `{"id": "a", "a": {"name": "zip", "description": "Compress a folder."}, "b": {"name": "压缩", "description": "压缩文件夹。"}}` + "\n" +
		`{"id": "b", "a": {"name": "zip", "description": "Compress a folder."}, "b": {"name": "unzip", "description": "Decompress a folder."}}` + "\n"
	out, stderr, code := s.run("skills", "similar", "--jsonl")
	lines := strings.SplitAfter(out, "\n")
	if code != 0 || len(lines) != 3 || !strings.HasSuffix(lines[0], `"same":true}`+"\n") || !strings.HasSuffix(lines[1], `"same":false}`+"\n") {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	if out, _, code := s.run("skills", "similar", "Import contacts", "Export contacts"); code != 0 || !strings.HasSuffix(out, "  another\n") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestSkillsMatchRefusesBadUsage(t *testing.T) {
	s := newShell(t)
	for _, args := range [][]string{
		{"skills", "match", "x"},
		{"skills", "match", "--pool", "/nowhere", "x"},
		{"skills", "match", "--pool", "/nowhere"},
		{"skills", "index"},
		{"skills", "index", "--pool", "/nowhere", "--jsonl", "--query", "x"},
		{"skills", "index", "--pool", "/nowhere", "--jsonl", "--count"},
		{"skills", "similar", "x"},
		{"skills", "similar", "--jsonl", "x", "y"},
	} {
		if _, stderr, code := s.run(args...); code != 2 || stderr == "" {
			t.Errorf("%q: exit %d, %q", args, code, stderr)
		}
	}
}
