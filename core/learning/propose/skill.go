package propose

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"talaria/core/chat"
	"talaria/core/learning"
	"talaria/core/learning/lesson"
	"talaria/core/learning/outline"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/core/trace"
)

// Skill takes in a change of a skill, or a new one, that a review wrote. The
// gate of the task decides about new ones, whatever the confidence, which
// stands on the draft. An error is trouble of the store; all else is told in
// the Result.
func (p *Proposer) Skill(ctx context.Context, c Case, d Draft) (Result, error) {
	if off, err := learning.Stopped(ctx, p.config.Store, c.Task.Place, c.Task.People()...); err != nil || off {
		return skipped("%s", learning.ErrStopped), err
	}
	from := origin(c)
	confidence := p.capped(c, d.Confidence)
	switch {
	case len(d.Changes) == 0:
		return skipped("no change was given"), nil
	case c.Task.Start == trace.Scheduled && from >= chat.External:
		return skipped("a job that reads outside content teaches nothing"), nil
	case d.Changes[0].Action == edit.Create:
		return p.fresh(ctx, c, d, confidence, from)
	}
	return p.changed(ctx, c, d, confidence, from)
}

// fresh takes in a skill that is to be new.
func (p *Proposer) fresh(ctx context.Context, c Case, d Draft, confidence float64, from chat.Origin) (Result, error) {
	if !c.Observed.Success || !c.Observed.Gate.Pass {
		return skipped("no new skill of this task: %s", c.Observed.Gate.Reason), nil
	}
	files, err := edit.Apply(nil, d.Changes)
	if err != nil {
		return skipped("%s", err), nil
	}
	m, _, err := files.Manifest(d.Name)
	if err != nil {
		return skipped("%s", err), nil
	}
	name := className(c, m.Name)
	if name == "" {
		return skipped("the name %q fits this one task only", short(m.Name)), nil
	}
	m.Name = name
	if why := unlearnableText(c, m.Description, files); why != "" {
		return skipped("%s", why), nil
	}
	delete(files, manifest.MainFile)
	return p.create(ctx, c, m, files, d.Reason, confidence, from)
}

// create proposes a new skill, unless there is one that it belongs to: of the
// same thing it becomes an update, of an alike one a support file.
func (p *Proposer) create(ctx context.Context, c Case, m manifest.Manifest, files manifest.Bundle, reason string, confidence float64, from chat.Origin) (Result, error) {
	near, alike, err := p.nearest(ctx, c.Who, m)
	if err != nil {
		return Result{}, err
	}
	if covering, ok, err := p.own(ctx, c.Who, c.Observed.Gate.Update); err != nil {
		return Result{}, err
	} else if ok {
		near, alike = covering, 1
	}
	same := alike >= p.config.Limits.Same
	if same || alike >= p.config.Limits.Alike && near.Live() {
		return p.into(ctx, c, near, m, files, same, proposal{reason, confidence, from})
	}
	if wait, err := p.untried(ctx, c); err != nil || wait {
		return kept(p.config.In(ctx, c.Who.Person), ""), err
	}
	next := manifest.Bundle{manifest.MainFile: p.complete(c, m, from)}
	maps.Copy(next, files)
	if ok, err := p.spend(ctx, c.Who, p.skills); err != nil || !ok {
		return skipped("today's new skills are used up here; it waits in the report"), err
	}
	return p.propose(ctx, c, skill.Proposal{
		Ref: skill.Ref{Scope: skill.Here(c.Who), Name: m.Name}, Files: next, Reason: reason, Origin: from,
	}, confidence)
}

// proposal is what stands on every draft of one proposal.
type proposal struct {
	reason     string
	confidence float64
	from       chat.Origin
}

// into brings what would have been a new skill into one that there is. A draft
// that waits unchanged gets the new evidence, unless the work was corrected: then
// the newer text is the better one.
func (p *Proposer) into(ctx context.Context, c Case, s skill.Skill, m manifest.Manifest, files manifest.Bundle, same bool, of proposal) (Result, error) {
	texts, err := p.versions(ctx, c.Who, s)
	if err != nil {
		return Result{}, err
	}
	if len(texts) == 0 {
		return p.again(ctx, c, s, m, files, of)
	}
	at := texts[0]
	have, _, err := at.files.Manifest(s.Name)
	if err != nil {
		return skipped("%s covers it, and can't be read", s.Name), nil
	}
	next := maps.Clone(at.files)
	switch {
	case s.InForce == 0 && !outline.Has(m.Body, outline.Steps): // a rule alone; the way is in the draft
		if more := withBody(have, merged(have.Body, m.Body)); more != nil {
			next[manifest.MainFile] = more
		}
	case s.InForce == 0 && c.Observed.Corrected:
		m.Name = s.Name
		next = manifest.Bundle{manifest.MainFile: p.complete(c, m, of.from)}
		maps.Copy(next, files)
	case s.InForce == 0: // as it waits
	case same:
		if next[manifest.MainFile] = withBody(have, merged(have.Body, m.Body)); next[manifest.MainFile] == nil {
			return skipped("%s says all of it already", s.Name), nil
		}
	default:
		file := path.Join("references", m.Name+".md")
		if next[manifest.MainFile] = withBody(have, outline.Add(have.Body, outline.Related, "`"+file+"`: "+m.Description)); next[file] != nil || next[manifest.MainFile] == nil {
			return skipped("%s has %s already", s.Name, file), nil
		}
		next[file] = []byte("# " + m.Description + "\n\n" + m.Body)
	}
	return p.propose(ctx, c, skill.Proposal{Ref: s.Ref.At(0), Files: next, Base: at.base, Reason: of.reason, Origin: of.from}, of.confidence)
}

