package rehearsal_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/model/rehearsal"
	"talaria/core/skill/manifest"
)

// respond has the model answer one request.
func respond(t *testing.T, r agent.Request) (text string, calls []agent.Call) {
	t.Helper()
	for d, err := range (rehearsal.Model{}).Stream(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		text += d.Text
		if d.Call != nil {
			calls = append(calls, *d.Call)
		}
	}
	return text, calls
}

func review(document string) agent.Request {
	return agent.Request{
		Prefix:   "You review a finished task of Talaria.",
		Messages: []agent.Message{{Role: agent.User, Origin: chat.Member, Text: "<task>\n" + document + "\n</task>"}},
	}
}

const tried = `{"request":"fetch https://tea.example/today and save it to tea.md","outcome":"success",
 "gate":{"pass":true},
 "turns":[{"asked":"fetch https://tea.example/today and save it to tea.md","steps":[
  {"tool":"fetch","args":"{\"url\":\"https://tea.example/today\"}","result":"error: 404","failed":"not found"},
  {"tool":"fetch","args":"{\"url\":\"https://tea.example/index\"}","result":"green"},
  {"tool":"files_write","args":"{\"name\":\"tea.md\",\"text\":\"green\"}","result":"16 bytes"}],"answered":"done"}],
 "recoveries":[{"tool":"fetch","how":"404","tried":"today","worked":"fetch","with":"index","resolved":true}]}`

