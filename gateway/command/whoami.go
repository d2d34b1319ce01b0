package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/zone"
	"talaria/gateway/wording"
	"talaria/storage"
)

// self are the commands about what is known of the one who asks.
type self struct {
	store     *storage.Store
	directory *person.Directory
	deleted   func(ctx context.Context, who person.Principal, c memory.Card) error
}

// ForSelf are the commands about what is known of the one who asks. deleted is
// told of every line that they strike.
func ForSelf(s *storage.Store, d *person.Directory, deleted func(context.Context, person.Principal, memory.Card) error) []Command {
	return []Command{{
		Name: "whoami", Args: "[strike N | correct N TEXT | confirm N | zone NAME | language NAME | quiet 22-7]",
		Summary: "who you are to me: see it and set it right", Now: true, Lines: true, Role: person.Guest, Run: self{s, d, deleted}.whoami, Verbs: whoamiVerbs,
	}}
}

// whoamiVerbs declares what whoami reads.
var whoamiVerbs = []Verb{
	{Name: "show", Summary: "who you are to me", Unsaid: true},
	{Name: "strike", Summary: "have me forget a line", Options: []Option{numbered}},
	{Name: "correct", Summary: "set a line right", Options: []Option{numbered, {Name: "text", Summary: "what is so", Required: true}}},
	{Name: "confirm", Summary: "say that a line is so", Options: []Option{numbered}},
	{Name: "zone", Summary: "your time zone", Options: []Option{{Name: "name", Summary: "such as Europe/Berlin, or off", Required: true}}},
	{Name: "language", Summary: "the language that I answer in", Options: []Option{{Name: "name", Summary: "such as German, or off", Required: true}}},
	{Name: "quiet", Summary: "the hours in which I send nothing by myself", Options: []Option{{Name: "hours", Summary: "such as 22-7, or off", Required: true}}},
}

var numbered = Option{Name: "number", Summary: "of the line that /whoami shows", Required: true}

const whoamiUsage = "Usage: `/whoami strike N`, `/whoami correct N TEXT`, `/whoami confirm N`, `/whoami zone Europe/Berlin`, `/whoami language NAME`, `/whoami quiet 22-7`; " +
	"`off` instead of a value takes it away. `/whoami` shows the numbers."

func (s self) whoami(ctx context.Context, c Call) (chat.Post, error) {
	verb, rest, _ := strings.Cut(c.Args, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case verb == "" && c.Who.Direct:
		return s.show(ctx, c)
	case verb == "":
		return wording.Say(ctx, "You are `%s`, and your role here is **%s**. What I know of you I tell in a direct conversation.", c.Who.Identity, c.Who.Role), nil
	case !c.Who.Direct:
		return wording.Say(ctx, privately), nil
	case rest == "":
		return wording.Say(ctx, whoamiUsage), nil
	}
	post, err := s.change(ctx, c, verb, rest)
	if known := memoryRefusal(ctx, err); known != "" {
		return wording.Say(ctx, "%s", known), nil
	}
	return post, err
}

func (s self) change(ctx context.Context, c Call, verb, rest string) (chat.Post, error) {
	switch verb {
	case "strike":
		return s.strike(ctx, c, rest)
	case "correct":
		return s.correct(ctx, c, rest)
	case "confirm":
		return s.confirm(ctx, c, rest)
	case "zone":
		name, ok := zone.Of(rest) // as people name places: "Berlin"
		if !ok {
			name = unlessOff(rest)
		}
		return s.set(ctx, c, func(v *person.Settings) { v.Zone = name })
	case "language":
		if len(rest) > 40 {
			return wording.Say(ctx, "That is no name of a language."), nil
		}
		return s.set(ctx, c, func(v *person.Settings) { v.Language = unlessOff(plain(rest)) })
	case "quiet":
		quiet, ok := parseQuiet(rest)
		if !ok {
			return wording.Say(ctx, "Quiet hours are two hours of the day, such as `/whoami quiet 22-7`; `/whoami quiet off` ends them."), nil
		}
		return s.set(ctx, c, func(v *person.Settings) { v.Quiet = quiet })
	}
	return wording.Say(ctx, whoamiUsage), nil
}

// isOff reports whether a setting is to be as it was before it was set.
func isOff(s string) bool {
	return slices.Contains([]string{"off", "none", "auto", "default", "无", "没有", "关", "关闭", "自动", "默认"}, strings.ToLower(s))
}

func unlessOff(s string) string {
	if isOff(s) {
		return ""
	}
	return s
}

// parseQuiet reads "22-7" or "22:00-07:00"; "off" is nil. Only whole hours are
// taken, and 24 for midnight at the end.
func parseQuiet(s string) (*person.Quiet, bool) {
	if isOff(s) {
		return nil, true
	}
	from, to, ok := strings.Cut(strings.ReplaceAll(s, " ", ""), "-")
	f, errFrom := strconv.Atoi(strings.TrimSuffix(from, ":00"))
	t, errTo := strconv.Atoi(strings.TrimSuffix(to, ":00"))
	if !ok || errFrom != nil || errTo != nil || f < 0 || f > 23 || t < 0 || t > 24 || f == t%24 {
		return nil, false
	}
	return &person.Quiet{From: f, To: t % 24}, true
}

