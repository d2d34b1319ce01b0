package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/text"
	"talaria/storage"
)

// Turn is one thing that was said at a place: by a person, or in answer.
type Turn struct {
	Session string    // the stretch of conversation: the session, and which one since it was reset
	Number  int       // counts the session's turns from 1, without holes
	At      time.Time // when it was said
	Who     person.ID // empty: the bot
	Name    string    // who that is, for people
	Text    string
	Message string // platform id of the message, for a link back
}

// said is a turn as it is kept.
type said struct {
	Session string    `json:"session"`
	At      time.Time `json:"at"`
	Who     person.ID `json:"who,omitempty"`
	Name    string    `json:"name,omitempty"`
	Text    string    `json:"text"`
	Message string    `json:"message,omitempty"`
	Thread  string    `json:"thread,omitempty"` // of the place, where it was said in one
}

// at is where it was said, thread included.
func (v said) at(place chat.Address) chat.Address {
	place.Thread = v.Thread
	return place
}

// maxSaid is how much of a turn can be found and is shown, in bytes.
const maxSaid = 16 << 10

// IndexTurns adds to b, a batch on the shard of the place, that turns can be
// found by those who may read there. It must not be used for what only one
// person was shown in a shared place. The same turn again changes nothing.
func IndexTurns(b *storage.Batch, place chat.Address, turns ...Turn) {
	b.Put(saidPlaces, place.Place().String(), place.Place(), storage.Any)
	for _, t := range turns {
		indexTurn(b, place, t)
	}
}

func indexTurn(b *storage.Batch, place chat.Address, t Turn) {
	words := capped(t.Text)
	key := turnKey(t.Session, t.Number)
	if t.Who != "" {
		markPlace(b, t.Who, place)
		if t.Message != "" {
			b.Put(messagesAt(place), t.Message, key, storage.Any)
		}
	}
	b.Put(saidAt(place), key, said{t.Session, t.At.UTC(), t.Who, t.Name, words, t.Message, place.Thread}, storage.Any)
	if counts := text.Counts(t.Name + "\n" + words); len(counts) > 0 {
		b.Index(place.Place().String(), docID(t.At, key), counts)
	}
}

func capped(words string) string {
	if len(words) > maxSaid {
		words = strings.ToValidUTF8(words[:maxSaid], "")
	}
	return words
}

// saidAt is the collection of what was said at a place.
func saidAt(place chat.Address) string { return "said/" + place.Place().String() }

// messagesAt is the collection that leads from a message of a place to its turn.
func messagesAt(place chat.Address) string { return "said.message/" + place.Place().String() }

// placesOf is the collection, in each shard, of places that hold something of
// a person's.
func placesOf(who person.ID) string { return "said.by/" + string(who) }

// markPlace notes that a place holds something of a person's.
func markPlace(b *storage.Batch, who person.ID, place chat.Address) {
	b.Put(placesOf(who), place.Place().String(), place.Place(), storage.Any)
}

// Holds adds to b, a batch on the shard of the place, that what is kept there
// holds somebody's words though none of it is a turn of theirs, so that they are
// found there when the person is to be forgotten.
func Holds(b *storage.Batch, place chat.Address, who person.ID) { markPlace(b, who, place) }

// turnKey names a turn within its place: the session in short, and the number.
func turnKey(session string, number int) string { return threadKey(threadOf(session), number) }

func threadKey(thread string, number int) string { return fmt.Sprintf("%s-%08d", thread, number) }

const threadLength = 16

func threadOf(session string) string {
	sum := sha256.Sum256([]byte(session))
	return hex.EncodeToString(sum[:])[:threadLength]
}

// docID is a turn's id in the text index: later turns have greater ones.
func docID(at time.Time, key string) string {
	return fmt.Sprintf("%012x-%s", max(at.UnixMilli(), 0), key)
}

// parseDocID reads what docID wrote.
func parseDocID(id string) (thread string, number int, ok bool) {
	_, key, _ := strings.Cut(id, "-")
	return cutTurnKey(key)
}

// cutTurnKey reads what turnKey wrote.
func cutTurnKey(key string) (thread string, number int, ok bool) {
	thread, digits, _ := strings.Cut(key, "-")
	number, err := strconv.Atoi(digits)
	return thread, number, err == nil && len(thread) == threadLength
}
