package scheduler

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/scheduler/when"
)

// Desk is a Handle for words: it takes schedules as people say them and
// answers in Markdown. Chat commands, the model's tools and the shell speak
// through it.
type Desk struct {
	Handle
	Zone *time.Location // the person's
}

// Desk binds the scheduler to a principal and their time zone.
func (s *Scheduler) Desk(ctx context.Context, who person.Principal) (Desk, error) {
	settings, err := person.ReadSettings(ctx, s.cfg.Store, who)
	if err != nil {
		return Desk{}, err
	}
	zone := settings.Location()
	if settings.Zone == "" {
		zone = s.cfg.Zone
	}
	return Desk{s.For(who), zone}, nil
}

// Refusal returns the words for an error that is an answer to the person, in
// their language but for a schedule that is unclear: that is answered in the
// language of the schedule. Empty for any other error.
func Refusal(t Tongue, err error) string {
	if u, ok := errors.AsType[*when.Unclear](err); ok {
		text := u.Reason
		for _, s := range u.Suggestions {
			text += "\n- " + s
		}
		return text
	}
	if a, ok := errors.AsType[*AnswerError](err); ok {
		return t.Text(a.Format, a.Args...)
	}
	for _, known := range []error{ErrNoJob, ErrTooMany, ErrTooOften, ErrNever, ErrNoWords, ErrBriefing, ErrCommand, ErrTooLong, ErrNoRight, ErrExternal, ErrIsOver, ErrRunning} {
		if errors.Is(err, known) {
			return t.Text("%s.", capital(t.Of(known.Error())))
		}
	}
	return ""
}

// capital is a text that begins with a capital letter, where it has one.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Create makes a job of a schedule in words and of what is then said, or done.
// Without a phrase the schedule is looked for in the text, as in "every Friday
// at 5 remind me to send the report", and what is a mere reminder is said. The
// key is of the request: the same again makes no second job. Words whose
// origin is External make none.
func (d Desk) Create(ctx context.Context, key, phrase, text string, say bool, origin chat.Origin) (string, error) {
	if origin >= chat.External {
		return "", ErrExternal
	}
	now, err := d.s.cfg.Store.Now(ctx)
	if err != nil {
		return "", err
	}
	said, rules := text, Rules{}
	if !say && !reminds.MatchString(text) {
		if text, err = d.used(ctx, text, &rules); err != nil {
			return "", err
		}
	}
	o := Order{Key: key, Origin: origin, Prompt: text}
	if phrase == "" {
		o.Schedule, o.Prompt, err = d.found(text, now)
	} else {
		o.Schedule, err = when.Parse(phrase, d.Zone, now)
	}
	if err != nil {
		return "", err
	}
	o.Rules = Defaults(o.Schedule.Kind == when.Once)
	o.Rules.Use = rules.Use
	if r := reminder(said, o.Prompt); r != "" {
		o.Prompt, o.Say = "", r
	} else if briefs.MatchString(o.Prompt) {
		return d.brief(ctx, o)
	} else if say {
		o.Prompt, o.Say = "", o.Prompt
	}
	j, err := d.Add(ctx, o)
	if err != nil {
		return "", err
	}
	return d.told(ctx, j, now), nil
}

// brief sets up the briefing that an order asks for. One that comes once is no
// schedule of one.
func (d Desk) brief(ctx context.Context, o Order) (string, error) {
	if d.s.cfg.Brief == nil || o.Schedule.Kind == when.Once {
		return "", ErrBriefing
	}
	return d.s.cfg.Brief(ctx, d.who, o.Key, o.Schedule)
}

// briefs are requests for a briefing that say nothing of what is to be in it.
var briefs = regexp.MustCompile(`(?i)^(?:please\s+)?(?:(?:give|send|bring|show)\s+(?:me|us)\s+)?(?:an?\s+|my\s+|the\s+|our\s+)?` +
	`(?:daily\s+|morning\s+|evening\s+|short\s+)?briefing(?:\s+please)?[.!]?$|^(?:please\s+)?brief\s+(?:me|us)[.!]?$|` +
	`^请?(?:给|发|为|向)?(?:我|我们|大家)?(?:发|做|来|推送)?(?:一?[份个])?(?:每日|早间|晚间|日常)?简报(?:给(?:我|我们|大家))?[。！]?$`)

