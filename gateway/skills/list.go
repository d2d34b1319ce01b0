package skills

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/manifest"
	"talaria/core/skill/match"
	"talaria/core/skill/scan"
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// perPage is how many skills one page lists.
const perPage = 12

const actPage = "skill.page"

// overview is /skills alone: what waits, what there is, what can be done.
func (d *Desk) overview(ctx context.Context, r request) (chat.Post, error) {
	waiting, err := d.library.Pending(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	post, err := d.page(ctx, r.Who, listing{})
	if err != nil {
		return chat.Post{}, err
	}
	if n := len(waiting); n > 0 {
		post.Markdown = wording.Text(ctx, "**%s** `/skills pending` shows what.\n\n", plural(ctx, n, "draft waits", "drafts wait")) + post.Markdown
	}
	post.Markdown += "\n\n" + wording.Text(ctx, "`/skills show NAME` tells what one says, `/skills help` what else can be done.")
	return post, nil
}

func plural(ctx context.Context, n int, one, many string) string {
	return wording.Text(ctx, "%s.", count(ctx, n, one, many))
}

func count(ctx context.Context, n int, one, many string) string {
	if l := wording.In(ctx); n != 1 || l != wording.English {
		return strconv.Itoa(n) + " " + l.Of(many)
	}
	return "1 " + one
}

// listing is which part of the list is shown, and how it is made.
type listing struct {
	page   int // from 0
	auto   bool
	recent bool
}

// token carries a listing in a button.
func (l listing) token() string {
	t := strconv.Itoa(l.page)
	if l.auto {
		t += "a"
	}
	if l.recent {
		t += "r"
	}
	return t
}

func listingOf(token string) listing {
	digits := strings.TrimRight(token, "ar")
	page, _ := strconv.Atoi(digits)
	return listing{page: max(page, 0), auto: strings.Contains(token, "a"), recent: strings.Contains(token, "r")}
}

func (d *Desk) list(ctx context.Context, r request) (chat.Post, error) {
	var l listing
	words := strings.Fields(strings.ReplaceAll(r.words, "=", " "))
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		page, err := strconv.Atoi(words[i])
		switch {
		case err == nil && page > 0:
			l.page = page - 1
		case words[i] == "--source" && (value == "auto" || value == "all"):
			l.auto, i = value == "auto", i+1
		case words[i] == "--sort" && (value == "recent" || value == "name"):
			l.recent, i = value == "recent", i+1
		default:
			return command.Misused(ctx, "`/skills list` takes a page, `--source auto` (those that I wrote) and `--sort recent`; not `%s`.", code(words[i]))
		}
	}
	return d.page(ctx, r.Who, l)
}

func (d *Desk) turnPage(ctx context.Context, p command.Press) (command.Reaction, error) {
	post, err := d.page(ctx, p.Who, listingOf(p.Token))
	return command.Reaction{Card: &post}, err
}

func (d *Desk) page(ctx context.Context, p person.Principal, l listing) (chat.Post, error) {
	all, err := d.library.List(ctx, p)
	if err != nil {
		return chat.Post{}, err
	}
	drafts := slices.ContainsFunc(all, func(s skill.Skill) bool { return s.State == skill.Proposed && s.Pending > 0 })
	all = slices.DeleteFunc(all, func(s skill.Skill) bool {
		return s.State == skill.Proposed || l.auto && s.CreatedBy != skill.ByAgent
	})
	switch {
	case len(all) == 0 && l.auto:
		return wording.Say(ctx, "None of the skills here is one that I wrote. `/skills list` shows all."), nil
	case len(all) == 0 && drafts:
		return wording.Say(ctx, "No skill is in force here yet. `/skills pending` shows what waits for a decision."), nil
	case len(all) == 0:
		return wording.Say(ctx, "There are no skills here yet. I propose one when I have learned how some work is done; `/skills import` takes in a SKILL.md that you have."), nil
	}
	slices.SortFunc(all, l.compare)
	title := "Skills"
	if !p.Direct {
		title = "Skills of this place"
	}
	pages := (len(all) + perPage - 1) / perPage
	if l.page >= pages {
		return wording.Say(ctx, "There is no page %d; the last is page %d.", l.page+1, pages), nil
	}
	var b strings.Builder
	for _, s := range all[l.page*perPage : min(len(all), (l.page+1)*perPage)] {
		st, err := d.stats(ctx, p, s)
		if err != nil {
			return chat.Post{}, err
		}
		b.WriteString(line(ctx, s, st) + d.noted(ctx, p, s) + "\n")
	}
	post := chat.Post{Markdown: fmt.Sprintf("**%s** (%d)\n\n%s", wording.In(ctx).Of(title), len(all), b.String())}
	if pages > 1 {
		post.Markdown += "\n" + wording.Text(ctx, "Page %d of %d.", l.page+1, pages)
		post.Buttons = turning(ctx, l, pages)
	}
	return post, nil
}