func (s self) set(ctx context.Context, c Call, change func(*person.Settings)) (chat.Post, error) {
	err := person.ChangeSettings(ctx, s.store, c.Who, change)
	if errors.Is(err, person.ErrZone) {
		return wording.Say(ctx, "That did not work: %s.", wording.In(ctx).Of(person.ErrZone.Error())), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	if ctx, err = wording.For(ctx, s.store, c.Who, c.Event); err != nil { // it may be the language that changed
		return chat.Post{}, err
	}
	return s.show(ctx, c)
}

// fact is one line of what is known of a person.
type fact struct {
	name string // of a setting
	text string
	card *memory.Card           // nil: a setting
	undo func(*person.Settings) // takes a setting away; nil: it can't be struck
}

// show says all that is known, a number to each line.
func (s self) show(ctx context.Context, c Call) (chat.Post, error) {
	links, err := s.directory.Links(ctx, c.Who)
	if err != nil {
		return chat.Post{}, err
	}
	facts, err := s.facts(ctx, c)
	if err != nil {
		return chat.Post{}, err
	}
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "You are `%s`, and your role here is **%s**.", c.Who.Identity, c.Who.Role))
	for _, l := range links {
		for _, i := range l.Identities {
			b.WriteString(wording.Text(ctx, "\n- linked: `%s`", i))
		}
	}
	b.WriteString("\n\n" + wording.Text(ctx, "What I know of you:") + "\n\n")
	for n, f := range facts {
		fmt.Fprintf(&b, "%d. %s\n", n+1, f.text)
	}
	b.WriteString("\n" + wording.Text(ctx, "`/whoami strike N` deletes a line, which then stays away, `/whoami correct N TEXT` puts another in its place, `/whoami confirm N` says that it is right. `/memory` shows what else I remember."))
	return chat.Post{Markdown: b.String()}, nil
}

// facts are the lines, in an order that stays: cards by age, then settings.
func (s self) facts(ctx context.Context, c Call) ([]fact, error) {
	cards, err := memory.For(s.store, c.Who).List(ctx)
	if err != nil {
		return nil, err
	}
	cards = slices.DeleteFunc(cards, func(c memory.Card) bool { return c.Kind != memory.Profile || c.State == memory.Archived })
	slices.SortFunc(cards, func(a, b memory.Card) int {
		if n := a.Created.Compare(b.Created); n != 0 {
			return n
		}
		return strings.Compare(a.ID, b.ID)
	})
	var facts []fact
	for _, card := range cards {
		facts = append(facts, fact{text: describe(ctx, card), card: &card})
	}
	v, err := person.ReadSettings(ctx, s.store, c.Who)
	return append(facts, settingFacts(wording.In(ctx), v, c.Event.Author.Language)...), err
}

func settingFacts(l wording.Language, v person.Settings, told string) []fact {
	zone := fact{name: "zone", text: l.Text("time zone: UTC, as you have told me none (`/whoami zone NAME`)")}
	if v.Zone != "" {
		zone = fact{name: "zone", text: l.Text("time zone: %s, where it is %s (you told me)", v.Zone, time.Now().In(v.Location()).Format("15:04")),
			undo: func(v *person.Settings) { v.Zone = "" }}
	}
	language := fact{name: "language", text: l.Text("language: the one that you write in")}
	switch {
	case v.Language != "":
		language = fact{name: "language", text: l.Text("language: %s (you told me)", plain(v.Language)), undo: func(v *person.Settings) { v.Language = "" }}
		if !wording.Speaks(v.Language) {
			language.text += l.Text("; what I say by myself, such as this, is in English or Chinese")
		}
	case told != "":
		language.text += l.Text("; the platform says %s", plain(told))
	}
	quiet := fact{name: "quiet", text: l.Text("quiet hours: none (`/whoami quiet 22-7`)")}
	if q := v.Quiet; q != nil {
		quiet = fact{name: "quiet", text: l.Text("quiet hours: %d:00 to %d:00 (you told me)", q.From, q.To), undo: func(v *person.Settings) { v.Quiet = nil }}
	}
	return []fact{zone, language, quiet}
}