// found takes the schedule out of a sentence, or off its beginning where it is
// a line of cron.
func (d Desk) found(sentence string, now time.Time) (when.Schedule, string, error) {
	if m := cronFirst.FindStringSubmatch(sentence); m != nil {
		s, err := when.Parse(m[1], d.Zone, now)
		return s, m[2], err
	}
	s, rest, ok := when.Find(sentence, d.Zone, now)
	if ok {
		return s, rest, nil
	}
	if _, err := when.Parse(sentence, d.Zone, now); err != nil {
		return s, "", d.begun(sentence, now, err)
	}
	return s, "", ErrNoWords
}

// begun is what is wrong with the time that a sentence begins with, as in "30m
// drink", where there is one, else the error given.
func (d Desk) begun(sentence string, now time.Time, otherwise error) error {
	if u, ok := errors.AsType[*when.Unclear](otherwise); !ok || u.Cause != when.NotATime {
		return otherwise
	}
	const most = 12 // words of a schedule
	words := strings.Fields(sentence)
	for n := min(len(words)-1, most); n > 0; n-- {
		_, err := when.Parse(strings.Join(words[:n], " "), d.Zone, now)
		if u, ok := errors.AsType[*when.Unclear](err); ok && u.Cause != when.NotATime {
			return err
		}
	}
	return otherwise
}

var (
	cronFirst = regexp.MustCompile(`(?s)^((?:[\d*][\d*/,-]*\s+){2}[\d*L][\d*/,LW-]*\s+[\d*A-Z][\dA-Z*/,-]*\s+[\d*A-Z][\dA-Z*/,#-]*)\s+(.+)$`)
	// reminds asks for mere words at a time; what is to be said may stand
	// behind it still.
	reminds = regexp.MustCompile(`(?i)\bremind\s+(?:me|us)\b|提醒(?:一下)?(?:我|我们|大家)`)
	lead    = regexp.MustCompile(`(?i)^(?:please\s+)?remind\s+(?:me|us)(?:\s+(?:to|that|about|of))?[\s:,]+|^请?提醒(?:一下)?(?:我们|我|大家)[:：,，]?\s*`)
)

// reminder is what to say where a request is a mere reminder, empty for others.
func reminder(request, task string) string {
	if !reminds.MatchString(request) {
		return ""
	}
	task = strings.TrimSpace(lead.ReplaceAllString(strings.TrimSpace(task), ""))
	if when.Language(task) == when.Chinese {
		return "提醒：" + task
	}
	return "Reminder: " + task
}

// told says a job back with its rules.
func (d Desk) told(ctx context.Context, j Job, now time.Time) string {
	t := d.s.in(ctx)
	return strings.TrimSpace(readBack(t, j, now) + "\n" + j.Rules.Text(t))
}

// readBack says a job back with its next three times, so that a
// misunderstanding shows at once.
func readBack(t Tongue, j Job, now time.Time) string {
	format := "Job `%s`: %s.\nNext: %s.\nIt will work on this and tell you: %s"
	if j.Say != "" {
		format = "Job `%s`: %s.\nNext: %s.\nIt will say: %s"
	}
	return t.Text(format, j.ID, j.times(t.Code()), Upcoming(t, j.Schedule, now), j.Text())
}

// Upcoming are the next three times of a schedule, in words.
func Upcoming(t Tongue, s when.Schedule, now time.Time) string {
	var times []string
	for _, at := range s.Upcoming(now, 3) {
		times = append(times, stamp(at, t.Code()))
	}
	return strings.Join(times, ", ")
}

// times is the job's schedule in words, with its zone.
func (j *Job) times(lang string) string {
	text := j.Schedule.Text(lang)
	if strings.Contains(text, j.Schedule.Zone) {
		return text
	}
	return text + " (" + j.Schedule.Zone + ")"
}

func stamp(t time.Time, lang string) string {
	if lang == when.Chinese {
		day := []string{"日", "一", "二", "三", "四", "五", "六"}[t.Weekday()]
		return t.Format("2006-01-02") + " 周" + day + t.Format(" 15:04")
	}
	return t.Format("Mon 2 Jan 2006 15:04")
}

// Set changes one thing about a job: when, text, to, or a rule by its name.
func (d Desk) Set(ctx context.Context, id, name, value string) (string, error) {
	j, err := d.Get(ctx, id)
	if err != nil {
		return "", err
	}
	now, err := d.s.cfg.Store.Now(ctx)
	if err != nil {
		return "", err
	}
	c, err := d.change(&j, name, strings.TrimSpace(value), now)
	if err != nil {
		return "", err
	}
	if j, err = d.Edit(ctx, id, c); err != nil {
		return "", err
	}
	return d.told(ctx, j, now), nil
}

