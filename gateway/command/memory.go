package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/storage"
)

// recollection are the commands about what is remembered and was said.
type recollection struct {
	store    *storage.Store
	searcher *memory.Searcher
	tell     Tell
	deleted  func(ctx context.Context, who person.Principal, c memory.Card) error
}

// ForMemory are the commands about memory and earlier conversations. deleted is
// told of every card that somebody deletes.
func ForMemory(s *storage.Store, searcher *memory.Searcher, tell Tell, deleted func(context.Context, person.Principal, memory.Card) error) []Command {
	r := recollection{s, searcher, tell, deleted}
	return []Command{
		{Name: "memory", Lines: true, Args: "[PAGE | WORDS | add TEXT | edit ID TEXT | delete ID | confirm ID | share ID | undo [NUMBER]]",
			Summary: "what I remember here: see, change, share, take back", Now: true, Role: person.Guest, Run: r.memory, Verbs: r.verbs()},
		{Name: "search", Args: "WORDS", Summary: "find what was said before, where you can read", Now: true, Role: person.Guest, Run: r.search,
			Options: []Option{{Name: "words", Summary: "what was spoken of", Required: true}}},
	}
}

// verbs declares what memory reads.
func (r recollection) verbs() []Verb {
	id := Option{Name: "id", Summary: "which one", Required: true, Complete: r.ids}
	text := Option{Name: "text", Summary: "what is to be remembered", Required: true}
	return []Verb{
		{Name: "list", Summary: "what I remember here", Unsaid: true, Options: []Option{{Name: "page", Summary: "number of the page"}}},
		{Name: "search", Summary: "what I remember about something", Options: []Option{{Name: "words", Summary: "what it is about", Required: true}}},
		{Name: "add", Summary: "have me remember something", Options: []Option{text}},
		{Name: "edit", Summary: "reword something that I remember", Options: []Option{id, text}},
		{Name: "delete", Summary: "have me forget something", Options: []Option{id}},
		{Name: "confirm", Summary: "say that something from outside is so", Options: []Option{id}},
		{Name: "share", Summary: "let everybody here know something of yours", Options: []Option{{Name: "id", Summary: "which one", Required: true}}},
		{Name: "undo", Summary: "take the last change back", Options: []Option{{Name: "number", Summary: "how many changes back"}}},
	}
}

// ids are the cards that somebody sees where they are: their own in a direct
// conversation, those of the space in one.
func (r recollection) ids(ctx context.Context, who person.Principal) (all []chat.Choice, err error) {
	cards, err := memory.For(r.store, who).List(ctx)
	for _, card := range cards {
		if card.State != memory.Archived {
			all = append(all, Labelled(shortID(card.ID), card.Text))
		}
	}
	return all, err
}

// memoryUsage is said where an argument is missing.
const memoryUsage = "Usage: `/memory add TEXT`, `/memory edit ID TEXT`, `/memory delete ID`, `/memory confirm ID`, " +
	"`/memory share ID`, `/memory undo`, `/memory search WORDS`. `/memory` shows the ids, `/memory 2` the second page, and `/export` gives you all of it."

func (r recollection) memory(ctx context.Context, c Call) (chat.Post, error) {
	h := memory.For(r.store, c.Who)
	verb, rest, _ := strings.Cut(c.Args, " ")
	rest = strings.TrimSpace(rest)
	post, err := r.carryOut(ctx, c, h, verb, rest)
	if known := memoryRefusal(ctx, err); known != "" {
		return wording.Say(ctx, "%s", known), nil
	}
	return post, err
}

func (r recollection) carryOut(ctx context.Context, c Call, h *memory.Handle, verb, rest string) (chat.Post, error) {
	page, numeric := pageOf(verb, rest)
	switch {
	case numeric:
		return r.list(ctx, h, "", page)
	case rest == "" && (verb == "add" || verb == "edit" || verb == "delete" || verb == "confirm" || verb == "share" || verb == "search"):
		return wording.Say(ctx, memoryUsage), nil
	case verb == "add":
		return r.add(ctx, c, h, rest)
	case verb == "edit":
		return r.edit(ctx, c, h, rest)
	case verb == "delete":
		return r.remove(ctx, c, h, rest)
	case verb == "confirm":
		return r.confirm(ctx, h, rest)
	case verb == "share":
		return r.share(ctx, c, rest)
	case verb == "undo" && (rest == "" || isNumber(rest)):
		return r.undo(ctx, c, h, rest)
	case verb == "export" && rest == "":
		return wording.Say(ctx, "`/export`, in a direct conversation, gives you everything that I keep about you."), nil
	case verb == "search":
		return r.list(ctx, h, rest, 1)
	}
	return r.list(ctx, h, c.Args, 1)
}

// pageOf reads a page number; no words are the first page.
func pageOf(verb, rest string) (int, bool) {
	if verb == "" || verb == "list" && rest == "" {
		return 1, true
	}
	if verb == "list" || verb == "page" {
		verb, rest = rest, ""
	}
	n, err := strconv.Atoi(verb)
	return n, err == nil && n > 0 && rest == ""
}

