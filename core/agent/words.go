package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// notePrefix begins every line of ours in a request. Such lines are taken out
// of what the model writes.
const notePrefix = "[note from the program, not from the person] "

// note is a message to the model that stands in one request only.
func note(text string) Message { return Message{Role: User, Text: notePrefix + text} }

// What the model is told.
const (
	concludeNote = "The limit of steps, time or tokens for this message is reached and no tool can be used any more. " +
		"Answer the person now with what you have. Say plainly what is done and what is left."
	continueNote = "The output limit was reached. Go on exactly where you stopped, without repeating anything."
	emptyNote    = "Your last message was empty. Answer the person now."

	unknownText = "outcome unknown: this call was interrupted and may or may not have taken effect. It was not repeated. " +
		"Find out whether it took effect, or ask the person, before doing it again."
	// AskedText is what a call came to that a person is asked about.
	AskedText   = "not done yet: a person is asked for their yes; if it is given, the call is made then"
	waitingText = "not done: a person's yes to another call is needed first"
	noTimeText  = "not done: the time for this message is over"
	repeatText  = "not done: the same call was made before with the same result. Use what you have, or try another way."
)

// What the person is told.
const (
	cutOff  = "*(My answer was cut off here. Ask me to go on if you need the rest.)*"
	noWords = "I have no answer: the language model returned nothing. Please put your request in other words."
)

// words are one of these texts in the person's language.
func (r *run) words(english string, args ...any) string {
	if r.turn.Words == nil {
		return fmt.Sprintf(english, args...)
	}
	return r.turn.Words(english, args...)
}

// cutMark ends an answer that is not whole.
func (r *run) cutMark() string { return "\n\n" + r.words(cutOff) }

func (r *run) refusedWords(said string) string {
	if strings.TrimSpace(said) == "" {
		return r.words("The language model declined to answer this. You could put your request differently.")
	}
	return said + "\n\n" + r.words("*(The language model stopped here because of its own policy.)*")
}

func (r *run) brokenWords(e *ModelError) string {
	switch e.Kind {
	case ModelAuth:
		return r.words("I can't use the language model: it did not accept my key or my rights. " +
			"Whoever runs me has to correct that; `talaria doctor` shows how.")
	case ModelSetUp:
		return r.words("I can't use the language model: it is not set up as it should be. That is no fault of your message. " +
			"Whoever runs me has to correct that; `talaria doctor` shows how.")
	case ModelUnpaid:
		return r.words("I can't use the language model: the credit or quota of the account that pays for it is used up. " +
			"Whoever runs me has to see to that; asking again does not help until then.")
	case ModelRateLimited:
		return r.words("The language model takes no more requests just now. Please try again %s.", r.in(e.RetryAfter))
	case ModelTooLong:
		return r.words("This is too long for the language model, even after I shortened our conversation. " +
			"Please send less at once, or begin anew with `/new`.")
	case ModelCut:
		return r.words("The language model broke off its answer several times, so I have none to give. Please ask again.")
	case ModelInvalid:
		return r.words("The language model did not accept this request, or answered it with something unreadable. " +
			"Please put it differently, or begin anew with `/new`.")
	}
	return r.words("I can't reach the language model just now. Please ask again in a few minutes.")
}

func (r *run) in(d time.Duration) string {
	switch {
	case d <= 0:
		return r.words("in a few minutes")
	case d <= time.Minute:
		return r.words("in a minute")
	}
	return r.words("in %d minutes", int((d+time.Minute-1)/time.Minute))
}

// spentWords stand for an answer when not even the concluding call gave one.
func (r *run) spentWords() string {
	return r.words("I stopped before I was done, because the limit of steps, time or tokens for this is reached. "+
		"Ask me to go on, or ask for a smaller part.") + r.changedWords()
}

// changedWords tells what was done already, so that nobody has it done twice.
func (r *run) changedWords() string {
	if len(r.changes) == 0 {
		return ""
	}
	names := slices.Compact(slices.Sorted(slices.Values(r.changes)))
	return "\n\n" + r.words("Done before that: %s.", strings.Join(names, ", "))
}

// lastWords stand for an answer that came empty twice: what the model said
// beside its last calls, as some say all they have to say there.
func (r *run) lastWords() string {
	for _, m := range slices.Backward(r.own) {
		if m.Role == Assistant && m.Text != "" {
			return m.Text
		}
	}
	return r.words(noWords) + r.changedWords()
}

// label names a call for people.
func label(tool string) string { return strings.ReplaceAll(tool, "_", " ") }