// compare puts the latest first, or what can be used and then by name.
func (l listing) compare(a, b skill.Skill) int {
	if l.recent {
		return b.Updated.Compare(a.Updated)
	}
	return cmp.Or(cmp.Compare(rank(a.State), rank(b.State)), strings.Compare(a.Name, b.Name))
}

// noted says in a shared place whose a skill is, who let it in and since when,
// and in any why it is of no use there.
func (d *Desk) noted(ctx context.Context, p person.Principal, s skill.Skill) string {
	if why := d.library.Unfit(p, s); why != "" {
		return wording.Text(ctx, " Not used here: %s.", command.Clipped(why, 120))
	}
	if p.Direct || s.InForce == 0 {
		return ""
	}
	if s.Subscribed != nil {
		return d.abroad(ctx, *s.Subscribed)
	}
	r, err := d.library.Revision(ctx, p, s.At(s.InForce))
	if err != nil || r.Grant == nil {
		return ""
	}
	from := ""
	if s.From.ID != "" {
		from = wording.Text(ctx, " Proposed by `%s`,", code(s.From.String()))
	}
	by := wording.Text(ctx, "the policy %s", command.Plain(r.Grant.Policy))
	if r.Grant.By != "" {
		by = "`" + code(r.Grant.As.String()) + "`"
	}
	return wording.Text(ctx, "%s approved by %s on %s.", from, by, day(ctx, r.Grant.At)) + d.users(ctx, p, s)
}

// turning are the buttons to the pages before and after.
func turning(ctx context.Context, l listing, pages int) []chat.Button {
	var out []chat.Button
	if l.page > 0 {
		before := l
		before.page--
		out = append(out, chat.Button{Label: wording.Text(ctx, "◂ Back"), Action: actPage, Token: before.token()})
	}
	if l.page < pages-1 {
		after := l
		after.page++
		out = append(out, chat.Button{Label: wording.Text(ctx, "More ▸"), Action: actPage, Token: after.token()})
	}
	return out
}

func rank(s skill.State) int {
	return slices.Index([]skill.State{skill.Active, skill.Stale, skill.Deprecated, skill.Disabled, skill.Archived}, s)
}

// line is a skill in a list.
func line(ctx context.Context, s skill.Skill, st skill.Stats) string {
	text := fmt.Sprintf("- `%s` %s", s.Name, command.Clipped(s.Description, 100))
	var marks []string
	if s.State != skill.Active && s.State != skill.Proposed {
		marks = append(marks, wording.In(ctx).Of(string(s.State)))
	}
	if s.Pinned {
		marks = append(marks, wording.Text(ctx, "pinned"))
	}
	switch {
	case s.Subscribed != nil:
		marks = append(marks, wording.Text(ctx, "subscribed"))
	case s.Scope.Kind != skill.Person:
		marks = append(marks, wording.In(ctx).Of(string(s.Scope.Kind)))
	}
	if n := st.Uses(); n > 0 {
		marks = append(marks, wording.Text(ctx, "used %d×, %d succeeded, trend %.0f %%, last on %s", n, st.Successes, 100*st.Rate, st.LastUsed.UTC().Format(wording.Text(ctx, "2 Jan"))))
	}
	if s.Pending > 0 {
		marks = append(marks, wording.Text(ctx, "a draft waits"))
	}
	if len(marks) > 0 {
		text += " *(" + strings.Join(marks, ", ") + ")*"
	}
	return text
}

