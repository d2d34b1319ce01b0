package lane

import (
	"talaria/core/chat"
	"talaria/gateway/command"
	"talaria/gateway/outbox"
	"talaria/gateway/wording"
	"talaria/storage"
)

// press carries out a pressed button or a submitted form. What is said to
// whoever pressed and what becomes of the card are committed with the event's
// leaving the inbox; before that, a crash has it carried out again. On a
// person's own page, the page is shown anew in place of a card.
func (l *Lanes) press(w *work, key string, t *task) {
	ctx := l.speaking(w.shard.Context(), t)
	e := t.env.Event
	var r command.Reaction
	var err error
	var asked string              // the turn that asked
	var drop func(*storage.Batch) // what the answer ends
	if e.Kind == chat.Press && e.Press.Action == askNo {
		r, asked, drop, err = l.declined(ctx, w, t)
	} else {
		r, err = l.cfg.Commands.Press(ctx, command.PressOf(t.env.Who, e, control{l, w, key}))
	}
	if err != nil {
		if ctx.Err() != nil {
			return // the shard's next owner carries it out
		}
		l.cfg.Log.Error("press broke off", "err", err)
		r = command.Reaction{Say: wording.Say(ctx, brokeOff), Aside: true}
	}
	said := l.compose(e, r.Say, r.Aside)
	if r.Card != nil && !e.Page {
		now := card(e, asked, *r.Card)
		if len(said) == 0 && e.Interaction != nil && e.Interaction.Room > 0 {
			now.Interaction = e.Interaction // the change is what answers the press
		}
		said = append(said, l.cfg.Outbox.Compose(now)...)
	}
	l.answered(w, t, said, drop)
	if !e.Page {
		return
	}
	opened := chat.Event{Kind: chat.Opened, At: e.At, Address: e.Address, Direct: e.Direct, Author: e.Author}
	if err := l.cfg.Upkeep(ctx, opened); err != nil {
		l.cfg.Log.Warn("page not shown anew", "platform", e.Address.Platform, "err", err)
	}
}

// card is what becomes of the message that has the buttons: the one that was
// pressed or, where the answer was typed, that of the turn that asked.
func card(e chat.Event, asked string, post chat.Post) outbox.Say {
	s := outbox.Say{Turn: e.Key() + "/card", Address: e.Address, Post: post, Edit: e.Message}
	if typed(e) {
		s.Edit, s.Over = "", asked
	}
	return s
}
