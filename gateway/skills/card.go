package skills

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"talaria/gateway/command"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/gateway/wording"
)

// The buttons of a card.
const (
	actApprove = "skill.approve"
	actReject  = "skill.reject"
	actEdit    = "skill.edit"
	actLater   = "skill.later"
)

// maxShown is the most characters of a draft that stand on its card; a longer
// one comes as a file beside it.
const maxShown = 1800

// token names a revision with exactly this text.
func token(r skill.Revision) string {
	sum := sha256.Sum256([]byte(r.Ref.String() + "\x00" + r.Hash))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:16])[:26])
}

// card is what a draft is decided on: what it is, what it changes, what it
// asks for, what the checks say, and where it comes from. It is made for p, and
// what its buttons are about is kept.
func (d *Desk) card(ctx context.Context, p person.Principal, r skill.Revision) (chat.Post, error) {
	files, err := d.library.Bundle(ctx, p, r.Ref)
	if err != nil {
		return chat.Post{}, err
	}
	shown, language, name := string(files[manifest.MainFile]), "markdown", r.Name+".md"
	if r.Base != "" || len(files) > 1 {
		diff, err := d.library.Diff(ctx, p, r.Ref, 0)
		if err != nil {
			return chat.Post{}, err
		}
		shown, language, name = unmarked(diff), "diff", r.Name+".diff"
	}
	var b strings.Builder
	what := "**New skill: %s** for %s"
	if r.Base != "" {
		what = "**Change of a skill: %s** for %s"
	}
	b.WriteString(wording.Text(ctx, what, code(r.Name), whose(ctx, r.Scope, p)) + "\n\n")
	if r.Description != "" {
		fmt.Fprintf(&b, "> %s\n\n", command.Plain(r.Description))
	}
	section(&b, d.facts(ctx, p, r))
	section(&b, findings(ctx, r.Findings))
	post := chat.Post{}
	shown = strings.TrimSpace(strings.ToValidUTF8(shown, "?"))
	if runes := []rune(shown); len(runes) > maxShown {
		post.Files = []chat.Upload{{Name: name, MIME: "text/plain", Data: []byte(shown)}}
		shown = string(runes[:maxShown]) + "\n" + wording.Text(ctx, "… (the whole text is in the file)")
	}
	b.WriteString(fenced(language, shown))
	post.Markdown, post.Buttons = b.String(), buttons(ctx, r)
	return post, d.keep(ctx, r)
}

func buttons(ctx context.Context, r skill.Revision) []chat.Button {
	t := token(r)
	all := []chat.Button{
		{Label: wording.Text(ctx, "Approve"), Action: actApprove, Token: t, Style: "primary"},
		{Label: wording.Text(ctx, "Reject"), Action: actReject, Token: t, Style: "danger"},
		{Label: wording.Text(ctx, "Edit"), Action: actEdit, Token: t},
		{Label: wording.Text(ctx, "Later"), Action: actLater, Token: t},
	}
	if r.State == skill.Blocked {
		return all[1:]
	}
	return all
}

// section adds lines with an empty line behind them.
func section(b *strings.Builder, lines []string) {
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	if len(lines) > 0 {
		b.WriteByte('\n')
	}
}

func (d *Desk) facts(ctx context.Context, p person.Principal, r skill.Revision) []string {
	var out []string
	if r.Reason != "" {
		out = append(out, wording.Text(ctx, "- Why: %s", command.Plain(r.Reason)))
	}
	out = append(out, wording.Text(ctx, "- By: %s", writer(ctx, r)))
	for _, from := range r.Provenance {
		out = append(out, wording.Text(ctx, "- Learned from: %s", source(ctx, from))+d.links(ctx, p, from))
	}
	if r.Origin >= chat.External {
		out = append(out, wording.Text(ctx, "- Parts of it come from outside (a page, a file or a forward): read it with care."))
	}
	if asks := permissions(ctx, r.Adds); asks != "" {
		out = append(out, wording.Text(ctx, "- **Asks for more than before**: %s", asks))
	} else if has := permissions(ctx, r.Permissions); has != "" {
		out = append(out, wording.Text(ctx, "- May, as before: %s", has))
	} else {
		out = append(out, wording.Text(ctx, "- Asks for no permissions."))
	}
	if r.Scripts {
		out = append(out, wording.Text(ctx, "- **It adds or changes a script.**"))
	}
	return out
}

