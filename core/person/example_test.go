package person_test

import (
	"fmt"

	"talaria/core/chat"
	"talaria/core/person"
)

func ExampleDecide() {
	e := chat.Event{
		Kind: chat.Message, Keys: []string{"m1"}, Text: "good morning",
		Address: chat.Address{Platform: "slack", Workspace: "T1", Chat: "C1"},
		Author:  chat.Author{Identity: chat.Identity{Platform: "slack", Workspace: "T1", ID: "U1"}},
	}
	fmt.Println(person.Decide(e, person.Known{Role: person.Member}).Reason)
	e.Addressed = chat.ByMention
	fmt.Println(person.Decide(e, person.Known{Role: person.Member}).Do == person.Serve)
	// Output:
	// not_addressed
	// true
}