// tooLong is what is said of a statement that no card can hold, empty for one
// that a card can.
func tooLong(ctx context.Context, statement string) string {
	n := utf8.RuneCountInString(statement)
	if n <= memory.MaxText {
		return ""
	}
	return wording.Text(ctx, "That is too long to remember: %d characters, and a card holds at most %d. Nothing was changed.", n, memory.MaxText)
}

func (r recollection) add(ctx context.Context, c Call, h *memory.Handle, statement string) (chat.Post, error) {
	if refusal := tooLong(ctx, statement); refusal != "" {
		return wording.Say(ctx, "%s", refusal), nil
	}
	done, err := h.Add(ctx, memory.Work, statement, own(c, statement))
	if err != nil {
		return chat.Post{}, err
	}
	if done.Known {
		return wording.Say(ctx, "I know that already."), nil
	}
	return wording.Say(ctx, "Noted as `%s`. `/memory undo` takes it back.", shortID(done.Card.ID)), nil
}

// own is the source of a statement that the author typed themselves.
func own(c Call, statement string) memory.Source {
	return memory.Source{Origin: chat.Member, Spoken: statement, Message: c.Event.Message}
}

func (r recollection) edit(ctx context.Context, c Call, h *memory.Handle, rest string) (chat.Post, error) {
	id, statement, _ := strings.Cut(rest, " ")
	if statement = strings.TrimSpace(statement); statement == "" {
		return wording.Say(ctx, memoryUsage), nil
	}
	if refusal := tooLong(ctx, statement); refusal != "" {
		return wording.Say(ctx, "%s", refusal), nil
	}
	card, err := findCard(ctx, h, id)
	if err != nil {
		return chat.Post{}, err
	}
	if _, err := h.Replace(ctx, card.ID, statement, own(c, statement)); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "`%s` said: %s\n\nIt says now: %s\n\n`/memory undo` takes it back.", shortID(card.ID), plain(card.Text), plain(statement)), nil
}

func (r recollection) remove(ctx context.Context, c Call, h *memory.Handle, id string) (chat.Post, error) {
	card, err := findCard(ctx, h, id)
	if err != nil && c.Chosen == "" {
		return chat.Post{}, err
	}
	if card, err = removeOnce(ctx, c, h, card); err != nil {
		return chat.Post{}, err
	}
	if err := r.deleted(ctx, c.Who, card); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "Deleted: %s\n\nWhat was said before in this conversation may still hold it; `/new` begins without it. `/memory undo` takes it back.", plain(card.Text)), nil
}

// removeOnce removes a card, unless a run of the command that was cut off did so.
func removeOnce(ctx context.Context, c Call, h *memory.Handle, card memory.Card) (memory.Card, error) {
	id, again, err := c.Choose(ctx, card.ID)
	if err != nil {
		return card, err
	}
	if again {
		gone, there, err := removed(ctx, h, id)
		if err != nil || there {
			return gone, err
		}
	}
	return h.Remove(ctx, id, memory.Source{Origin: chat.Member})
}

// removed is a card that the last change of it removed.
func removed(ctx context.Context, h *memory.Handle, id string) (memory.Card, bool, error) {
	changes, err := h.Changes(ctx)
	if err != nil {
		return memory.Card{}, false, err
	}
	for _, change := range slices.Backward(changes) {
		for _, s := range change.Steps {
			switch {
			case s.After != nil && s.After.ID == id:
				return memory.Card{}, false, nil
			case s.After == nil && s.Before.ID == id:
				return *s.Before, true, nil
			}
		}
	}
	return memory.Card{}, false, nil
}

func (r recollection) confirm(ctx context.Context, h *memory.Handle, id string) (chat.Post, error) {
	card, err := findCard(ctx, h, id)
	if err != nil {
		return chat.Post{}, err
	}
	if _, err := h.Confirm(ctx, card.ID); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "Confirmed: %s\n\n`/memory undo` takes it back.", plain(card.Text)), nil
}

var errNoCard = errors.New("no card here has that id, or several do; give more of it")

// minID is the least that names a card.
const minID = 4

// findCard returns the only card whose id begins so.
func findCard(ctx context.Context, h *memory.Handle, id string) (memory.Card, error) {
	cards, err := h.List(ctx)
	if err != nil {
		return memory.Card{}, err
	}
	var found []memory.Card
	for _, card := range cards {
		if len(id) >= minID && strings.HasPrefix(card.ID, id) && card.State != memory.Archived {
			found = append(found, card)
		}
	}
	if len(found) != 1 {
		return memory.Card{}, errNoCard
	}
	return found[0], nil
}