// again proposes a skill anew of which only decided or expired drafts are left.
func (p *Proposer) again(ctx context.Context, c Case, s skill.Skill, m manifest.Manifest, files manifest.Bundle, of proposal) (Result, error) {
	m.Name = s.Name
	next := manifest.Bundle{manifest.MainFile: p.complete(c, m, of.from)}
	maps.Copy(next, files)
	return p.propose(ctx, c, skill.Proposal{Ref: s.Ref.At(0), Files: next, Reason: of.reason, Origin: of.from}, of.confidence)
}

// merged is a body with the points of another one that it does not make, each
// in its part. Steps are not mixed: their order is somebody's.
func merged(have, more string) string {
	points := outline.Items(have)
	for _, s := range outline.Read(more) {
		if s.Part == "" || s.Part == outline.Steps || s.Part == outline.When {
			continue
		}
		for _, point := range outline.Items(strings.Join(s.Lines, "\n")) {
			known := slices.ContainsFunc(points, func(x string) bool { return repeats(x, point) })
			if !known {
				have, points = outline.Add(have, s.Part, point), append(points, point)
			}
		}
	}
	return have
}

// changed takes in a change of a skill. It has to be a skill of this work.
func (p *Proposer) changed(ctx context.Context, c Case, d Draft, confidence float64, from chat.Origin) (Result, error) {
	s, ok, err := p.target(ctx, c, d)
	if err != nil || !ok {
		return skipped("%s is no skill of this work that could be changed here", short(d.Name)), err
	}
	if s.InForce == 0 && !c.Observed.Success && !c.Observed.Corrected {
		return skipped("a task without success speaks for no draft that waits: %s", c.Observed.Why), nil
	}
	texts, err := p.versions(ctx, c.Who, s)
	if err != nil {
		return Result{}, err
	}
	var files manifest.Bundle
	var at version
	err = errors.New("it has no text to change")
	for _, at = range texts { // the change was written against one of them
		if files, err = edit.Apply(at.files, d.Changes); err == nil {
			break
		}
	}
	if err != nil {
		return skipped("%s: %s", s.Name, err), nil
	}
	if why := unlearnableText(c, "", added(at.files, files)); why != "" {
		return skipped("%s", why), nil
	}
	return p.propose(ctx, c, skill.Proposal{Ref: s.Ref.At(0), Files: files, Base: at.base, Reason: d.Reason, Origin: from}, confidence)
}

// target is the skill that a change means, if it was in use or covers the work,
// or is a draft of the bot's that waits.
func (p *Proposer) target(ctx context.Context, c Case, d Draft) (skill.Skill, bool, error) {
	s, err := p.config.Library.Find(ctx, c.Who, d.Name)
	if errors.Is(err, skill.ErrNotFound) || errors.Is(err, skill.ErrInvalid) {
		return skill.Skill{}, false, nil
	}
	if err != nil {
		return skill.Skill{}, false, fmt.Errorf("look for %q: %w", d.Name, err)
	}
	if s.Scope != skill.Here(c.Who) || s.CreatedBy == skill.ByExternal {
		return s, false, nil
	}
	if s.InForce == 0 {
		return s, !protected(s), nil
	}
	used := slices.ContainsFunc(c.Task.Skills, func(u trace.Use) bool { return u.Skill == s.Name })
	if used {
		return s, true, nil
	}
	ix := match.New([]match.Skill{{Name: s.Name, Description: s.Description, Triggers: slices.Concat(s.Triggers, s.Tags)}})
	found := ix.Match(c.Task.Request, 1).Ranked
	return s, len(found) > 0 && found[0].Score >= p.config.Limits.Covers, nil
}

// added is what a change adds: the lines of each file that were not in it.
func added(before, after manifest.Bundle) manifest.Bundle {
	out := manifest.Bundle{}
	for file, data := range after {
		had := map[string]bool{}
		for line := range strings.Lines(string(before[file])) {
			had[strings.TrimSpace(line)] = true
		}
		var more strings.Builder
		for line := range strings.Lines(string(data)) {
			if !had[strings.TrimSpace(line)] {
				more.WriteString(line)
			}
		}
		if more.Len() > 0 {
			out[file] = []byte(more.String())
		}
	}
	return out
}

// unlearnableText says why a skill's new text must not be learned, naming the
// point, so that whoever wrote it can leave that out. Scripts are not prose.
func unlearnableText(c Case, description string, files manifest.Bundle) string {
	points := []string{description}
	for _, file := range files.Paths() {
		body := string(files[file])
		if m, _, err := manifest.Read(files[file], ""); file == manifest.MainFile && err == nil {
			body = m.Body
		}
		if failed := neverWorked(c, body); failed != "" {
			return fmt.Sprintf("it repeats %q: %s", short(failed), lesson.Unproven)
		}
		if strings.HasSuffix(file, ".md") {
			points = append(points, outline.Items(body)...)
		}
	}
	for _, point := range points {
		if class := lesson.Refuse(point, c.Observed.Tools...); class != "" {
			return fmt.Sprintf("%q is %s", short(point), class)
		}
	}
	return ""
}
