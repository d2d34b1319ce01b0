package person

import (
	"time"

	"talaria/core/chat"
)

// Action is what becomes of an event.
type Action int

// The actions.
const (
	Drop     Action = iota // nothing
	Serve                  // it is a turn, a command, a press or a form of somebody who may
	Upkeep                 // nobody's request, but to be taken note of: joins, migrations, reactions
	Replace                // the edited text takes the place of the one that still waits
	Withdraw               // the message that still waits is taken out
	Pair                   // offer the stranger a pairing code
	Tell                   // say that it came too late to be served
	TurnAway               // say privately why it is not served
)

// Known is what is known about an event when it is decided on. The zero value
// lets nobody in.
type Known struct {
	Now        time.Time
	MaxAge     time.Duration // older messages are stale; zero: none is
	Seen       bool          // a key was kept before; of an edit: the message was
	Waiting    bool          // of an edit or deletion: the message has not been begun
	Unchanged  bool          // of an edit: the text is what was kept
	Role       Role          // what this identity may do here by itself
	Blocked    bool          // an admin took their access away
	Everyone   bool          // this platform lets in whoever can write to the bot
	Space      Space         // whether the bot was let into the place
	FullMember bool          // the platform vouches for a full member of the place
	Awake      bool          // the thread is one the bot takes part in (see Awake)
	Ambient    bool          // no mention is needed in this place
	Bots       bool          // other bots may mention the bot
}

// Space says whether the bot was let into a place.
type Space string

// What an admin decided about a place.
const (
	SpaceUnknown Space = ""    // nobody decided: only those who are let in themselves
	SpaceOn      Space = "on"  // its full members may talk
	SpaceOff     Space = "off" // nobody may, but for an admin's command
)

// Decision is what becomes of an event, and why where it is not served.
type Decision struct {
	Do        Action
	Reason    Reason
	Addressed chat.Addressed // of what is served: how it was for the bot
	Role      Role           // of what is served: the rights it is served with
}

func drop(r Reason) Decision { return Decision{Reason: r} }

// Decide decides on an event. It is pure, so that a preview of a recorded
// event comes to what happened to the live one.
func Decide(e chat.Event, k Known) Decision {
	if d, ok := withoutAuthor(e, k); ok {
		return d
	}
	switch {
	case e.Author.Self:
		return drop(OwnMessage)
	case e.Author.Bot && !(k.Bots && e.Addressed == chat.ByMention):
		return drop(BotMessage)
	case e.Author.Anonymous:
		return drop(AnonymousSender)
	case e.Kind == chat.Edit:
		return decideEdit(e, k)
	case k.Seen:
		return drop(Duplicate)
	case e.Kind == chat.Message && addressed(e, k) == "":
		return drop(NotAddressed)
	}
	d := admit(e, k)
	if d.Do == Serve && e.Kind == chat.Reaction {
		d.Do = Upkeep
	}
	if d.Do == Serve && stale(e, k) {
		return Decision{Do: Tell, Reason: Stale, Addressed: d.Addressed, Role: d.Role}
	}
	return d
}

// withoutAuthor decides on what carries no person's request.
func withoutAuthor(e chat.Event, k Known) (Decision, bool) {
	switch e.Kind {
	case chat.Tick:
		return Decision{Do: Serve}, true
	case chat.Join, chat.Leave, chat.Migrate:
		if k.Seen {
			return drop(Duplicate), true
		}
		return Decision{Do: Upkeep, Reason: SystemMessage}, true
	case chat.Delete:
		if k.Waiting {
			return Decision{Do: Withdraw, Reason: Deleted}, true
		}
		return drop(Deleted), true
	}
	return Decision{}, false
}

// decideEdit: a message that still waits gets the new text; one that was begun
// is left alone; one that never was for the bot becomes so when the edit adds
// the mention.
func decideEdit(e chat.Event, k Known) Decision {
	switch {
	case k.Unchanged:
		return drop(EditWithoutChange)
	case k.Waiting:
		return Decision{Do: Replace}
	case k.Seen:
		return drop(EditAfterTurn)
	case e.Addressed == chat.ByMention:
		return admit(e, k)
	case e.Direct:
		return drop(EditAfterTurn)
	}
	return drop(NotAddressed)
}

// addressed says how a message is for the bot, or nothing if it is not.
func addressed(e chat.Event, k Known) chat.Addressed {
	switch e.Addressed {
	case chat.ByMention, chat.ByReply, chat.ByCommand:
		return e.Addressed
	}
	switch {
	case e.Direct:
		return chat.ByDM
	case e.Address.Thread != "" && (k.Awake || e.Addressed == chat.ByThread):
		return chat.ByThread
	case k.Ambient:
		return chat.Ambient
	}
	return ""
}

// admit decides whether the author may have anything of the bot here. Who pressed
// or called a command is told why not where the platform lets nobody else see it:
// silence would look like a fault. Whose access was taken away hears nothing.
func admit(e chat.Event, k Known) Decision {
	d := admitted(e, k)
	if d.Do == Drop && d.Reason != Blocked && e.Interaction != nil {
		d.Do = TurnAway
	}
	return d
}

func admitted(e chat.Event, k Known) Decision {
	served := Decision{Do: Serve, Addressed: addressed(e, k), Role: k.Role}
	switch {
	case k.Blocked:
		return drop(Blocked)
	case e.Author.Bot:
		served.Role = BotRole
		return served
	case k.Everyone && !AtLeast(k.Role, Guest):
		served.Role = Member
		if e.Author.Guest {
			served.Role = Guest
		}
	}
	if e.Direct {
		return admitDirect(e, served)
	}
	return admitSpace(e, k, served)
}

func admitDirect(e chat.Event, served Decision) Decision {
	switch {
	case AtLeast(served.Role, Guest):
		return served
	case e.Kind == chat.Command && takesCode(e.Command):
		return served // typing a code is how a stranger stops being one
	case e.Kind == chat.Message, e.Kind == chat.Command, e.Kind == chat.Press, e.Kind == chat.Form:
		return Decision{Do: Pair, Reason: Stranger}
	}
	return drop(Stranger)
}

func takesCode(c *chat.CommandCall) bool {
	return c != nil && (c.Name == "pair" || c.Name == "link") && c.Args != ""
}

func admitSpace(e chat.Event, k Known, served Decision) Decision {
	switch {
	case k.Space == SpaceOff:
		if served.Role == Admin && e.Kind == chat.Command {
			return served
		}
		return drop(SpaceClosed)
	case AtLeast(served.Role, Member), k.Everyone && AtLeast(served.Role, Guest):
		return served
	case e.Author.Guest:
		return drop(GuestInSpace)
	case k.Space == SpaceOn && k.FullMember:
		served.Role = Member
		return served
	case AtLeast(served.Role, Guest):
		return drop(GuestInSpace)
	}
	return drop(Stranger)
}

// stale reports whether a message is too old to be answered as if it had just
// been said. Presses have expiries of their own.
func stale(e chat.Event, k Known) bool {
	if k.MaxAge <= 0 || e.At.IsZero() || e.Kind != chat.Message && e.Kind != chat.Command {
		return false
	}
	return k.Now.Sub(e.At) > k.MaxAge
}