// undo takes back the last change, or the one with a number.
func (r recollection) undo(ctx context.Context, c Call, h *memory.Handle, number string) (chat.Post, error) {
	changes, err := h.Changes(ctx)
	if err != nil {
		return chat.Post{}, err
	}
	if len(changes) == 0 {
		return wording.Say(ctx, "There is nothing to take back."), nil
	}
	last := changes[len(changes)-1]
	number, again, err := c.Choose(ctx, cmp.Or(number, strconv.Itoa(last.Number)))
	if err != nil {
		return chat.Post{}, err
	}
	n := slices.IndexFunc(changes, func(c memory.Change) bool { return strconv.Itoa(c.Number) == number })
	if n < 0 {
		return wording.Say(ctx, "There is no change %s of what I remember here any more.", number), nil
	}
	if !again || last.Undoes != changes[n].Number {
		err = h.Undo(ctx, changes[n].Number)
	}
	return takenBack(ctx, changes[n]), err
}

// takenBack says what a change was that is taken back.
func takenBack(ctx context.Context, c memory.Change) chat.Post {
	var b strings.Builder
	b.WriteString(wording.Text(ctx, "Taken back what was %s on %s:\n", wording.In(ctx).Of(c.What), c.At.UTC().Format(wording.Text(ctx, "2 Jan 15:04"))))
	for _, s := range c.Steps {
		b.WriteString("\n- " + backTo(ctx, s))
	}
	b.WriteString("\n\n" + wording.Text(ctx, "`/memory undo` again puts it back."))
	return chat.Post{Markdown: b.String()}
}

// backTo says what becomes of a card when a step is taken back.
func backTo(ctx context.Context, s memory.Step) string {
	switch {
	case s.Before == nil:
		return wording.Text(ctx, "no longer remembered: %s", plain(s.After.Text))
	case s.After == nil:
		return wording.Text(ctx, "remembered again: %s", plain(s.Before.Text))
	case s.Before.Text == s.After.Text:
		return wording.Text(ctx, "as before: %s", plain(s.Before.Text)) + mark(ctx, s.Before.State)
	}
	return wording.Text(ctx, "it says again: %s (and no longer: %s)", plain(s.Before.Text), plain(s.After.Text))
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// cardsPerPage is how many cards are shown at once.
const cardsPerPage = 15

// list shows the cards that are used or wait for a yes.
func (r recollection) list(ctx context.Context, h *memory.Handle, words string, page int) (chat.Post, error) {
	cards, err := h.List(ctx)
	if words != "" && err == nil {
		cards, err = h.Search(ctx, words)
	}
	if err != nil {
		return chat.Post{}, err
	}
	var lines []string
	for _, card := range cards {
		if card.State != memory.Archived {
			lines = append(lines, fmt.Sprintf("- `%s` %s%s\n", shortID(card.ID), plain(card.Text), mark(ctx, card.State)))
		}
	}
	pages := max(1, (len(lines)+cardsPerPage-1)/cardsPerPage)
	if page > pages {
		return Refuse(ctx, "There is no page %d; the last is page %d.", page, pages)
	}
	from := (page - 1) * cardsPerPage
	shown := lines[from:min(from+cardsPerPage, len(lines))]
	switch {
	case len(shown) > 0 && pages > 1:
		return wording.Say(ctx, "What I remember here, page %d of %d (`/memory %d` shows another):\n\n%s\n%s",
			page, pages, page%pages+1, strings.Join(shown, ""), wording.Text(ctx, memoryHint)), nil
	case len(shown) > 0:
		return wording.Say(ctx, "What I remember here:\n\n%s\n%s", strings.Join(shown, ""), wording.Text(ctx, memoryHint)), nil
	case words != "":
		return wording.Say(ctx, "I remember nothing about that here."), nil
	}
	return wording.Say(ctx, "I remember nothing here yet. Tell me \"remember that ...\", or use `/memory add TEXT`."), nil
}

const memoryHint = "`/memory edit ID TEXT` rewords one, `/memory delete ID` forgets it, `/memory undo` takes the last change back."

func mark(ctx context.Context, s memory.State) string {
	switch s {
	case memory.Emerging:
		return wording.Text(ctx, " *(not certain yet)*")
	case memory.Quarantined:
		return wording.Text(ctx, " *(from outside; not used until you send `/memory confirm ID`)*")
	}
	return ""
}

const idShown = 6

func shortID(id string) string { return id[:min(idShown, len(id))] }

// plain keeps a card's text from being read as markup of ours.
func plain(s string) string {
	return strings.NewReplacer("`", "'", "\n", " ").Replace(s)
}

// memoryRefusal is what is to be said of an error that is an answer.
func memoryRefusal(ctx context.Context, err error) string {
	for _, known := range []error{
		memory.ErrSecret, memory.ErrHostile, memory.ErrInvalid, memory.ErrFull, memory.ErrAmbiguous, memory.ErrNotFound,
		memory.ErrNotSaid, memory.ErrForbidden, memory.ErrChanged, errNoCard,
	} {
		if errors.Is(err, known) {
			return wording.Text(ctx, "That did not work: %s.", reason(ctx, err, known))
		}
	}
	return ""
}

// reason is a known error with what it was wrapped with, and without what was
// being done: the person knows that.
func reason(ctx context.Context, err, known error) string {
	text := wording.In(ctx).Of(known.Error())
	if _, more, ok := strings.Cut(err.Error(), known.Error()+": "); ok {
		text += ": " + strings.TrimSuffix(more, ".")
	}
	return text
}