// describe is a card with how sure it is and where it comes from.
func describe(ctx context.Context, c memory.Card) string {
	if c.Inferred {
		return wording.Text(ctx, "%s *(%.0f%% sure; %s)*%s", plain(c.Text), 100*c.Confidence, concluded(ctx, c), mark(ctx, c.State))
	}
	said, last := 0, c.Created
	for _, e := range c.Evidence {
		if e.Spoken {
			said++
		}
		if e.At.After(last) {
			last = e.At
		}
	}
	source := wording.Text(ctx, "concluded from our conversation")
	switch {
	case c.Origin > chat.Member && said == 0:
		source = wording.Text(ctx, "from outside our conversation")
	case said > 0:
		source = wording.Text(ctx, "you said so, %d×", said)
	}
	return wording.Text(ctx, "%s *(%.0f%% sure; %s; last %s)*%s", plain(c.Text), 100*c.Confidence, source, last.UTC().Format(wording.Text(ctx, "2 Jan 2006")), mark(ctx, c.State))
}

// shownDays is how many of the days on which something was said are told.
const shownDays = 3

// concluded tells what a card was concluded from.
func concluded(ctx context.Context, c memory.Card) string {
	var days []string
	for _, e := range c.Evidence {
		day := e.At.UTC().Format(wording.Text(ctx, "2 Jan 2006"))
		if place, ok := chat.ParseAddress(e.Place); ok {
			day += wording.Text(ctx, " on %s", place.Platform)
		}
		if e.Against == "" && !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	pro, con := c.Occasions()
	out := wording.Text(ctx, "concluded from what you said, %d×, last %s", pro, strings.Join(days[max(len(days)-shownDays, 0):], ", "))
	if con > 0 {
		out += wording.Text(ctx, "; %d× you said otherwise", con)
	}
	return out
}

const noLine = "There is no line %q; `/whoami` shows the numbers."

// key tells a line from the others, wherever it stands.
func (f fact) key() string {
	if f.card != nil {
		return f.card.ID
	}
	return f.name
}

// line is the fact that a number names.
func (s self) line(ctx context.Context, c Call, number string) (fact, bool, error) {
	facts, err := s.facts(ctx, c)
	if err != nil {
		return fact{}, false, err
	}
	key := ""
	if n, bad := strconv.Atoi(number); bad == nil && n >= 1 && n <= len(facts) {
		key = facts[n-1].key()
	}
	if key == "" && c.Chosen == "" {
		return fact{}, false, nil
	}
	key, _, err = c.Choose(ctx, key)
	if err != nil {
		return fact{}, false, err
	}
	if n := slices.IndexFunc(facts, func(f fact) bool { return f.key() == key }); n >= 0 {
		return facts[n], true, nil
	}
	gone, ok, err := removed(ctx, memory.For(s.store, c.Who), key) // by a run that was cut off
	return fact{card: &gone}, ok, err
}

func (s self) strike(ctx context.Context, c Call, number string) (chat.Post, error) {
	f, ok, err := s.line(ctx, c, number)
	switch {
	case err != nil:
		return chat.Post{}, err
	case !ok:
		return wording.Say(ctx, noLine, plain(number)), nil
	case f.card != nil:
		if _, err := removeOnce(ctx, c, memory.For(s.store, c.Who), *f.card); err != nil {
			return chat.Post{}, err
		}
		if err := s.deleted(ctx, c.Who, *f.card); err != nil {
			return chat.Post{}, err
		}
		return wording.Say(ctx, "Struck: %s\n\n`/memory undo` takes it back.", plain(f.card.Text)), nil
	case f.undo == nil:
		return wording.Say(ctx, "There is nothing to strike: that is only what I do as long as you tell me nothing else."), nil
	}
	return s.set(ctx, c, f.undo)
}

func (s self) confirm(ctx context.Context, c Call, number string) (chat.Post, error) {
	f, ok, err := s.line(ctx, c, number)
	switch {
	case err != nil:
		return chat.Post{}, err
	case !ok:
		return wording.Say(ctx, noLine, plain(number)), nil
	case f.card == nil:
		return wording.Say(ctx, "There is nothing to confirm: you told me yourself."), nil
	}
	if _, err := memory.For(s.store, c.Who).Confirm(ctx, f.card.ID); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "Confirmed: %s\n\n`/memory undo` takes it back.", plain(f.card.Text)), nil
}

func (s self) correct(ctx context.Context, c Call, rest string) (chat.Post, error) {
	number, statement, _ := strings.Cut(rest, " ")
	statement = strings.TrimSpace(statement)
	f, ok, err := s.line(ctx, c, number)
	switch {
	case err != nil:
		return chat.Post{}, err
	case !ok:
		return wording.Say(ctx, noLine, plain(number)), nil
	case statement == "":
		return wording.Say(ctx, whoamiUsage), nil
	case f.card == nil:
		return wording.Say(ctx, "Set that with `/whoami zone NAME`, `/whoami language NAME` or `/whoami quiet 22-7`."), nil
	}
	if refusal := tooLong(ctx, statement); refusal != "" {
		return wording.Say(ctx, "%s", refusal), nil
	}
	if _, err := memory.For(s.store, c.Who).Replace(ctx, f.card.ID, statement, own(c, statement)); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "I believed: %s\n\nI know now: %s\n\n`/memory undo` takes it back.", plain(f.card.Text), plain(statement)), nil
}
