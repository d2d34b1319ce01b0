package tool_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/tool"
)

// everything is a binding with all handles.
func everything(who person.Principal) tool.Binding {
	return tool.Binding{Principal: who, Memory: &notebook{}, Searcher: shelf{}, Files: &tool.Files{}}
}

func names(tools []agent.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Spec().Name)
	}
	return out
}

func TestEveryToolDescribesItself(t *testing.T) {
	s := &tool.Set{Web: new(http.Client)}
	tools, _ := s.Bind(everything(member))
	if len(tools) != 7 {
		t.Errorf("tools: %q", names(tools))
	}
	for _, one := range tools {
		spec := one.Spec()
		var schema struct {
			Type       string
			Required   []string
			Properties map[string]any
		}
		if err := json.Unmarshal(spec.Schema, &schema); err != nil || schema.Type != "object" {
			t.Errorf("%s: schema %s: %v", spec.Name, spec.Schema, err)
		}
		for _, r := range schema.Required {
			if schema.Properties[r] == nil {
				t.Errorf("%s: required %q is not described", spec.Name, r)
			}
		}
		if !regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`).MatchString(spec.Name) || len(spec.Description) < 50 || spec.Effect == "" {
			t.Errorf("%+v", spec)
		}
	}
}

func TestEveryToolIsNamedOnce(t *testing.T) {
	all := tool.Names()
	bound, _ := (&tool.Set{Web: new(http.Client)}).Bind(everything(member))
	for _, name := range append(names(bound), "skill_run", "skill_manage", "schedule_create") {
		if n := len(slices.DeleteFunc(slices.Clone(all), func(have string) bool { return have != name })); n != 1 {
			t.Errorf("%s is named %d times in %q", name, n, all)
		}
	}
}

func TestBindingIsTheSameEveryTime(t *testing.T) {
	s := &tool.Set{Web: new(http.Client)}
	first, _ := s.Bind(everything(member))
	for range 20 {
		if again, _ := s.Bind(everything(member)); !slices.Equal(names(first), names(again)) {
			t.Fatalf("%q, then %q", names(first), names(again))
		}
	}
}

func TestRightsDecideWhichToolsThereAre(t *testing.T) {
	tests := []struct {
		role person.Role
		want string
	}{
		{person.Nobody, ""},
		{person.BotRole, ""},
		{person.Guest, "time files_list files_read"},
		{person.Member, "time memory session_search files_list files_read files_write fetch"},
		{person.Admin, "time memory session_search files_list files_read files_write fetch"},
		{person.Role("owner"), ""},
	}
	s := &tool.Set{Web: new(http.Client)}
	for _, tt := range tests {
		tools, gate := s.Bind(everything(person.Principal{Role: tt.role}))
		if got := strings.Join(names(tools), " "); got != tt.want {
			t.Errorf("%q: tools %q, want %q", tt.role, got, tt.want)
		}
		spec := agent.Spec{Name: "memory", Permission: "memory", Effect: agent.Idempotent}
		if err := gate(t.Context(), spec, nil); (err == nil) != strings.Contains(tt.want, "memory") {
			t.Errorf("%q: the gate says %v", tt.role, err)
		}
	}
}

func TestWithinSkill(t *testing.T) {
	spec := func(name string, e agent.Effect) agent.Spec { return agent.Spec{Name: name, Effect: e} }
	get := func(url, spoken string) agent.Invocation {
		return agent.Invocation{Args: json.RawMessage(`{"url":"` + url + `"}`), Spoken: spoken}
	}
	none, tea := skill.Permissions{}, skill.Permissions{Hosts: []string{"tea.example"}, Tools: []string{"files_write"}, Schedules: true}
	tests := []struct {
		name string
		p    skill.Permissions
		spec agent.Spec
		in   agent.Invocation
		want bool
	}{
		{"reading", none, spec("files_read", agent.Read), agent.Invocation{}, true},
		{"a host that it names", tea, spec("fetch", agent.Read), get("https://tea.example/x", ""), true},
		{"another host", tea, spec("fetch", agent.Read), get("https://evil.example/x", ""), false},
		{"an address that the person wrote", none, spec("fetch", agent.Read), get("https://evil.example/x", "read https://evil.example/x please"), true},
		{"schedules it asked for", tea, spec("schedule_create", agent.Idempotent), agent.Invocation{}, true},
		{"schedules it did not ask for", none, spec("schedule_create", agent.Idempotent), agent.Invocation{}, false},
		{"a tool that it names", tea, spec("files_write", agent.Idempotent), agent.Invocation{}, true},
		{"a tool that it does not name", tea, spec("send", agent.Effectful), agent.Invocation{}, false},
		{"any tool where it names none", none, spec("files_write", agent.Idempotent), agent.Invocation{}, true},
		{"its scripts", skill.Permissions{Scripts: true}, spec("skill_run", agent.Effectful), agent.Invocation{}, true},
		{"scripts it did not ask for", tea, spec("skill_run", agent.Effectful), agent.Invocation{}, false},
		{"changing skills", tea, spec("skill_manage", agent.Idempotent), agent.Invocation{}, false},
	}
	for _, tt := range tests {
		if got := tool.Within(tt.p, tt.spec, tt.in); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBeyondASkillNeedsAYes(t *testing.T) {
	b := everything(member)
	b.Beyond = func(s agent.Spec, _ agent.Invocation) bool { return s.Name == "files_write" }
	tools, _ := new(tool.Set).Bind(b)
	for _, tl := range tools {
		if tl.Spec().Name != "files_write" {
			continue
		}
		if _, err := tl.Call(t.Context(), agent.Invocation{Args: json.RawMessage(`{"name":"a","text":"b"}`)}); err == nil || !strings.Contains(err.Error(), "yes") {
			t.Errorf("the call came to %v, want that it needs a yes", err)
		}
	}
}

func TestStrictestRuleHolds(t *testing.T) {
	effect := agent.Spec{Name: "send", Effect: agent.Effectful}
	read := agent.Spec{Name: "look", Effect: agent.Read}
	tests := []struct {
		name   string
		policy tool.Policy
		direct bool
		spec   agent.Spec
		want   tool.Decision
	}{
		{"no rule", nil, true, effect, tool.Allow},
		{"its own rule", tool.Policy{{"", "send", tool.Ask}}, true, effect, tool.Ask},
		{"another's rule", tool.Policy{{"", "pay", tool.Deny}}, true, effect, tool.Allow},
		{"rule for all changes", tool.Policy{{"", "", tool.Ask}}, true, effect, tool.Ask},
		{"rule for all changes leaves reads alone", tool.Policy{{"", "", tool.Ask}}, true, read, tool.Allow},
		{"rule of the other scope", tool.Policy{{tool.InSpace, "send", tool.Deny}}, true, effect, tool.Allow},
		{"rule of this scope", tool.Policy{{tool.InSpace, "send", tool.Deny}}, false, effect, tool.Deny},
		{"a looser rule behind", tool.Policy{{"", "send", tool.Deny}, {"", "send", tool.Allow}}, true, effect, tool.Deny},
		{"a stricter rule behind", tool.Policy{{"", "", tool.Allow}, {"", "send", tool.Ask}}, true, effect, tool.Ask},
		{"unknown decision", tool.Policy{{"", "send", "maybe"}}, true, effect, tool.Deny},
		{"unknown scope", tool.Policy{{"planet", "send", tool.Deny}}, true, effect, tool.Allow},
	}
	for _, tt := range tests {
		who := person.Principal{Role: person.Member, Direct: tt.direct}
		if got := tt.policy.Decide(who, tt.spec); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestGuardAsksForAYes(t *testing.T) {
	external := agent.Invocation{ID: "t/1", Context: chat.External}
	tests := []struct {
		name   string
		spec   agent.Spec
		policy tool.Policy
		in     agent.Invocation
		asks   bool
	}{
		{"effect in clean context", agent.Spec{Name: "x", Effect: agent.Effectful}, nil, agent.Invocation{Context: chat.TrustedTool}, false},
		{"effect in foreign context", agent.Spec{Name: "x", Effect: agent.Effectful}, nil, external, true},
		{"read in foreign context", agent.Spec{Name: "x", Effect: agent.Read}, nil, external, false},
		{"idempotent in foreign context", agent.Spec{Name: "x", Effect: agent.Idempotent}, nil, external, false},
		{"by policy", agent.Spec{Name: "x", Effect: agent.Effectful}, tool.Policy{{"", "x", tool.Ask}}, agent.Invocation{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, a := &probe{spec: tt.spec}, &asker{}
			s := &tool.Set{Policy: tt.policy}
			b := tool.Binding{Principal: member, More: []agent.Tool{p}, Asker: a}
			res, err := invoke(t, bound(t, s, b, "x"), `{"to":"ann"}`, tt.in)
			if err != nil || (res.Ask != nil) != tt.asks || (p.calls == 0) != tt.asks {
				t.Fatalf("asked %+v, called %d times, %v", res.Ask, p.calls, err)
			}
			if !tt.asks {
				return
			}
			if r := a.requests[0]; r.Key != tt.in.ID || r.Digest != tool.Digest("x", r.Args) || res.Ask.Token != "tok" {
				t.Errorf("request %+v", r)
			}
			b.Approved = tool.Digest("x", json.RawMessage(`{ "to": "ann" }`))
			if res, err := invoke(t, bound(t, s, b, "x"), `{"to":"ann"}`, tt.in); err != nil || res.Ask != nil || p.calls != 1 {
				t.Errorf("after the yes: %+v, %v, called %d times", res.Ask, err, p.calls)
			}
			if res, err := invoke(t, bound(t, s, b, "x"), `{"to":"bob"}`, tt.in); err != nil || res.Ask == nil || p.calls != 1 {
				t.Errorf("other arguments after the yes: %+v, %v, called %d times", res.Ask, err, p.calls)
			}
		})
	}
}

func TestQuestionShowsEverything(t *testing.T) {
	p, a := &probe{spec: agent.Spec{Name: "send_mail", Effect: agent.Effectful}}, &asker{}
	b := tool.Binding{Principal: member, More: []agent.Tool{p}, Asker: a}
	one := bound(t, &tool.Set{}, b, "send_mail")
	in := agent.Invocation{Context: chat.External}
	res, err := invoke(t, one, "{\"text\":\"<b>\\u202e```\\nok\\u200b\",\"n\":12345678901234567890}", in)
	if err != nil {
		t.Fatal(err)
	}
	q := res.Ask.Question
	for _, part := range []string{"send mail", "<b>", `\u{202E}`, `\u{200B}`, "12345678901234567890", "````\n{", "from outside"} {
		if !strings.Contains(q, part) {
			t.Errorf("question lacks %q:\n%s", part, q)
		}
	}
	if strings.ContainsAny(q, "\u202e\u200b") {
		t.Error("the question holds what can't be seen")
	}
	if _, err := invoke(t, one, `{"text":"`+strings.Repeat("x", 4000)+`"}`, in); err == nil || p.calls > 0 {
		t.Errorf("a question too long to be shown: %v", err)
	}
}

func TestWithoutAnybodyToAskNothingRuns(t *testing.T) {
	for name, a := range map[string]tool.Asker{"none": nil, "broken": &asker{fail: true}} {
		p := &probe{spec: agent.Spec{Name: "x", Effect: agent.Effectful}}
		b := tool.Binding{Principal: member, More: []agent.Tool{p}, Asker: a}
		res, err := invoke(t, bound(t, &tool.Set{}, b, "x"), `{}`, agent.Invocation{Context: chat.External})
		if err == nil || res.Ask != nil || p.calls > 0 {
			t.Errorf("%s: %+v, %v, called %d times", name, res.Ask, err, p.calls)
		}
	}
}
