package validate

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"path"
	"regexp"
	"strings"

	yaml "github.com/goccy/go-yaml/parser"
	"github.com/pelletier/go-toml/v2"
	sh "mvdan.cc/sh/v3/syntax"

	"talaria/core/skill"
)

// syntax parses the scripts and the blocks of code that it can read.
func syntax(_ context.Context, c skill.Candidate) ([]skill.Finding, error) {
	var out []skill.Finding
	for _, file := range c.Files.Paths() {
		text := string(c.Files[file])
		language := strings.TrimPrefix(path.Ext(file), ".")
		if language == "" && strings.HasPrefix(text, "#!") {
			language = interpreter(text)
		}
		if language == "md" {
			out = append(out, blocks(file, text)...)
			continue
		}
		if err := parse(language, text); err != nil {
			severity := skill.Warn
			if strings.HasPrefix(file, "scripts/") {
				severity = skill.Block
			}
			out = append(out, skill.Finding{Check: "syntax", Severity: severity, File: file, Line: 1, Message: fmt.Sprintf("it is no valid %s: %s", language, first(err))})
		}
	}
	return out, nil
}

// interpreter is the language of a script by its first line.
func interpreter(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if m := shells.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

var (
	shells = regexp.MustCompile(`\b(bash|sh)\b`)
	opens  = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*([A-Za-z0-9+-]*)")
	// gaps are places that whoever uses a template fills in; those in brackets
	// are tags where the language has such.
	gaps     = regexp.MustCompile(`\{\{|\.\.\.|…|\$\{[A-Z_]+\}|[A-Z]+_HERE`)
	brackets = regexp.MustCompile(`<[a-z][a-z _-]*>`)
)

func template(language, code string) bool {
	return gaps.MatchString(code) || language != "xml" && brackets.MatchString(code)
}

// blocks parses the blocks of code of a Markdown text. Those with gaps to fill
// are templates and not looked at.
func blocks(file, text string) []skill.Finding {
	var out []skill.Finding
	var code strings.Builder
	mark, language, at := "", "", 0
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch m := opens.FindStringSubmatch(line); {
		case mark == "" && m != nil:
			mark, language, at = m[1], strings.ToLower(m[2]), n+1
			code.Reset()
		case mark != "" && strings.HasPrefix(strings.TrimSpace(line), mark) && strings.Trim(line, " `~") == "":
			err := parse(language, code.String())
			if err != nil && !template(language, code.String()) {
				out = append(out, skill.Finding{
					Check: "syntax", Severity: skill.Warn, File: file, Line: at, Message: fmt.Sprintf("the block is no valid %s: %s", language, first(err)),
				})
			}
			mark = ""
		case mark != "":
			code.WriteString(line + "\n")
		}
	}
	return out
}

// maxCode bounds what is parsed, in bytes.
const maxCode = 256 << 10

// parse checks the syntax of a text. What is too long, or in a language that
// is not read here, passes.
func parse(language, text string) error {
	if len(text) > maxCode {
		return nil
	}
	switch language {
	case "json":
		return ofJSON(text)
	case "yaml", "yml":
		return ofYAML(text)
	case "toml":
		var v any
		return toml.Unmarshal([]byte(text), &v)
	case "xml":
		return ofXML(text)
	case "go":
		return ofGo(text)
	case "sh", "bash", "shell":
		variant := sh.LangBash
		if language == "sh" {
			variant = sh.LangPOSIX
		}
		_, err := sh.NewParser(sh.Variant(variant)).Parse(strings.NewReader(text), "")
		return err
	}
	return nil
}

// ofJSON reads values to the end.
func ofJSON(text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// maxYAML bounds YAML in bytes: its parser's work grows with the square.
const maxYAML = 16 << 10

// ofYAML reads the text without following its aliases, which can be made to
// grow beyond all bounds.
func ofYAML(text string) error {
	if len(text) > maxYAML {
		return nil
	}
	_, err := yaml.ParseBytes([]byte(text), 0)
	return err
}

func ofXML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// ofGo reads a file, declarations, or statements, whichever it is.
func ofGo(text string) error {
	var err error
	for _, frame := range []string{"%s", "package p\n%s", "package p\nfunc _() {\n%s\n}"} {
		if _, err = parser.ParseFile(token.NewFileSet(), "", fmt.Sprintf(frame, text), parser.SkipObjectResolution); err == nil {
			return nil
		}
	}
	return err
}

// first is the first line of what a parser says.
func first(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return clip(line)
}
