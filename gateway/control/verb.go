package control

// Status is the verb that a running process describes itself by. It takes no
// arguments and its result is a list of facts.
const Status = "status"

// Typed is the verb that runs a chat command for the shell.
const Typed = "typed"

// Fact is one line of a description, for people.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}
