package rehearsal

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// improved is a skill with what a task that used it taught: a correction with
// its reason as a step where it asks for one more thing to do that a rule
// knows, else as a rule; what failed and what worked then as a pitfall.
func (d reviewed) improved(skill string) string {
	for _, f := range d.Feedback {
		if f.Sign != "correction with reason" {
			continue
		}
		said := brief(polite().ReplaceAllString(f.Text, ""), 300)
		if step, ok := addition(f.Text); ok {
			if next, has := withStep(skill, step); has {
				skill = next
				continue
			}
		}
		skill = withPoint(without(skill, said), rulesPart, said) // the newest stands last
	}
	for _, p := range d.pitfalls() {
		skill = withPoint(skill, pitfallsPart, p)
	}
	return skill
}

// without is a skill less a point.
func without(skill, point string) string { return strings.Replace(skill, "\n- "+point+"\n", "\n", 1) }

var (
	more    = lazily(`(?i)[,，]?\s*\b(?:also|too|as well|in addition)\b[,，]?\s*|也|还要|另外`)
	always  = lazily(`(?i)^(?:please\s+)?(?:(?:always|every time|each time|next time|from now on|in (?:the )?future)[,，]?\s+)+|^(?:(?:以后|今后|下次|从现在起|每次|总是|一律)[,，]?\s*[都要请]*\s*)+`)
	because = lazily(`(?i)[,，]?\s*(?:\bbecause\b|\bsince\b|\bso that\b|\botherwise\b|因为|以便|否则).*$`)
)

// addition is the step that a correction asks for beside the others. That it is
// to be done always makes it no statement to remember: the skill's steps are
// what is done always.
func addition(said string) (string, bool) {
	if !more().MatchString(said) {
		return "", false
	}
	bare := strings.Trim(more().ReplaceAllString(because().ReplaceAllString(said, ""), " "), " .!。！")
	bare = always().ReplaceAllString(polite().ReplaceAllString(bare, ""), "")
	i, _ := understand(bare, languageOf(bare))
	for tool, of := range toolIntents {
		if of == i && !slices.Contains(unlearned, tool) {
			if languageOf(bare) == chinese {
				return "用 `" + tool + "` " + bare + "。", true
			}
			return upper(bare) + " with `" + tool + "`.", true
		}
	}
	return "", false
}

func upper(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// withStep puts a step behind those of a skill, unless it has it already. It
// reports false where it finds no room for it.
func withStep(skill, step string) (string, bool) {
	p, ok := readProcedure(skill)
	if slices.Contains(p.lines, step) {
		return skill, true
	}
	if !ok || len(p.lines) >= maxDistilled {
		return skill, false
	}
	last := p.lines[len(p.lines)-1]
	at := strings.LastIndex(skill, last)
	if at < 0 {
		return skill, false // it is broken into several lines
	}
	at += len(last)
	return skill[:at] + fmt.Sprintf("\n%d. %s", len(p.lines)+1, step) + skill[at:], true
}

// withPoint puts a point at the end of a part, which is added where there is
// none, in the language of the skill. What the skill says already is not said
// again.
func withPoint(skill string, part words, point string) string {
	if strings.Contains(skill, point) {
		return skill
	}
	skill = strings.TrimRight(skill, "\n") + "\n"
	head := part.in(languageOf(skill))
	for _, h := range []string{part.en, part.zh} {
		if strings.Contains(skill, "\n"+h+"\n") {
			head = h
		}
	}
	_, body, ok := strings.Cut(skill, "\n"+head+"\n")
	if !ok {
		return skill + "\n" + head + "\n\n- " + point + "\n"
	}
	before := strings.TrimSuffix(skill, body)
	section, after, more := strings.Cut(body, "\n#")
	if more {
		after = "\n#" + after
	}
	return before + strings.TrimRight(section, "\n") + "\n- " + point + "\n" + after
}