// change reads what Set is given.
func (d Desk) change(j *Job, name, value string, now time.Time) (c Change, err error) {
	switch name {
	case "when":
		c.Schedule, err = when.Parse(value, d.Zone, now)
	case "text":
		c.Origin = chat.Member
		if c.Say = value; j.Say == "" {
			c.Say, c.Prompt = "", value
		}
	case "to":
		c.Targets, err = d.targets(words(value))
	default:
		rules := j.Rules
		err = rules.Set(name, value)
		c.Rules = &rules
	}
	return c, err
}

// targets reads "here", "dm", or both.
func (d Desk) targets(names []string) (out []Target, err error) {
	for _, name := range names {
		switch name {
		case "here":
			out = append(out, Target{Place: d.who.Place, Direct: d.who.Direct})
		case "dm":
			out = append(out, Target{})
		default:
			return nil, refused("%q is no target; there are here and dm", name)
		}
	}
	return out, nil
}

// Lines lists the principal's jobs, one a line.
func (d Desk) Lines(ctx context.Context) (string, error) {
	list, err := d.List(ctx)
	if err != nil {
		return "", err
	}
	t := d.s.in(ctx)
	if len(list) == 0 {
		return t.Text("There are no jobs of yours here."), nil
	}
	var b strings.Builder
	for _, j := range list {
		fmt.Fprintf(&b, "- %s\n", j.Line(t))
	}
	return strings.TrimSpace(b.String()), nil
}

// Cancel deletes a job and says which it was.
func (d Desk) Cancel(ctx context.Context, id string) (string, error) {
	j, err := d.Get(ctx, id) // as it was: a job is held up before it is deleted
	if err == nil {
		_, err = d.Delete(ctx, id)
	}
	if err != nil {
		return "", err
	}
	t := d.s.in(ctx)
	return t.Text("Deleted: %s", j.Line(t)), nil
}

// Line is a job in one line of Markdown.
func (j Job) Line(t Tongue) string {
	state := t.Text("next %s", stamp(j.local(j.Next), t.Code()))
	switch {
	case j.Over:
		state = t.Text("over")
	case j.Paused && j.Why != "":
		state = t.Text("paused: %s", t.Of(j.Why))
	case j.Paused:
		state = t.Text("paused")
	}
	return t.Text("`%s` %s, %s: %s", j.ID, j.times(t.Code()), state, text.Clip(strings.Join(strings.Fields(j.Text()), " "), 120))
}

// Story is a job with what became of its runs, the latest first.
func (j Job) Story(t Tongue) string {
	var b strings.Builder
	b.WriteString(j.Line(t))
	if rules := j.Rules.Text(t); rules != "" {
		b.WriteString("\n" + rules)
	}
	for _, to := range j.Targets {
		where := t.Text("your direct conversation")
		if to.Place != (chat.Address{}) && !to.Direct {
			where = to.Place.String()
		}
		if to.Dead != "" {
			where += " (" + t.Of(to.Dead) + ")"
		}
		b.WriteString("\n" + t.Text("to %s", where))
	}
	b.WriteString("\n" + t.Text("runs: %d", j.Runs))
	for n := len(j.History) - 1; n >= 0; n-- {
		b.WriteString("\n- " + j.entry(t, j.History[n]))
	}
	return b.String()
}

// entry is one line of the history.
func (j *Job) entry(t Tongue, r Run) string {
	text := stamp(j.local(r.At), t.Code())
	if r.Count > 1 {
		text = t.Text("%s to %s (%d slots)", text, stamp(j.local(r.Last), t.Code()), r.Count)
	}
	text += ": " + t.Of(string(r.State))
	if window, ok := strings.CutPrefix(r.Why, missedBy); ok {
		text += t.Text(", missed by more than %s", window)
	} else if r.Why != "" {
		text += ", " + t.Of(r.Why)
	}
	if r.Late > 0 {
		text += t.Text(", %s late", r.Late.Round(time.Minute))
	}
	for _, d := range r.Stops {
		text += join(" ·", d.text(t))
	}
	return text
}

func (d Delivery) text(t Tongue) string {
	state := t.Of(d.State)
	switch {
	case d.Moved:
		state = t.Text("not delivered; it went to you")
	case d.Error != "":
		state += " (" + d.Error + ")"
	}
	if d.Tokens > 0 {
		state = join(state, t.Text("%d tokens", d.Tokens))
	}
	if d.Output != "" {
		state = join(state, "“"+text.Clip(strings.Join(strings.Fields(d.Output), " "), 80)+"”")
	}
	return state
}
