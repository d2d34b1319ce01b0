package skill

import (
	"fmt"
	"strconv"
	"strings"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// Kind is how wide a scope is.
type Kind string

// The kinds of scopes, from the narrowest to the widest.
const (
	Person Kind = "person" // one person's own
	Space  Kind = "space"  // a place that several share
	Team   Kind = "team"   // all places of a team
)

// Scope is where a skill belongs: who sees it, and who decides about it. The
// fields beside Kind are set as its constructor sets them.
type Scope struct {
	Kind   Kind          `json:"kind"`
	Person person.ID     `json:"person,omitempty"`
	Team   person.TeamID `json:"team,omitempty"` // of a space or team
	Place  chat.Address  `json:"place,omitzero"` // of a space, without a thread
}

// OfPerson is the scope of one person's own skills.
func OfPerson(id person.ID) Scope { return Scope{Kind: Person, Person: id} }

// OfSpace is the scope of a shared place, which belongs to a team.
func OfSpace(t person.TeamID, place chat.Address) Scope {
	return Scope{Kind: Space, Team: t, Place: place.Place()}
}

// OfTeam is the scope of a whole team.
func OfTeam(t person.TeamID) Scope { return Scope{Kind: Team, Team: t} }

// Here is the narrowest scope of where p acts: their own in a direct
// conversation, else that of the place.
func Here(p person.Principal) Scope {
	if p.Direct {
		return OfPerson(p.Person)
	}
	return OfSpace(p.Team, p.Place)
}

// String is the form that ParseScope reads: "person/ID", "team/ID" or
// "space/TEAM/PLACE". It is a key, not for showing.
func (s Scope) String() string {
	switch s.Kind {
	case Person:
		return string(Person) + "/" + string(s.Person)
	case Space:
		return string(Space) + "/" + string(s.Team) + "/" + s.Place.String()
	case Team:
		return string(Team) + "/" + string(s.Team)
	}
	return ""
}

// ParseScope reads what String wrote.
func ParseScope(text string) (Scope, error) {
	kind, id, _ := strings.Cut(text, "/")
	var s Scope
	switch Kind(kind) {
	case Person:
		s = OfPerson(person.ID(id))
	case Team:
		s = OfTeam(person.TeamID(id))
	case Space:
		team, place, _ := strings.Cut(id, "/")
		s = OfSpace(person.TeamID(team), parsePlace(place))
	}
	if s.check() != nil || s.String() != text {
		return Scope{}, fmt.Errorf("%w: %q is no scope", ErrInvalid, text)
	}
	return s, nil
}

var unescaper = strings.NewReplacer("%25", "%", "%2F", "/", "%23", "#", "%3A", ":")

// parsePlace reads what chat.Address.String wrote of a place. Whether it did
// is for the caller to check, by writing it again.
func parsePlace(text string) chat.Address {
	parts := strings.Split(text, "/")
	if len(parts) != 3 {
		return chat.Address{}
	}
	for i, p := range parts {
		parts[i] = unescaper.Replace(p)
	}
	return chat.Address{Platform: parts[0], Workspace: parts[1], Chat: parts[2]}
}

func (s Scope) check() error {
	switch {
	case s.Kind == Person && s.Person != "" && s == OfPerson(s.Person),
		s.Kind == Team && s.Team != "" && s == OfTeam(s.Team),
		s.Kind == Space && s.Team != "" && s.Place.Chat != "" && s == OfSpace(s.Team, s.Place):
		return nil
	}
	return fmt.Errorf("%w: incomplete scope %q", ErrInvalid, s)
}

func (s Scope) partition() storage.Partition {
	if s.Kind == Person {
		return storage.Person(string(s.Person))
	}
	return storage.Team(string(s.Team))
}

// shelf tells the scopes of one partition apart.
func (s Scope) shelf() string {
	if s.Kind == Space {
		return string(Space) + "/" + s.Place.String()
	}
	return string(s.Kind)
}

// Ref names a skill, or with Number one of its revisions.
type Ref struct {
	Scope  Scope  `json:"scope"`
	Name   string `json:"name"`
	Number int    `json:"number,omitempty"` // from 1; zero: the skill, in the revision that is in force
}

func (r Ref) check() error {
	if r.Name == "" || len(r.Name) > maxName || strings.ContainsAny(r.Name, " @/\x00") || r.Number < 0 {
		return fmt.Errorf("%w: %q is no name of one", ErrInvalid, r.Name)
	}
	return r.Scope.check()
}

// maxName bounds a name in bytes, so that it fits into the keys of a store.
const maxName = 256

// At is the revision of the same skill with a number.
func (r Ref) At(number int) Ref { r.Number = number; return r }

// String is the scope, a blank, the name, and "@" with the number if there is
// one. It is a key, not for showing.
func (r Ref) String() string {
	s := r.Scope.String() + " " + r.Name
	if r.Number > 0 {
		s += "@" + strconv.Itoa(r.Number)
	}
	return s
}
