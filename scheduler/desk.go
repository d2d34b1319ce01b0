package scheduler

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
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

// Refusal returns the words for an error that is an answer to the person;
// empty for any other.
func Refusal(err error) string {
	if u, ok := errors.AsType[*when.Unclear](err); ok {
		text := u.Reason
		for _, s := range u.Suggestions {
			text += "\n- " + s
		}
		return text
	}
	if bad, ok := errors.AsType[*BadRuleError](err); ok {
		return bad.Text
	}
	for _, known := range []error{ErrNoJob, ErrTooMany, ErrTooOften, ErrNever, ErrNoWords, ErrBriefing, ErrCommand, ErrTooLong, ErrNoRight, ErrExternal, ErrIsOver, ErrRunning} {
		if errors.Is(err, known) {
			return strings.ToUpper(err.Error()[:1]) + err.Error()[1:] + "."
		}
	}
	return ""
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
	} else if say {
		o.Prompt, o.Say = "", o.Prompt
	} else if briefs.MatchString(o.Prompt) {
		return "", ErrBriefing
	}
	j, err := d.Add(ctx, o)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(readBack(j, now) + "\n" + j.Rules.Text()), nil
}

// briefs are requests for a briefing that say nothing of what is to be in it.
var briefs = regexp.MustCompile(`(?i)^(?:please\s+)?(?:(?:give|send|bring|show)\s+(?:me|us)\s+)?(?:an?\s+|my\s+|the\s+|our\s+)?` +
	`(?:daily\s+|morning\s+|evening\s+|short\s+)?briefing(?:\s+please)?[.!]?$|^请?(?:给|发|为)?(?:我|我们)?(?:发|做|来)?(?:一?[份个])?(?:每日|早间|晚间)?简报[。！]?$`)

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

// readBack says a job back with its next three times, so that a
// misunderstanding shows at once.
func readBack(j Job, now time.Time) string {
	lang := when.Language(j.Text())
	var times []string
	for _, t := range j.Schedule.Upcoming(now, 3) {
		times = append(times, stamp(t, lang))
	}
	format := "Job `%s`: %s.\nNext: %s.\nIt will %s: %s"
	does := "work on this and tell you"
	if j.Say != "" {
		does = "say"
	}
	if lang == when.Chinese {
		format, does = "任务 `%s`：%s。\n接下来：%s。\n到时会%s：%s", "处理并告诉你"
		if j.Say != "" {
			does = "说"
		}
	}
	return fmt.Sprintf(format, j.ID, j.times(lang), strings.Join(times, ", "), does, j.Text())
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
	return strings.TrimSpace(readBack(j, now) + "\n" + j.Rules.Text()), nil
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
			return nil, &BadRuleError{fmt.Sprintf("%q is no target; there are here and dm", name)}
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
	if len(list) == 0 {
		return "There are no jobs of yours here.", nil
	}
	var b strings.Builder
	for _, j := range list {
		fmt.Fprintf(&b, "- %s\n", j.Line())
	}
	return strings.TrimSpace(b.String()), nil
}

// Cancel deletes a job and says which it was.
func (d Desk) Cancel(ctx context.Context, id string) (string, error) {
	j, err := d.Delete(ctx, id)
	if err != nil {
		return "", err
	}
	return "Deleted: " + j.Line(), nil
}

// Line is a job in one line of Markdown.
func (j Job) Line() string {
	lang := when.Language(j.Text())
	state := "next " + stamp(j.local(j.Next), lang)
	switch {
	case j.Over:
		state = "over"
	case j.Paused && j.Why != "":
		state = "paused: " + j.Why
	case j.Paused:
		state = "paused"
	}
	return fmt.Sprintf("`%s` %s, %s: %s", j.ID, j.times(lang), state, cut(strings.Join(strings.Fields(j.Text()), " "), 120))
}

// Story is a job with what became of its runs, the latest first.
func (j Job) Story() string {
	var b strings.Builder
	b.WriteString(j.Line())
	if rules := j.Rules.Text(); rules != "" {
		b.WriteString("\n" + rules)
	}
	for _, t := range j.Targets {
		where := "your direct conversation"
		if t.Place != (chat.Address{}) {
			where = t.Place.String()
		}
		if t.Dead != "" {
			where += " (" + t.Dead + ")"
		}
		b.WriteString("\nto " + where)
	}
	fmt.Fprintf(&b, "\n%d runs", j.Runs)
	for n := len(j.History) - 1; n >= 0; n-- {
		b.WriteString("\n- " + j.entry(j.History[n]))
	}
	return b.String()
}

// entry is one line of the history.
func (j *Job) entry(r Run) string {
	text := stamp(j.local(r.At), when.English)
	if r.Count > 1 {
		text += fmt.Sprintf(" to %s (%d slots)", stamp(j.local(r.Last), when.English), r.Count)
	}
	text += ": " + string(r.State)
	if r.Why != "" {
		text += ", " + r.Why
	}
	if r.Late > 0 {
		text += fmt.Sprintf(", %s late", r.Late.Round(time.Minute))
	}
	for _, d := range r.Stops {
		text += join(" ·", d.text())
	}
	return text
}

func (d Delivery) text() string {
	state := d.State
	switch {
	case d.Moved:
		state = "not delivered; it went to you"
	case d.Error != "":
		state += " (" + d.Error + ")"
	}
	if d.Tokens > 0 {
		state = join(state, fmt.Sprintf("%d tokens", d.Tokens))
	}
	if d.Output != "" {
		state = join(state, "“"+cut(strings.Join(strings.Fields(d.Output), " "), 80)+"”")
	}
	return state
}
