package rehearsal

import (
	"encoding/json"
	"strconv"
	"strings"
)

var (
	needsWords = words{"the tool needs: %s", "该工具还需要：%s"}

	// pair is name=value or name: value, the value quoted or one word.
	pair = lazily(`([a-zA-Z_][\w-]*)\s*[=:：]\s*("[^"]*"|“[^”]*”|[^\s,，]+)`)
)

// beginUse calls a tool that the person names, with arguments as JSON, as
// pairs, or as the one text that the tool requires.
func beginUse(t *task, i int) (state, wish) {
	s := t.steps[i]
	spec, _ := t.tool(s.slots["tool"])
	shape := schemaOf(spec)
	args := shape.arguments(s.slots["args"])
	for name, value := range args {
		switch text, _ := value.(string); {
		case text == lastResult:
			args[name] = cut(t.last(i), maxWritten)
		case anyHole().FindString(text) == text && text != "":
			delete(args, name) // the request does not say
		}
	}
	var missing []string
	for _, name := range shape.Required {
		if _, ok := args[name]; ok {
			continue
		}
		if value := t.supply(name, i); value != "" {
			args[name] = value
			continue
		}
		missing = append(missing, name)
	}
	if len(missing) > 0 {
		return refuse(s, needsWords.in(t.language, strings.Join(missing, ", ")))
	}
	return t.call(s, s.slots["tool"], args)
}

// beginSkill reads a skill, whose steps then follow.
func beginSkill(t *task, i int) (state, wish) {
	s := t.steps[i]
	s.slots["tool"] = "skill_view"
	return t.call(s, "skill_view", map[string]any{"name": s.slots["name"]})
}

// supply finds a required argument by its name in what is at hand.
func (t *task) supply(name string, i int) string {
	switch name {
	case "url", "address", "link":
		return firstURL(t.input)
	case "name", "file", "filename", "path":
		return firstFile(t.input)
	case "text", "content", "body":
		return cut(t.last(i), maxWritten)
	case "query", "q", "question", "prompt":
		return t.input
	}
	return ""
}

// arguments reads what a person wrote behind a tool's name.
func (sh schema) arguments(text string) map[string]any {
	args := map[string]any{}
	text = strings.TrimSpace(text)
	if json.Unmarshal([]byte(text), &args) == nil && args != nil {
		return args
	}
	args = map[string]any{}
	for _, m := range pair().FindAllStringSubmatch(text, -1) {
		if p, ok := sh.Properties[m[1]]; ok {
			args[m[1]] = typed(p.Type, strings.Trim(m[2], `"“”`))
		}
	}
	if len(args) == 0 && text != "" && len(sh.Required) == 1 {
		only := sh.Required[0]
		args[only] = typed(sh.Properties[only].Type, clean(text))
	}
	return args
}

// typed makes a value of the type that a schema wants; what does not fit stays
// a text, for the tool to refuse.
func typed(kind, text string) any {
	switch kind {
	case "integer", "number":
		if v, err := strconv.ParseFloat(text, 64); err == nil && v-v == 0 {
			return json.Number(text)
		}
	case "boolean":
		if v, err := strconv.ParseBool(text); err == nil {
			return v
		}
	}
	return text
}
