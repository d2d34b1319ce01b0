package propose

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/lesson"
	"talaria/core/learning/outline"
	"talaria/core/memory"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/skill/scan"
	"talaria/core/trace"
)

// statement is a rule as one line.
func (r Rule) statement() string {
	then := strings.Join(strings.Fields(r.Then), " ")
	if when := strings.Join(strings.Fields(r.If), " "); when != "" {
		return when + " → " + then
	}
	return then
}

// Rule takes in a rule that a review found: into the skill that it belongs to
// or a new one, as a card, or nowhere, by how well it is founded. An error is
// trouble of the store; all else is told in the Result. The same rule of the
// same task again changes nothing.
func (p *Proposer) Rule(ctx context.Context, c Case, r Rule) (Result, error) {
	if off, err := learning.Stopped(ctx, p.config.Store, c.Task.Place, c.Task.People()...); err != nil || off {
		return skipped("%s", learning.ErrStopped), err
	}
	r.Kind = cmp.Or(r.Kind, memory.Work)
	words := spoken(c, r.Kind)
	from := origin(c)
	if memory.Said(r.statement(), words) {
		from = chat.Member
	}
	confidence := p.capped(c, r.Confidence)
	switch why := p.unlearnable(c, r, words); {
	case strings.TrimSpace(r.Then) == "" || !utf8.ValidString(r.statement()):
		return skipped("the rule says nothing to do"), nil
	case why != "":
		return skipped("%s", why), nil
	case c.Task.Start == trace.Scheduled && from >= chat.External:
		return skipped("a job that reads outside content teaches nothing"), nil
	case confidence < p.config.Limits.Remember:
		return skipped("too little speaks for it (%.2f)", confidence), nil
	}
	if name, err := p.denies(ctx, c, r); err != nil || name != "" {
		return kept(p.config.In(ctx, c.Who.Person), name), err
	}
	if confidence < p.config.Limits.Revise || from >= chat.External {
		return p.card(ctx, c, r, confidence, from)
	}
	if r.Kind == memory.Profile {
		return p.preference(ctx, c, r, confidence, from)
	}
	res, done, err := p.revise(ctx, c, r, confidence, from)
	if err != nil || done {
		return res, err
	}
	return p.card(ctx, c, r, confidence, from)
}

// unlearnable says why a rule must not be learned, whatever its confidence.
func (p *Proposer) unlearnable(c Case, r Rule, words string) string {
	class := lesson.RefuseRule(r.If, r.Then, c.Observed.Tools...)
	if class == lesson.Narrative && c.Observed.Corrected && memory.Said(r.Then, words) {
		class = "" // a person's own correction tells what was wanted in the past tense too
	}
	if class != "" {
		return "it is " + string(class)
	}
	if failed := neverWorked(c, r.Then); failed != "" {
		return "it is " + string(lesson.Unproven)
	}
	if scan.Scan(scan.Memory, r.statement()).Verdict == scan.Block {
		return "it reads like an attack"
	}
	return ""
}

// preference puts what a person wants onto their shelf and, in their own
// conversation, into the skill that governs the work too.
func (p *Proposer) preference(ctx context.Context, c Case, r Rule, confidence float64, from chat.Origin) (Result, error) {
	res, err := p.card(ctx, c, r, confidence, from)
	if err != nil || !c.Who.Direct {
		return res, err
	}
	g, ok, err := p.governs(ctx, c, r.statement())
	if err != nil || !ok {
		return res, err
	}
	more, err := p.amend(ctx, c, r, g, confidence, from)
	if err != nil {
		return res, err
	}
	if more.Tier != TierSkill {
		res.Line = strings.TrimSpace(res.Line + " " + more.Line)
		return res, nil
	}
	more.Line, more.Undo = strings.Trim(res.Line+" "+more.Line, " "), cmp.Or(res.Undo, more.Undo)
	return more, nil
}

// revise puts a rule into the skill that it belongs to, or into a new one where
// the task passes the gate. It reports false where there is neither.
func (p *Proposer) revise(ctx context.Context, c Case, r Rule, confidence float64, from chat.Origin) (Result, bool, error) {
	g, ok, err := p.governs(ctx, c, r.statement())
	if err != nil {
		return Result{}, false, err
	}
	if ok {
		res, err := p.amend(ctx, c, r, g, confidence, from)
		return res, true, err
	}
	name := className(c, trigger(r))
	if !c.Observed.Gate.Pass || c.Observed.Gate.Update != "" || name == "" || strings.Count(name, "-") == 0 {
		return Result{}, false, nil
	}
	m := manifest.Manifest{Fields: manifest.Fields{
		Name: name, Description: upper(r.statement()), Triggers: []string{r.If}, Body: outline.Add("", outline.Rules, r.statement()),
	}}
	res, err := p.create(ctx, c, m, nil, "a rule that held: "+r.statement(), confidence, from)
	return res, true, err
}

// trigger are the telling words of a rule's trigger, from which a skill can
// have its name.
func trigger(r Rule) string {
	var out []string
	for t := range strings.FieldsFuncSeq(strings.ToLower(r.If), func(c rune) bool { return c < 'a' || c > 'z' }) {
		if telling(t) && !common[t] && !oneOff(t) && len(out) < 4 {
			out = append(out, t)
		}
	}
	return strings.Join(out, "-")
}

// common are words that triggers are made of and that name nothing.
var common = words("when whenever if asks asked ask asking wants want person people somebody someone they them their is are be it has have must should needs need any every all")

func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(first)) + s[size:]
}

// amend writes a rule into a skill. What the skill says already is not said
// again: if it did not surface, its triggers are widened instead.
func (p *Proposer) amend(ctx context.Context, c Case, r Rule, g governing, confidence float64, from chat.Origin) (Result, error) {
	texts, err := p.versions(ctx, c.Who, g.skill)
	if err != nil || len(texts) == 0 {
		return skipped("%s has no text to change", g.skill.Name), err
	}
	at := texts[0]
	m, _, err := at.files.Manifest(g.skill.Name)
	if err != nil {
		return skipped("%s can't be read", g.skill.Name), nil
	}
	point, known := tells(m.Body, r)
	next, reason := m.Bytes(), "a rule that held: "+r.statement()
	switch {
	case known && at.number > 0: // the draft that waits has it; once more, it joins that
	case known && g.used: // what was said after it prevailed
		next = withBody(m, outline.Last(m.Body, outline.Rules, point))
	case known:
		reason = "it was not found when it was needed: " + short(c.Task.Request)
		next = widened(m, r.If)
	default:
		next = withBody(m, outline.Add(m.Body, outline.Rules, r.statement()))
	}
	if next == nil {
		return skipped("%s says so already", g.skill.Name), nil
	}
	files := maps.Clone(at.files)
	files[manifest.MainFile] = next
	return p.propose(ctx, c, skill.Proposal{
		Ref: g.skill.Ref.At(0), Files: files, Base: at.base, Reason: reason, Origin: from,
	}, confidence)
}

// tells finds the point of a skill's body that says what a rule does.
func tells(body string, r Rule) (string, bool) {
	points := outline.Items(body)
	n := slices.IndexFunc(points, func(point string) bool {
		return repeats(point, r.statement()) || repeats(point, r.Then)
	})
	if n < 0 {
		return "", false
	}
	return points[n], true
}