func TestAReviewMakesASkillOfWhatWorked(t *testing.T) {
	r := review(tried)
	_, calls := respond(t, r)
	if len(calls) != 1 || calls[0].Name != "skill_manage" {
		t.Fatalf("calls %v, want one proposal", calls)
	}
	var args struct {
		Name    string
		Changes []struct{ Action, Content string }
	}
	if err := json.Unmarshal(calls[0].Args, &args); err != nil || len(args.Changes) != 1 || args.Changes[0].Action != "create" {
		t.Fatalf("%s, %v", calls[0].Args, err)
	}
	m, messages, err := manifest.Read([]byte(args.Changes[0].Content), args.Name)
	if err != nil || len(messages) > 0 || m.Name != args.Name {
		t.Fatalf("%s\n%v %v", args.Changes[0].Content, messages, err)
	}
	for _, want := range []string{
		"1. Fetch the page https://tea.example/index with `fetch`.\n2. Write the result to {file} with `files_write`.", "## Pitfalls", "what works: `fetch` with index",
	} {
		if !strings.Contains(m.Body, want) {
			t.Errorf("the skill lacks %q:\n%s", want, m.Body)
		}
	}
	r.Messages = append(r.Messages,
		agent.Message{Role: agent.Assistant, Calls: calls},
		agent.Message{Role: agent.ToolRole, Results: []agent.Outcome{{ID: calls[0].ID, Name: calls[0].Name, Text: "noted"}}})
	text, calls := respond(t, r)
	var report struct {
		Well  string `json:"went_well"`
		Wrong string `json:"went_wrong"`
		Rules []any
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil || len(calls) != 0 || report.Well == "" || !strings.Contains(report.Wrong, "404") {
		t.Errorf("report %q with %v, %v", text, calls, err)
	}
}

// TestWhatAskedForNothingIsNoPartOfASkill, though it belongs to the task.
func TestWhatAskedForNothingIsNoPartOfASkill(t *testing.T) {
	for first, part := range map[string]bool{"完成": false, "你好": false, "列出文件": true} {
		_, calls := respond(t, review(fmt.Sprintf(`{"request":%q,"outcome":"success","gate":{"pass":true},"turns":[{"asked":%[1]q},
 {"asked":"列出文件，再告诉我东京时间","steps":[{"tool":"files_list","args":"{}","result":"none"},{"tool":"time","args":"{\"zone\":\"Asia/Tokyo\"}","result":"Monday"}]}]}`, first)))
		if len(calls) != 1 {
			t.Fatalf("%s: calls %v, want one proposal", first, calls)
		}
		if text := string(calls[0].Args); strings.Contains(text, first+"，然后") != part || !strings.Contains(text, "有人这样要求") {
			t.Errorf("%s: %s", first, text)
		}
	}
}

func TestAReviewPutsACorrectionIntoTheSkillInUse(t *testing.T) {
	const doc = `{"request":"write the report","outcome":"success","gate":{"pass":true},"turns":[],
	 "feedback":[{"sign":"correction with reason","text":"no, use metric units, because our customers are in Europe"}],
	 "skills":[{"name":"write-report","in_use":true,"text":"---\nname: write-report\ndescription: Writes the report.\n---\n1. Write the report to {file} with files_write.\n"}]}`
	_, calls := respond(t, review(doc))
	if len(calls) != 1 || !strings.Contains(string(calls[0].Args), `"action":"edit"`) || !strings.Contains(string(calls[0].Args), "use metric units, because") {
		t.Errorf("calls %v", calls)
	}
}

func TestAReviewOfNothingMuchProposesNothing(t *testing.T) {
	text, calls := respond(t, review(`{"request":"hi","outcome":"success","gate":{"pass":false},"turns":[{"asked":"hi","answered":"hello"}]}`))
	if len(calls) != 0 || !strings.Contains(text, `"rules":[]`) {
		t.Errorf("%q, %v", text, calls)
	}
}

// TestASkillMadeOfATaskIsCarriedOutWithOtherThings takes families of tasks that
// a seed makes up, has the model review each, and has it follow what came out:
// with the file that was asked for and is called otherwise, and with another.
func TestASkillMadeOfATaskIsCarriedOutWithOtherThings(t *testing.T) {
	for name, f := range map[string]family{
		"English": {"read %s, save it to %s, read it again and tell me the time in Tokyo", "please take %s and save it to %s again, with the time in Tokyo",
			"## Pitfalls", "I followed the skill"},
		"Chinese": {"读取 %s，把它保存到 %s，再读一遍，然后告诉我东京时间", "请取 %s，再存到 %s，还有东京的时间",
			"## 注意事项", "我按技能"},
	} {
		t.Run(name, f.check)
	}
}

// family is a kind of task: how it is asked for at first and later, and what is
// said of it.
type family struct{ first, later, pitfalls, followed string }

func (f family) check(t *testing.T) {
	for seed := range uint64(5) {
		random := rand.New(rand.NewPCG(seed, 1))
		word := func() string { return string([]byte{byte('a' + random.IntN(26)), byte('a' + random.IntN(26)), 'x'}) }
		from, to, where, next, other := word()+".txt", word()+"q.md", word()+".md", word()+"z.md", word()+"w.md"
		steps := []map[string]string{
			{"tool": "files_read", "args": `{"name":"` + from + `"}`, "result": "there is no file of that name", "failed": "not found"},
			{"tool": "files_list", "args": "{}", "result": "- \"" + where + "\", 9 bytes"},
			{"tool": "files_read", "args": `{"name":"` + where + `"}`, "result": "oolong"},
			{"tool": "files_write", "args": `{"name":"` + to + `","text":"oolong\n"}`, "result": "written"},
			{"tool": "files_read", "args": `{"name":"` + to + `"}`, "result": "oolong"},
			{"tool": "time", "args": `{"zone":"Asia/Tokyo"}`, "result": "Monday"},
		}
		asked := fmt.Sprintf(f.first, from, to)
		doc, err := json.Marshal(map[string]any{
			"request": asked, "outcome": "success", "gate": map[string]any{"pass": true},
			"turns": []any{map[string]any{"asked": asked, "steps": steps}},
			"recoveries": []any{map[string]any{
				"tool": "files_read", "error": "missing", "how": "there is no file of that name", "tried": steps[0]["args"],
				"worked": "files_read", "with": steps[2]["args"], "resolved": true,
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, calls := respond(t, review(string(doc)))
		var args struct {
			Name    string
			Changes []struct{ Content string }
		}
		if err := json.Unmarshal(calls[0].Args, &args); err != nil {
			t.Fatal(err)
		}
		content := args.Changes[0].Content
		head, pitfalls, _ := strings.Cut(content, f.pitfalls)
		if strings.Contains(head, where) || !strings.Contains(pitfalls, where) {
			t.Fatalf("seed %d: what a file was called on that day is no part of the steps:\n%s", seed, content)
		}
		for _, asked := range []string{from, other} {
			w := &world{files: map[string]string{where: "puerh\n", other: "sencha\n"}}
			r := ask(fmt.Sprintf(f.later, asked, next))
			r.Messages = append([]agent.Message{{
				Role: agent.User, Text: "<skills>\n<skill name=\"" + args.Name + "\">\n" + content + "\n</skill>\n</skills>",
			}}, r.Messages...)
			got, answer := talk(t, w, r)
			want := map[string]string{from: "puerh", other: "sencha"}[asked]
			if !strings.Contains(w.files[next], want) || !slices.Contains(got, `time {"zone":"Asia/Tokyo"}`) || slices.Contains(got, `files_read {"name":"`+from+`"}`) || !strings.Contains(answer, f.followed) {
				t.Fatalf("seed %d called %v, has %v\n%s\n%s", seed, got, w.files, content, answer)
			}
		}
	}
}

func TestWhatOneStepHandsToTheNextIsNoPartOfASkill(t *testing.T) {
	const doc = `{"request":"get the weather of Oslo and put it into oslo.txt","outcome":"success","gate":{"pass":true},
	 "turns":[{"asked":"get the weather of Oslo and put it into oslo.txt","steps":[
	  {"tool":"weather_now","args":"{\"city\":\"Oslo\"}","result":"sunny, 21 degrees"},
	  {"tool":"board_put","args":"{\"name\":\"oslo.txt\",\"text\":\"sunny, 21 degrees\",\"style\":\"plain\"}","result":"put"}]}]}`
	_, calls := respond(t, review(doc))
	var args struct{ Changes []struct{ Content string } }
	if len(calls) != 1 || json.Unmarshal(calls[0].Args, &args) != nil {
		t.Fatalf("calls %v", calls)
	}
	for _, want := range []string{
		"1. Call `weather_now` with {\"city\":\"{city}\"}.\n", "2. Call `board_put` with {\"name\":\"{file}\",\"style\":\"plain\",\"text\":\"{result}\"}.\n",
		"- {city}, as the request names it.\n- {file}, as the request names it.\n\n",
	} {
		if !strings.Contains(args.Changes[0].Content, want) {
			t.Errorf("the skill lacks %q:\n%s", want, args.Changes[0].Content)
		}
	}
	for say, want := range map[string]string{
		"get the weather of Bad Ischl and hang it up":           `weather_now {"city":"Bad Ischl"}`,
		"could you see to the weather of Rome? It is for b.txt": `weather_now {"city":"Rome"}`,
		"the weather": "",
	} {
		r := ask(say)
		block := "<skills>\n<skill name=\"the-weather\">\n" + strings.Replace(args.Changes[0].Content, "2. Call `board_put`", "2. Call `weather_now`", 1) + "\n</skill>\n</skills>"
		r.Messages = append([]agent.Message{{Role: agent.User, Text: block}}, r.Messages...)
		got, answer := talk(t, &world{}, r)
		if want == "" && len(got) == 0 && strings.Contains(answer, "needs: city") {
			continue
		}
		if want == "" || len(got) == 0 || got[0] != want {
			t.Errorf("%q called %q: %s", say, got, answer)
		}
	}
}

// TestAToolOfAnybodysIsUsedByASkillInChinese: its call is found again in the
// step, with what the request gave.
func TestAToolOfAnybodysIsUsedByASkillInChinese(t *testing.T) {
	const doc = `{"request":"查奥斯陆的天气，写到 oslo.txt","outcome":"success","gate":{"pass":true},
	 "turns":[{"asked":"查奥斯陆的天气，写到 oslo.txt","steps":[
	  {"tool":"weather_now","args":"{\"city\":\"Oslo\"}","result":"sunny"},
	  {"tool":"files_write","args":"{\"name\":\"oslo.txt\",\"text\":\"sunny\"}","result":"written"}]}]}`
	_, calls := respond(t, review(doc))
	var args struct{ Changes []struct{ Content string } }
	if len(calls) != 1 || json.Unmarshal(calls[0].Args, &args) != nil {
		t.Fatalf("calls %v", calls)
	}
	text := args.Changes[0].Content
	if !strings.Contains(text, "## 步骤\n\n1. 调用 `weather_now` 参数 {\"city\":\"Oslo\"} 。\n2. 用 `files_write` 把 结果 写到 {file} 。\n") {
		t.Errorf("wrote:\n%s", text)
	}
	r := ask("再弄一次奥斯陆的天气，存到 again.txt")
	r.Messages = append([]agent.Message{{Role: agent.User, Text: "<skills>\n<skill name=\"w\">\n" + text + "\n</skill>\n</skills>"}}, r.Messages...)
	w := &world{files: map[string]string{}}
	got, answer := talk(t, w, r)
	if len(got) != 2 || got[0] != `weather_now {"city":"Oslo"}` || w.files["again.txt"] == "" {
		t.Errorf("called %q, wrote %q: %s", got, w.files, answer)
	}
}

func TestACorrectionThatAsksForMoreBecomesAStep(t *testing.T) {
	doc := func(said string) string {
		return `{"request":"make the report","outcome":"success","gate":{"pass":true},"turns":[],
		 "feedback":[{"sign":"correction with reason","text":"` + said + `"}],
		 "skills":[{"name":"make-report","in_use":true,"text":"---\nname: make-report\ndescription: Makes it.\n---\n\n## Steps\n\n1. Read the file plan.md with files_read.\n\n## Pitfalls\n\n- None.\n"}]}`
	}
	for said, want := range map[string]string{
		"no, tell me the time in Oslo too, because the customer is there": "1. Read the file plan.md with files_read.\n2. Tell me the time in Oslo with `time`.\n\n## Pitfalls",
		"no, use metric units, because the customer is in Europe":         "## Pitfalls\n\n- None.\n\n## Rules\n\n- use metric units, because the customer is in Europe\n",
	} {
		_, calls := respond(t, review(doc(said)))
		var args struct{ Changes []struct{ Content string } }
		if len(calls) != 1 || json.Unmarshal(calls[0].Args, &args) != nil || !strings.Contains(args.Changes[0].Content, want) {
			t.Errorf("%q wrote:\n%v", said, args)
		}
	}
}

func TestOfAChainOfPointersTheFirstIsAPitfall(t *testing.T) {
	link := func(tried, how string) string {
		return `{"tool":"page_get","error":"arguments","tried":"{\"at\":\"` + tried + `\"}","how":"` + how + `","worked":"page_get","with":"{\"at\":\"/third\"}","resolved":true}`
	}
	_, calls := respond(t, review(`{"request":"get the plan","outcome":"success","gate":{"pass":true},"turns":[{"asked":"get the plan","steps":[
	 {"tool":"page_get","args":"{\"at\":\"/third\"}","result":"tea"}]}],"recoveries":[`+link("/first", "moved to /second")+`,`+link("/second", "moved to /third")+`]}`))
	if len(calls) != 1 || strings.Count(string(calls[0].Args), "fails with") != 1 || !strings.Contains(string(calls[0].Args), "/first") {
		t.Errorf("it makes %+v", calls)
	}
}

func TestASkillHasTenStepsAtMost(t *testing.T) {
	var steps []string
	for n := range 14 {
		steps = append(steps, fmt.Sprintf(`{"tool":"files_read","args":"{\"name\":\"part-%d.md\"}","result":"read"}`, n))
	}
	_, calls := respond(t, review(`{"request":"read all parts","outcome":"success","gate":{"pass":true},"turns":[{"asked":"read all parts","steps":[`+strings.Join(steps, ",")+`]}]}`))
	if len(calls) != 1 || !strings.Contains(string(calls[0].Args), `\n10. `) || strings.Contains(string(calls[0].Args), `\n11. `) {
		t.Errorf("of 14 steps it makes %+v", calls)
	}
}