func (d *Desk) search(ctx context.Context, r request) (chat.Post, error) {
	skills, err := d.library.Matchable(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	byName := map[string]match.Skill{}
	for _, s := range skills {
		byName[s.Name] = s
	}
	const most = 8
	var b strings.Builder
	for _, f := range match.New(skills).Match(r.words, most).Ranked {
		if f.Score >= match.Floor {
			fmt.Fprintf(&b, "- `%s` %s\n", f.Name, command.Clipped(byName[f.Name].Description, 160))
		}
	}
	if b.Len() == 0 {
		return wording.Say(ctx, "No skill here fits that. `/skills list` shows all."), nil
	}
	return chat.Post{Markdown: b.String()}, nil
}

func (d *Desk) pending(ctx context.Context, r request) (chat.Post, error) {
	all, err := d.library.Pending(ctx, r.Who)
	if err != nil {
		return chat.Post{}, err
	}
	switch len(all) {
	case 0:
		return wording.Say(ctx, "Nothing waits for a decision here."), nil
	case 1:
		return d.card(ctx, r.Who, all[0])
	}
	var b strings.Builder
	for _, p := range all {
		state := ""
		if p.State == skill.Blocked {
			state = wording.Text(ctx, ", ⛔ blocked by a check")
		}
		b.WriteString(wording.Text(ctx, "- `%s` for %s: %s (until %s%s)\n", p.Name, whose(ctx, p.Scope, r.Who), command.Clipped(p.Description, 100), p.Expires.UTC().Format(wording.Text(ctx, "2 January")), state))
	}
	return wording.Say(ctx, "%s\n\n%s\n`/skills show NAME` shows one with its buttons.", plural(ctx, len(all), "draft waits", "drafts wait"), b.String()), nil
}

func (d *Desk) show(ctx context.Context, r request) (chat.Post, error) {
	name, file := r.first()
	draft, err := d.waiting(ctx, r.Who, name)
	if err == nil && file == "" {
		return d.card(ctx, r.Who, draft)
	}
	s, err2 := d.library.Find(ctx, r.Who, name)
	if err2 != nil {
		return chat.Post{}, err2
	}
	var files manifest.Bundle
	if err == nil {
		files, err = d.library.Bundle(ctx, r.Who, draft.Ref)
	} else {
		files, err = d.files(ctx, r.Who, s)
	}
	if err != nil {
		return chat.Post{}, err
	}
	if file == "" {
		file = manifest.MainFile
	}
	data, ok := files[file]
	if !ok {
		return command.Refuse(ctx, "`%s` has no file `%s`. It has %s.", s.Name, code(file), quoted(files.Paths()))
	}
	st, err := d.stats(ctx, r.Who, s)
	if err != nil {
		return chat.Post{}, err
	}
	text, ok := scan.Text(file, data)
	if !ok {
		return command.Refuse(ctx, "`%s` of `%s` is no text; `/skills export %s` gives it to you.", code(file), s.Name, s.Name)
	}
	post := chat.Post{}
	if len([]rune(text)) > maxShown {
		post.Files = []chat.Upload{{Name: s.Name + ".md", MIME: "text/markdown", Data: []byte(text)}}
		text = string([]rune(text)[:maxShown]) + "\n" + wording.Text(ctx, "… (the whole text is in the file)")
	}
	post.Markdown = line(ctx, s, st) + "\n\n" + strings.Join(standing(ctx, s, st, files, d.belongs(ctx, s, r.Who)), "\n") + "\n\n" + fenced("markdown", text)
	return post, nil
}

// files are those of what is in force of a skill.
func (d *Desk) files(ctx context.Context, p person.Principal, s skill.Skill) (manifest.Bundle, error) {
	if s.CreatedBy == skill.ByExternal {
		_, files, err := d.library.Files(ctx, p, s.Name)
		return files, err
	}
	return d.library.Bundle(ctx, p, s.At(s.InForce))
}

// stats are how a skill has done; nothing is counted for one of a folder.
func (d *Desk) stats(ctx context.Context, p person.Principal, s skill.Skill) (skill.Stats, error) {
	if s.CreatedBy == skill.ByExternal {
		return skill.Stats{}, nil
	}
	return d.library.Stats(ctx, p, s.Ref)
}

// standing says how a skill is and has done, and for whom it is.
func standing(ctx context.Context, s skill.Skill, st skill.Stats, files manifest.Bundle, whose string) []string {
	may := permissions(ctx, s.Permissions)
	if may == "" {
		may = wording.Text(ctx, "nothing beyond answering")
	}
	state := wording.Text(ctx, "%s, revision %d", wording.In(ctx).Of(string(s.State)), s.InForce)
	if s.State == skill.Proposed {
		state = wording.Text(ctx, "not in force")
	}
	out := []string{
		wording.Text(ctx, "- For %s; %s; made by %s on %s", whose, state, wording.In(ctx).Of(string(s.CreatedBy)), day(ctx, s.Created)),
		wording.Text(ctx, "- May: %s", may),
	}
	if s.Why != "" {
		out = append(out, wording.Text(ctx, "- Reason of its state: %s", command.Clipped(s.Why, 200)))
	}
	if n := st.Uses(); n > 0 {
		used := wording.Text(ctx, "- Used %s (%d succeeded), last on %s", count(ctx, n, "time", "times"), st.Successes, day(ctx, st.LastUsed))
		if s.Generation > 0 {
			used += wording.Text(ctx, "; changed %s since, used again after %d of the changes", count(ctx, s.Generation, "time", "times"), st.Reused)
		}
		out = append(out, used)
	}
	if len(files) > 1 {
		out = append(out, wording.Text(ctx, "- Files: %s", quoted(files.Paths())))
	}
	return out
}
