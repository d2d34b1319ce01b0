package discord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/discord"
)

// peer is a client that knows nothing but the documentation.
type peer struct {
	t      *testing.T
	ctx    context.Context
	server *discord.Server
	client *http.Client
}

func newPeer(t *testing.T, o discord.Options) *peer {
	s, ctx := newServer(t, o)
	p := &peer{t: t, ctx: ctx, server: s, client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(p.client.CloseIdleConnections)
	return p
}

func calm(t *testing.T) *peer { return newPeer(t, discord.Options{NoRates: true}) }

// answer is what a call came to.
type answer struct {
	status int
	header http.Header
	ID     string  `json:"id"`
	Code   int     `json:"code"`
	After  float64 `json:"retry_after"`
	Global bool    `json:"global"`
	Nonce  string  `json:"nonce"`
}

func (p *peer) call(method, path, body string) answer {
	p.t.Helper()
	a, err := p.try(method, path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

func (p *peer) try(method, path, body string) (a answer, err error) {
	req, err := http.NewRequestWithContext(p.ctx, method, p.server.URL()+"/api/v9"+path, bytes.NewBufferString(body))
	if err != nil {
		return a, err
	}
	req.Header.Set("Authorization", "Bot "+p.server.Token())
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	_ = json.Unmarshal(data, &a)
	a.status, a.header = resp.StatusCode, resp.Header
	return a, err
}

// quiet is what every message of a well-behaved bot carries.
const quiet = `"allowed_mentions":{"parse":[]},"flags":4`

func (p *peer) post(fields string) answer {
	p.t.Helper()
	return p.call("POST", "/channels/"+lobby+"/messages", "{"+fields+","+quiet+"}")
}

// selecting is a message with a select of some options.
func selecting(options int) string {
	var all []string
	for n := range options {
		all = append(all, fmt.Sprintf(`{"label":"l","value":"v%d"}`, n))
	}
	return `"content":"x","components":[{"type":1,"components":[{"type":3,"custom_id":"s","options":[` + strings.Join(all, ",") + `]}]}]`
}

// pressing is a message with a button
// (discord.com/developers/docs/components/reference#button).
func pressing(fields string) string {
	return `"content":"x","components":[{"type":1,"components":[{"type":2,"custom_id":"a",` + fields + `}]}]`
}

func TestRefusals(t *testing.T) {
	p := calm(t)
	long, exact := strings.Repeat("🦊", 2001), strings.Repeat("🦊", 2000)
	for fields, code := range map[string]int{
		`"content":"` + long + `"`:  50035,
		`"content":"` + exact + `"`: 0,
		`"content":"  "`:            50006,
		`"content":"x","nonce":"` + strings.Repeat("n", 26) + `"`:                         50035,
		`"content":"x","message_reference":{"message_id":"1"}`:                            50035,
		`"content":"x","message_reference":{"message_id":"1","fail_if_not_exists":false}`: 0,
		`"content":"x","components":[{"type":1,"components":[]}]`:                         50035,
		`"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"label":"a","custom_id":"a"},{"type":2,"style":1,"label":"b","custom_id":"a"}]}]`: 50035,
		`"content":"x","components":[{"type":1,"components":[{"type":2,"style":1,"label":"a","custom_id":"` + strings.Repeat("c", 101) + `"}]}]`:                   50035,
		pressing(`"style":1,"label":"` + strings.Repeat("l", 80) + `"`):                                                                                            0, pressing(`"style":1,"label":"` + strings.Repeat("l", 81) + `"`): 50035,
		pressing(`"style":1,"label":""`): 50035, pressing(`"label":"a"`): 50035, pressing(`"style":5,"label":"a"`): 50035,
		selecting(25): 0, selecting(26): 50035, selecting(0): 50035,
	} {
		if a := p.post(fields); a.Code != code {
			t.Errorf("%.80s: %+v", fields, a)
		}
	}
	for path, code := range map[string]int{"/channels/1/messages?limit=9": 10003, "/channels/" + lobby + "/messages/1": 10008, "/guilds/" + guild + "/members/1": 10007} {
		if a := p.call("GET", path, ""); a.status != 404 || a.Code != code {
			t.Errorf("%s: %+v", path, a)
		}
	}
}

func TestANonceIsRecognisedForAWhile(t *testing.T) {
	p := newPeer(t, discord.Options{NoRates: true, NonceLife: time.Hour})
	const enforced = `"content":"x","nonce":"n1","enforce_nonce":true`
	first := p.post(enforced)
	if again := p.post(enforced); again.ID != first.ID || p.server.Repeated() != 1 {
		t.Errorf("%q, then %q", first.ID, again.ID)
	}
	if free := p.post(`"content":"x","nonce":"n1"`); free.ID == first.ID {
		t.Error("recognised though it was not to be")
	}
	short := newPeer(t, discord.Options{NoRates: true, NonceLife: time.Nanosecond})
	if a, b := short.post(enforced), short.post(enforced); a.ID == b.ID {
		t.Error("recognised after its time")
	}
}

func TestRates(t *testing.T) {
	p := newPeer(t, discord.Options{})
	for left := 4; left >= 0; left-- {
		a := p.post(`"content":"x"`)
		if a.status != 200 || a.header.Get("X-RateLimit-Remaining") != fmt.Sprint(left) || a.header.Get("X-RateLimit-Bucket") == "" {
			t.Errorf("%d left: %+v", left, a)
		}
	}
	for range 2 {
		if a := p.post(`"content":"x"`); a.status != 429 || a.After <= 0 || a.Global {
			t.Errorf("over the limit: %+v", a)
		}
	}
	if waits, premature := p.server.Waits(); waits != 2 || premature != 1 {
		t.Errorf("%d waits, %d premature", waits, premature)
	}
}

func TestFaults(t *testing.T) {
	p := calm(t)
	p.server.Break(discord.Fault{Op: "createMessage", Cut: discord.CutBefore})
	if _, err := p.try("POST", "/channels/"+lobby+"/messages", `{"content":"x",`+quiet+`}`); err == nil || len(p.server.Sent(lobby)) != 0 {
		t.Errorf("cut before: %v", err)
	}
	p.server.Break(discord.Fault{Op: "createMessage", Cut: discord.CutAfter})
	if _, err := p.try("POST", "/channels/"+lobby+"/messages", `{"content":"x",`+quiet+`}`); err == nil || len(p.server.Sent(lobby)) != 1 {
		t.Errorf("cut after: %v", err)
	}
	p.server.Break(discord.Fault{Times: -1, Status: 503})
	for range 2 {
		if a := p.post(`"content":"x"`); a.status != 503 {
			t.Errorf("broken: %+v", a)
		}
	}
	p.server.Heal()
	if a := p.post(`"content":"x"`); a.status != 200 {
		t.Errorf("healed: %+v", a)
	}
}

func TestBreaches(t *testing.T) {
	p := calm(t)
	path := "/channels/" + lobby + "/messages"
	id := p.post(`"content":"x"`).ID
	for body, want := range map[string]string{
		`{"content":"x","flags":4}`:                                           "mentions are not ruled out",
		`{"content":"x","flags":4,"allowed_mentions":{}}`:                     "mentions are not ruled out",
		`{"content":"x","flags":4,"allowed_mentions":{"parse":["everyone"]}}`: "mentions are not ruled out",
		`{"content":"x","allowed_mentions":{"parse":[]}}`:                     "embeds are not suppressed",
	} {
		for _, c := range []struct{ method, path string }{{"POST", path}, {"PATCH", path + "/" + id}} {
			before := len(p.server.Breaches())
			if a := p.call(c.method, c.path, body); a.status != 200 {
				t.Errorf("%s %s: %+v", c.method, body, a)
			}
			if fresh := p.server.Breaches()[before:]; len(fresh) != 1 || !strings.Contains(fresh[0], want) {
				t.Errorf("%s %s: %v", c.method, body, fresh)
			}
		}
	}
}

func TestInteractions(t *testing.T) {
	p := newPeer(t, discord.Options{NoRates: true})
	callback := func(token string) string {
		return "/interactions/" + strings.TrimPrefix(token, "interaction-token-") + "/" + token + "/callback"
	}
	webhook := func(token string) string { return "/webhooks/" + discord.BotID + "/" + token }
	token := p.server.Command(ada, lobby, "help")
	if a := p.call("POST", webhook(token), `{"content":"x",`+quiet+`}`); a.Code != 10015 {
		t.Errorf("a follow-up before the first response: %+v", a)
	}
	if a := p.call("POST", callback(token), `{"type":5,"data":{"flags":64}}`); a.status != 204 || !p.server.Answered(token) {
		t.Errorf("deferred: %+v", a)
	}
	if a := p.call("POST", callback(token), `{"type":5}`); a.Code != 40060 {
		t.Errorf("deferred twice: %+v", a)
	}
	first := p.call("POST", webhook(token), `{"content":"one",`+quiet+`}`)
	second := p.call("POST", webhook(token), `{"content":"two",`+quiet+`}`)
	sent := p.server.Sent(lobby)
	if len(sent) != 2 || sent[0].ID != first.ID || sent[0].Private != ada || sent[1].ID != second.ID || sent[1].Private != "" {
		t.Errorf("shown %+v", sent)
	}
	if a := p.call("PATCH", webhook(token)+"/messages/@original", `{"content":"uno",`+quiet+`}`); a.ID != first.ID {
		t.Errorf("edited %+v", a)
	}
	late := newPeer(t, discord.Options{AnswerTime: time.Nanosecond})
	token = late.server.Command(ada, lobby, "help")
	if a := late.call("POST", callback(token), `{"type":5}`); a.Code != 10062 {
		t.Errorf("too late: %+v", a)
	}
	over := newPeer(t, discord.Options{TokenLife: time.Nanosecond})
	token = over.server.Command(ada, lobby, "help")
	over.call("POST", callback(token), `{"type":5}`)
	if a := over.call("POST", webhook(token), `{"content":"x",`+quiet+`}`); a.Code != 50027 {
		t.Errorf("after the token's time: %+v", a)
	}
}

func TestTally(t *testing.T) {
	p := calm(t)
	said := map[string]string{}
	for _, text := range []string{"answered", "doubled", "lost", "late"} {
		said[text] = p.server.Say(ada, lobby, text)
	}
	reply := func(to string) { p.post(fmt.Sprintf(`"content":"re","message_reference":{"message_id":%q}`, to)) }
	reply(said["answered"])
	reply(said["late"])
	reply(said["doubled"])
	reply(said["doubled"])
	p.post(`"content":"stray"`)
	got := p.server.Tally(nil)
	if got.Said != 4 || got.Answered != 2 || len(got.Lost) != 1 || len(got.Doubled) != 1 || len(got.Disordered) != 1 || len(got.Strays) != 1 {
		t.Errorf("tally: %+v", got)
	}
}

func TestForms(t *testing.T) {
	p := newPeer(t, discord.Options{NoRates: true})
	token := p.server.Command(ada, lobby, "edit")
	show := func(token, title, value string) answer {
		return p.call("POST", "/interactions/"+strings.TrimPrefix(token, "interaction-token-")+"/"+token+"/callback",
			fmt.Sprintf(`{"type":9,"data":{"custom_id":"edit:t","title":%q,"components":[{"type":18,"label":"Text","component":`+
				`{"type":4,"custom_id":"text","style":2,"value":%q}}]}}`, title, value))
	}
	for _, bad := range []answer{show(token, "", "x"), show(token, strings.Repeat("x", 46), "x"), show(token, "Edit", strings.Repeat("x", 4001))} {
		if bad.status != 400 {
			t.Errorf("taken: %+v", bad)
		}
	}
	if a := show(token, "Edit", "old"); a.status != 204 {
		t.Errorf("refused: %+v", a)
	}
	forms := p.server.Forms()
	if len(forms) != 1 || forms[0].User != ada || forms[0].Inputs[0].Value != "old" {
		t.Fatalf("shown: %+v", forms)
	}
	submission := p.server.Submit(forms[0], nil)
	if a := show(submission, "Again", "x"); a.status != 400 {
		t.Errorf("a form in answer to a form: %+v", a)
	}
}

// discord.com/developers/docs/interactions/application-commands#application-command-object
func TestRulesOfCommands(t *testing.T) {
	p := calm(t)
	text := func(rest string) string { return `{"type":3,"name":"a","description":"d"` + rest + `}` }
	command := func(options ...string) string {
		return `{"name":"c","description":"d","options":[` + strings.Join(options, ",") + `]}`
	}
	many := make([]string, 26)
	for n := range many {
		many[n] = fmt.Sprintf(`{"type":3,"name":"o%d","description":"d"}`, n)
	}
	for list, code := range map[string]int{
		command(many[:25]...):                      0,
		command(many...):                           50035,
		command() + "," + command():                50035,
		command(text(""), text("")):                50035,
		command(many[0], text(`,"required":true`)): 50035,
		command(text(`,"required":true`), many[0]): 0,
		command(text(`,"autocomplete":true`)):      0,
		command(text(`,"autocomplete":true,"choices":[{"name":"x","value":"x"}]`)):            50035,
		command(text(`,"choices":[{"name":"x","value":"` + strings.Repeat("x", 101) + `"}]`)): 50035,
		command(text(""), `{"type":1,"name":"b","description":"d"}`):                          50035,
		command(`{"type":1,"name":"b","description":"d","options":[` + text("") + `]}`):       0,
		command(strings.Replace(text(""), `"d"`, `"`+strings.Repeat("d", 101)+`"`, 1)):        50035,
	} {
		if a := p.call("PUT", "/applications/"+discord.BotID+"/commands", "["+list+"]"); a.Code != code {
			t.Errorf("%.90s: %+v", list, a)
		}
	}
}

// discord.com/developers/docs/interactions/application-commands#autocomplete
func TestCompletionsAreAnsweredByChoicesAlone(t *testing.T) {
	p := calm(t)
	p.call("PUT", "/applications/"+discord.BotID+"/commands",
		`[{"name":"c","description":"d","options":[{"type":3,"name":"a","description":"d","autocomplete":true},{"type":3,"name":"b","description":"d"}]}]`)
	if p.server.Type(ada, lobby, "c", "", "b", "x") != "" {
		t.Error("asked about an option that is not completed")
	}
	many := strings.Repeat(`{"name":"x","value":"x"},`, 26)
	for body, status := range map[string]int{
		`{"type":8,"data":{"choices":[{"name":"x","value":"x"}]}}`: 204,
		`{"type":8,"data":{"choices":[]}}`:                         204,
		`{"type":8}`:                                               400,
		`{"type":5}`:                                               400,
		`{"type":8,"data":{"choices":[` + many[:len(many)-1] + `]}}`: 400,
	} {
		token := p.server.Type(ada, lobby, "c", "", "a", "x")
		id := strings.TrimPrefix(token, "interaction-token-")
		if a := p.call("POST", "/interactions/"+id+"/"+token+"/callback", body); a.status != status {
			t.Errorf("%.60s: %+v", body, a)
		}
	}
}
