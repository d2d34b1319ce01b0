package when

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

// longestPhrase is more than any schedule needs, in bytes.
const longestPhrase = 1000

// Parse reads a phrase that is a schedule, in English, in Chinese or in cron. A
// reminder around it ("remind me ... to ...") is passed over. The error, if
// any, is an [*Unclear]. What the phrase leaves open is taken in the zone given
// and at the time given.
func Parse(phrase string, zone *time.Location, now time.Time) (Schedule, error) {
	s, unclear := parse(phrase, zone, now)
	if unclear != nil {
		return Schedule{}, unclear
	}
	return s, nil
}

func parse(phrase string, zone *time.Location, now time.Time) (Schedule, *Unclear) {
	r := reader{lang: Language(phrase), zone: zone, now: now.In(zone)}
	if len(phrase) > longestPhrase {
		return Schedule{}, unclear(NotATime, r.lang, "That is too long for a schedule.", "太长了，不像是时间。")
	}
	f := fold(strings.TrimSpace(phrase))
	if s, u, ok := r.cron(strings.TrimSpace(phrase)); ok {
		return s, u
	}
	s, u := r.phrase(f.text)
	if u == nil || u.Cause != NotATime {
		return s, u
	}
	corrected, sure, ok := correct(f)
	if !ok {
		return Schedule{}, u
	}
	if s, u = r.phrase(corrected.text); u == nil && !sure {
		return Schedule{}, r.askBack(corrected.text)
	}
	return s, u
}

// askBack asks whether a text was meant that differs too much to be taken for
// what was written.
func (r reader) askBack(text string) *Unclear {
	return unclear(Ambiguous, r.lang, "Did you mean “%s”?", "你是说“%s”吗？", text).suggest(text)
}

// reader reads phrases that were said in a zone at a time.
type reader struct {
	lang string
	zone *time.Location
	now  time.Time // in zone
}

// phrase reads a folded text that is a schedule, or a reminder with one.
func (r reader) phrase(text string) (Schedule, *Unclear) {
	pieces := scan(text, true)
	all := runs(text, pieces)
	if len(all) == 0 {
		return Schedule{}, r.nothing("")
	}
	before, after := strings.TrimSpace(text[:all[0].from()]), strings.TrimSpace(text[all[0].to():])
	before = strings.TrimSpace(unknown(before))
	opening, closing := openings.MatchString(before), closings.MatchString(after) && !refusals.MatchString(after)
	switch {
	case before == "" && strings.TrimSpace(unknown(after)) == "" && len(all) == 1:
		return r.run(all[0])
	case before == "" && !opening && len(all) > 1 && looseTail.MatchString(after) && !introduced.MatchString(after):
		return Schedule{}, r.several()
	case (before == "" || opening) && (after == "" || closing || opening):
		s, _, u := r.best(all)
		return s, u
	}
	for _, run := range all { // what is wrong by itself says more than what is unknown
		if d := run.draft(r.draft()); d.fault != nil {
			return Schedule{}, d.fault
		}
	}
	return Schedule{}, r.nothing(unknown(text))
}

// several asks to keep to one schedule.
func (r reader) several() *Unclear {
	d := r.draft()
	d.fail(Ambiguous, "That names several times; please say one schedule at once.", "说了不止一个时间，请一次只说一个。")
	d.suggest("every day at 09:00 and 18:00", "每天9点和18点")
	return d.fault
}

// unknown is what is left of a text without the parts of a schedule.
func unknown(text string) string {
	var left strings.Builder
	at := 0
	for _, p := range scan(text, true) {
		left.WriteString(text[at:p.from])
		at = p.to
	}
	return strings.Join(strings.Fields(left.String()+text[at:]), " ")
}

var (
	// openings are what may stand before a schedule, closings what may follow.
	openings = regexp.MustCompile(`^(?:(?:please|can you|could you|would you|i want you to|set a reminder|schedule|,) ?)*(?:remind|tell|ping|notify|message|alert|nudge|send|wake|call|give|post|run|check)\b|^(?:please|remind|set|schedule)|^(?:请|麻烦|帮|记得|给我)*(?:提醒|叫|通知|喊|告诉|让|帮我|给我|记得|设|定|安排)`)
	closings = regexp.MustCompile(`^[\s,;:.!-]*(?:(?:and|then|please) )*(?:to|that|about|remind|tell|ping|notify|send|wake)\b|^[\s,.]*\p{Han}`)
	// looseTail is a task that no word introduces.
	looseTail  = regexp.MustCompile(`^[\s,.]*\p{Han}`)
	introduced = regexp.MustCompile(`^[\s,.]*(?:请|麻烦|帮我|记得)*(?:提醒|叫|通知|喊|告诉|让|记得)`)
	// refusals are closings that change what was said before.
	refusals = regexp.MustCompile(`^(?:之?前|以前|之?后|以后|如果|要是|假如|除|直到|到|至|的话|或|还是|不|前后|那天|上下|结束$|截止$)`)
)

