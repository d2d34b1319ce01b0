package persona

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"talaria/core/chat"
	"talaria/core/learning/observe"
	"talaria/core/memory"
	"talaria/core/skill/scan"
	"talaria/core/trace"
)

// said is a sentence that a person said of themselves, or of how they want
// answers to be.
type said struct {
	ID       string           `json:"id"`
	Day      string           `json:"day"`
	Occasion string           `json:"occasion"`
	Words    string           `json:"words"`
	Form     []observe.Aspect `json:"form,omitempty"`

	asked    bool // that it be remembered
	evidence memory.Evidence
}

// The bounds of a sentence, in characters, and of what is read of a message.
const (
	leastWords = 6
	mostWords  = 300
	mostRead   = 1200
)

// sayings are the sentences of a task that its person said after a time. In a
// direct conversation nobody else speaks; should somebody have, their words are
// left out.
func sayings(t trace.Task, after time.Time) []said {
	var out []said
	answer := ""
	for _, turn := range t.Turns {
		if turn.Who == t.Person && turn.Ended.After(after) {
			from := memory.Evidence{
				Message: turn.Message, Task: t.ID, Place: t.Place.String(), Origin: chat.Member, Spoken: true, At: turn.Ended,
			}
			out = append(out, sentencesOf(turn.Asked, answer, from)...)
			for _, words := range turn.Steered {
				out = append(out, sentencesOf(words, "(under way)", from)...)
			}
		}
		answer = turn.Answered
	}
	return out
}

// sentencesOf are the sentences of a message that are evidence. answer is what
// it may be about.
func sentencesOf(message, answer string, from memory.Evidence) []said {
	if scan.Scan(scan.Memory, message).Verdict == scan.Block {
		return nil // whoever's words these are, they are not about a person
	}
	asked := remember.MatchString(own(message)) || observe.Remembers(message)
	form := observe.Read(message, answer).Aspects
	var out []said
	for _, s := range sentence.Split(asks.ReplaceAllString(own(message), "?\n"), -1) {
		s = strings.Join(strings.Fields(s), " ")
		aspects := observe.Read(s, answer).Aspects
		switch n := utf8.RuneCountInString(s); {
		case n < leastWords && !(len(aspects) > 0 || strings.ContainsFunc(s, han)), n > mostWords:
		case question.MatchString(s), supposed.MatchString(s), strings.Contains(s, redacted):
		case !first.MatchString(s) && !standing.MatchString(s) && len(aspects) == 0:
		case sensitive(s) && !asked, memory.Secret(s) != "", scan.Scan(scan.Memory, s).Verdict != scan.Allow:
		default:
			out = append(out, said{
				Day: from.At.UTC().Format(time.DateOnly), Occasion: from.Task, Words: s, Form: within(aspects, form), asked: asked, evidence: from,
			})
		}
	}
	return out
}

// within are the aspects of a sentence that hold for the whole message too.
func within(sentence, message []observe.Aspect) []observe.Aspect {
	return slices.DeleteFunc(sentence, func(a observe.Aspect) bool { return !slices.Contains(message, a) })
}

// redacted stands in a trace where a secret stood.
const redacted = "[redacted]"

// own is what is likely to be the author's own voice in a message: quotations,
// code, addresses, and what follows a colon, are not.
func own(message string) string {
	if utf8.RuneCountInString(message) > mostRead {
		message = string([]rune(message)[:mostRead])
	}
	message = strings.NewReplacer("’", "'", "‘", "'").Replace(message)
	message = borrowed.ReplaceAllString(message, " ")
	if at := opens.FindStringIndex(message); at != nil {
		message = message[:at[0]]
	}
	return message
}

var (
	borrowed = regexp.MustCompile("(?s)```.*?(?:```|$)|`[^`\n]*`|\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)|「[^」]*(?:」|$)|『[^』]*(?:』|$)|«[^»]*(?:»|$)|(?m:^[ \t]*[>|].*$)|[a-zA-Z][a-zA-Z0-9+.-]*://\\S+")
	opens    = regexp.MustCompile(`[:：](?:\s|$|\p{Han})|(?m)^\s*(?:-{3,}|={3,}|_{3,}|\*{3,})\s*$|(?i)\b(?:forwarded message|` +
		`begin (?:message|quote))\b|转发`)
	asks     = regexp.MustCompile(`[?？]+`)
	sentence = regexp.MustCompile(`[.!;]+(?:\s+|$)|[。！；\n]+`)
	question = regexp.MustCompile(`(?i)[?？]|(?:吗|呢|么)$|^(?:do|does|did|can|could|should|shall|would|will|am|is|are|what|which|` +
		`who|how|why|when|where)\b`)
	supposed = regexp.MustCompile(`(?i)\b(?:if i|suppose|imagine|pretend|let's say|as if|assume|act as|role-?play|hypothetically|` +
		`for example|e\.g|(?:he|she|they|it|page|mail|boss|\w+er) (?:said|says|wrote|writes|told|asked))\b|如果|假如|假设|假装|` +
		`扮演|(?:他|她|他们)(?:说|写)`)
	remember = regexp.MustCompile(`(?i)(?:^|[.!;,\n]\s*|\bplease\s+|\bshould\s+)(?:remember|keep in mind|note|do(?: not|` +
		`n't) forget)\b|(?:请|帮我|你要)?(?:记住|记得|别忘)`)
	first    = regexp.MustCompile(`(?i)\b(?:i|i'm|i've|i'd|i'll|my|mine|myself|me)\b|我|本人|咱`)
	standing = regexp.MustCompile(`(?i)\b(?:always|never|from now on|in (?:the )?future|every time|` +
		`by default)\b.{0,40}\b(?:answer|repl(?:y|ies)|respond|response|explain|write|summar\w+|list|format)|\b(?:answer|reply|` +
		`respond|explain|write)\b.{0,60}\b(?:always|never|from now on|in (?:the )?future|every time|by default)\b|(?:以后|今后|` +
		`总是|每次|一律|默认)[^。]{0,12}(?:回答|回复|解释|写|总结|格式)`)
)

func han(r rune) bool { return unicode.Is(unicode.Han, r) }
