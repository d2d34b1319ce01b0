package command

import (
	"context"
	"errors"
	"time"

	"talaria/core/chat"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/storage"
)

// shareFor is how long a question about sharing waits for its answer.
const shareFor = 10 * time.Minute

const (
	sharing    = "share" // collection in the person's partition
	sharingKey = "asked"
)

// wish is a card that a person wants to share, before they said yes.
type wish struct {
	Card string           `json:"card"`
	Text string           `json:"text"`
	With person.Principal `json:"with"` // the person where they asked: in the space
}

// share gives a card of the person's own to a space. It is asked for in the
// space and said yes to in a direct conversation, where the card can be shown:
// nothing of it is seen in the space before that.
func (r recollection) share(ctx context.Context, c Call, rest string) (chat.Post, error) {
	switch {
	case c.Who.Direct && rest == "yes":
		return r.shareNow(ctx, c)
	case c.Who.Direct:
		return wording.Say(ctx, "Write `/memory share ID` in the place that you want to share it with. I'll ask you here before anybody sees it."), nil
	case !person.AtLeast(c.Who.Role, person.Member):
		return chat.Post{}, memory.ErrForbidden
	}
	direct, err := person.DirectPlace(ctx, r.store, c.Who)
	if errors.Is(err, storage.ErrNotFound) {
		return wording.Say(ctx, "Please write to me in a direct conversation first: I ask there whether to share, and show what."), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	privately := c.Who
	privately.Place, privately.Direct = direct, true
	card, err := findCard(ctx, memory.For(r.store, privately), rest)
	if err != nil && !errors.Is(err, errNoCard) {
		return chat.Post{}, err
	}
	question := wording.Text(ctx, "You have no card `%s` to share.", plain(rest))
	if err == nil {
		w := wish{Card: card.ID, Text: card.Text, With: c.Who}
		b := storage.On(storage.Person(string(c.Who.Person))).PutFor(sharing, sharingKey, w, storage.Any, shareFor)
		if _, err := r.store.Commit(ctx, b); err != nil {
			return chat.Post{}, err
		}
		question = wording.Text(ctx, "Shall everybody at %s know this from now on?\n\n> %s\n\n`/memory share yes`, here and within ten minutes, shares it.", where(c), plain(card.Text))
	}
	if err := r.tell(ctx, "share:"+c.Event.Key(), direct, chat.Post{Markdown: question}); err != nil {
		return chat.Post{}, err
	}
	return wording.Say(ctx, "I've asked you about that in our direct conversation."), nil
}

func where(c Call) string { return "`" + c.Who.Place.Place().String() + "`" }

// shareNow carries a wish out, on the person's yes to what they were shown.
func (r recollection) shareNow(ctx context.Context, c Call) (chat.Post, error) {
	at := storage.Person(string(c.Who.Person))
	doc, err := storage.Get[wish](ctx, r.store, at, sharing, sharingKey)
	if errors.Is(err, storage.ErrNotFound) {
		return wording.Say(ctx, "There is nothing that waits for your yes."), nil
	}
	if err != nil {
		return chat.Post{}, err
	}
	w := doc.Value
	done, err := memory.For(r.store, w.With).Add(ctx, memory.Work, w.Text, own(c, w.Text))
	if err != nil {
		return chat.Post{}, err
	}
	if _, err := r.store.Commit(ctx, storage.On(at).Delete(sharing, sharingKey, storage.Any)); err != nil {
		return chat.Post{}, err
	}
	if done.Known {
		return wording.Say(ctx, "It was known there already."), nil
	}
	return wording.Say(ctx, "Shared: %s\n\n`/memory undo`, there, takes it back.", plain(w.Text)), nil
}