// run reads a run of parts.
func (r reader) run(parts run) (Schedule, *Unclear) {
	if clauses := parts.clauses(); clauses != nil {
		return r.clauses(clauses)
	}
	return parts.draft(r.draft()).schedule()
}

func (r reader) draft() *draft { return &draft{lang: r.lang, now: r.now, zone: r.zone} }

// nothing tells that no schedule was seen, or what was not understood in it.
func (r reader) nothing(unknown string) *Unclear {
	d := r.draft()
	if unknown == "" {
		d.unclocked()
		return d.fault
	}
	if words := []rune(unknown); len(words) > 40 {
		unknown = string(words[:40]) + "…"
	}
	d.fail(NotATime, "I do not understand %q in that.", "没有看懂“%s”。", unknown)
	d.suggest("tomorrow at 09:00", "every Monday at 09:00", "in 20 minutes", "明天上午九点", "每周一上午九点", "20分钟后")
	return d.fault
}

var cronLike = regexp.MustCompile(`^[0-9*?/,-]+\s+[0-9*?/,-]+\s+[0-9*?/,LW-]+(?:\s+[0-9A-Za-z*?/,#-]+)+$`)

// cron reads a phrase that is cron; it is not ok where it is not like cron.
func (r reader) cron(phrase string) (Schedule, *Unclear, bool) {
	zone := r.zone
	for _, prefix := range []string{"CRON_TZ=", "TZ="} {
		rest, ok := strings.CutPrefix(phrase, prefix)
		if !ok {
			continue
		}
		name, line, _ := strings.Cut(rest, " ")
		found, err := loadZone(name)
		if err != nil || name == "" || name == "Local" {
			return Schedule{}, unclear(Impossible, r.lang, "I know no time zone %q.", "没有“%s”这个时区。", name), true
		}
		zone, phrase = found, strings.TrimSpace(line)
		if !cronLike.MatchString(phrase) && !strings.HasPrefix(phrase, "@") {
			return Schedule{}, r.badCron(errors.New("no line of cron follows the zone")), true
		}
	}
	lower := strings.ToLower(phrase)
	if text, ok := descriptors[lower]; ok {
		phrase = text
	} else if length, ok := strings.CutPrefix(lower, "@every "); ok {
		s, u := r.every(length)
		return s, u, true
	} else if strings.HasPrefix(lower, "@") && !strings.ContainsAny(lower, " 0123456789") {
		return Schedule{}, r.badCron(errors.New("that is no time")), true
	}
	if !cronLike.MatchString(phrase) {
		return Schedule{}, nil, false
	}
	if _, err := parseCron(phrase); err != nil {
		return Schedule{}, r.badCron(err), true
	}
	s := Schedule{Kind: Recurring, Zone: zoneName(zone, r.now), Cron: []string{strings.Join(strings.Fields(phrase), " ")}}
	if _, ok := s.Next(r.now); !ok {
		return Schedule{}, unclear(Impossible, r.lang, "No day is like that.", "没有这样的日子。"), true
	}
	return s, nil, true
}

func (r reader) badCron(err error) *Unclear {
	u := unclear(Impossible, r.lang, "That line of cron cannot be: %v.", "这行 cron 不成立：%v。", err)
	return u.suggest("0 9 * * *", "*/15 * * * *", "0 9 * * 1-5")
}

// every reads @every with a duration as Go writes it.
func (r reader) every(text string) (Schedule, *Unclear) {
	length, err := time.ParseDuration(strings.TrimSpace(text))
	switch {
	case err != nil || length <= 0:
		return Schedule{}, r.badCron(errors.New("@every needs a duration such as 90m"))
	case length < time.Minute:
		return Schedule{}, unclear(TooFrequent, r.lang, "Once a minute is the most often I can do.", "最频繁只能每分钟一次。").suggest("every minute")
	}
	return Schedule{Kind: Recurring, Zone: zoneName(r.zone, r.now), EverySeconds: int64(length / time.Second), From: r.now}, nil
}