func writer(ctx context.Context, r skill.Revision) string {
	if r.Author.Agent() {
		return wording.Text(ctx, "me, on my own")
	}
	return wording.Text(ctx, "a person")
}

func source(ctx context.Context, p skill.Provenance) string {
	text := wording.Text(ctx, "a conversation")
	if !p.At.IsZero() {
		text = wording.Text(ctx, "a conversation of %s", day(ctx, p.At))
	}
	if n := len(p.Messages); n > 0 {
		text += fmt.Sprintf(" (%s)", count(ctx, n, "message", "messages"))
	}
	if p.Confidence > 0 {
		text += wording.Text(ctx, ", confidence %.0f %%", 100*p.Confidence)
	}
	return text
}

// maxLinks bounds the messages that one occasion is shown by.
const maxLinks = 3

// links lead to the messages that something was learned from, for those who
// are where these were written.
func (d *Desk) links(ctx context.Context, p person.Principal, from skill.Provenance) string {
	place, ok := chat.ParseAddress(from.Place)
	if !ok || place.Place() != p.Place.Place() {
		return ""
	}
	var out []string
	for _, m := range from.Messages[:min(len(from.Messages), maxLinks)] {
		if at := d.Link(place, m); at != "" {
			out = append(out, fmt.Sprintf("[%s](%s)", wording.Text(ctx, "message"), at))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ": " + strings.Join(out, ", ")
}

// permissions are what a skill may do, in words.
func permissions(ctx context.Context, p skill.Permissions) string {
	var out []string
	if len(p.Hosts) > 0 {
		out = append(out, wording.Text(ctx, "talk to %s", quoted(p.Hosts)))
	}
	if len(p.Tools) > 0 {
		out = append(out, wording.Text(ctx, "use %s", quoted(p.Tools)))
	}
	if p.Schedules {
		out = append(out, wording.Text(ctx, "make schedules"))
	}
	if p.Memory != "" {
		out = append(out, wording.Text(ctx, "keep memories of the %s", wording.In(ctx).Of(string(p.Memory))))
	}
	if p.Scripts {
		out = append(out, wording.Text(ctx, "run its scripts"))
	}
	return strings.Join(out, "; ")
}

func quoted(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, "`"+code(n)+"`")
	}
	return strings.Join(out, ", ")
}

func findings(ctx context.Context, all []skill.Finding) []string {
	var out []string
	for _, f := range all {
		at := ""
		if f.File != "" {
			at = wording.Text(ctx, " (%s, line %d)", code(f.File), f.Line)
		}
		out = append(out, fmt.Sprintf("- %s **%s**%s: %s", sign(f.Severity), f.Check, at, command.Plain(f.Message)))
	}
	if len(out) == 0 {
		return []string{wording.Text(ctx, "- ✅ The checks found nothing.")}
	}
	return out
}

func sign(s skill.Severity) string {
	switch s {
	case skill.Block:
		return "⛔"
	case skill.Note:
		return "ℹ️"
	}
	return "⚠️"
}

// whose is a scope in words, for p.
func whose(ctx context.Context, s skill.Scope, p person.Principal) string {
	switch {
	case s.Kind == skill.Space && p.Place.Place() == s.Place:
		return wording.Text(ctx, "this place")
	case s.Kind == skill.Space:
		return wording.Text(ctx, "one place")
	case s.Kind == skill.Team:
		return wording.Text(ctx, "the whole team")
	case s.Person == p.Person:
		return wording.Text(ctx, "you alone")
	}
	return wording.Text(ctx, "one person alone")
}

// unmarked drops a diff's header lines, which name files twice.
func unmarked(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "--- ") {
			continue
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n")
}

// fenced is text in a code block that it can't end.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}
