package observe

import (
	"strings"

	"talaria/core/text"
	"talaria/core/trace"
)

// Sign is what a person's reaction to an answer was.
type Sign string

// The signs, the strongest first.
const (
	ReasonedCorrection Sign = "correction with reason"
	Correction         Sign = "correction"
	Form               Sign = "form" // another style, tone, format or length is wanted
	Incomplete         Sign = "incomplete"
	Disliked           Sign = "disliked" // by a reaction
	Thanks             Sign = "thanks"
	Liked              Sign = "liked" // by a reaction
	Silence            Sign = "silence"
)

// Negative reports whether the answer was not what was wanted.
func (s Sign) Negative() bool {
	return s == ReasonedCorrection || s == Correction || s == Form || s == Incomplete || s == Disliked
}

// Corrects reports whether the sign says what was wrong.
func (s Sign) Corrects() bool { return s == ReasonedCorrection || s == Correction || s == Form }

// Feedback is what one answer met with.
type Feedback struct {
	Turn    int      `json:"turn"` // index of the answer's turn in the task
	Sign    Sign     `json:"sign"`
	Aspects []Aspect `json:"aspects,omitempty"`
	Annoyed bool     `json:"annoyed,omitempty"`
	Other   bool     `json:"other,omitempty"` // from somebody who had not asked: told, and not counted
	Text    string   `json:"text,omitempty"`  // the words, redacted
	Message string   `json:"message,omitempty"`
}

// feedbackOf is all feedback of a task, in order. Silence is only heard once the
// task is settled.
func feedbackOf(t trace.Task) []Feedback {
	var out []Feedback
	for n, turn := range t.Turns {
		for _, words := range turn.Steered {
			if f, ok := heard(n, Read(words, "(under way)"), words); ok && f.Sign != Thanks {
				out = append(out, f)
			}
		}
		answered := false
		if n+1 < len(t.Turns) {
			next := t.Turns[n+1]
			f, ok := heard(n, Read(next.Asked, turn.Answered), next.Asked)
			if ok {
				f.Message, f.Other = next.Message, next.Who != turn.Who
				out, answered = append(out, f), true
			}
		}
		reactions := reacted(n, turn.Reactions)
		out = append(out, reactions...)
		if n+1 < len(t.Turns) || t.Settled == "" || answered || len(reactions) > 0 {
			continue
		}
		out = append(out, closing(n, t.Closing))
	}
	return out
}

// closing is what the last answer of a settled task met with, by the words that
// came with the next request.
func closing(turn int, words string) Feedback {
	if f, ok := heard(turn, Read(words, "(answer)"), words); ok && words != "" {
		return f
	}
	return Feedback{Turn: turn, Sign: Silence}
}

func heard(turn int, w Words, words string) (Feedback, bool) {
	f := Feedback{Turn: turn, Aspects: w.Aspects, Annoyed: w.Annoyed, Text: words}
	switch {
	case w.Negative() && w.Reason:
		f.Sign = ReasonedCorrection
	case len(w.Aspects) > 0:
		f.Sign = Form
	case w.Correction, w.Annoyed:
		f.Sign = Correction
	case w.Incomplete:
		f.Sign = Incomplete
	case w.Thanks:
		f.Sign = Thanks
	default:
		return f, false
	}
	return f, true
}

func reacted(turn int, reactions []trace.Reaction) []Feedback {
	var out []Feedback
	for _, r := range reactions {
		if sign, ok := Emoji(r.Name); ok {
			out = append(out, Feedback{Turn: turn, Sign: sign, Other: !r.Asker, Text: r.Name})
		}
	}
	return out
}

// Emoji is what an emoji says of an answer, by its character or a platform's
// short name; false for one that says nothing clear.
func Emoji(name string) (Sign, bool) {
	name = strings.Trim(name, ":")
	name, _, _ = strings.Cut(name, "::") // Slack's skin tones: thumbsup::skin-tone-3
	name = strings.Map(plainEmoji, strings.ToLower(name))
	sign, ok := emojis[name]
	return sign, ok
}

// plainEmoji drops skin tones and the selector of the coloured form.
func plainEmoji(r rune) rune {
	if r == 0xfe0f || r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff || r == 0x2640 || r == 0x2642 {
		return -1
	}
	return r
}

// emojis are those with a clear meaning. What says only that it was seen (👀)
// or that it was funny is none of them.
var emojis = map[string]Sign{
	"👍": Liked, "+1": Liked, "thumbsup": Liked, "thumbs_up": Liked, "like": Liked,
	"❤": Liked, "heart": Liked, "🧡": Liked, "💙": Liked, "💚": Liked, "😍": Liked, "heart_eyes": Liked, "🥰": Liked,
	"🎉": Liked, "tada": Liked, "👏": Liked, "clap": Liked, "🙏": Liked, "pray": Liked, "🙌": Liked, "raised_hands": Liked,
	"💯": Liked, "100": Liked, "✅": Liked, "white_check_mark": Liked, "✔": Liked, "heavy_check_mark": Liked,
	"👌": Liked, "ok_hand": Liked, "🤩": Liked, "star-struck": Liked, "⭐": Liked, "star": Liked, "🏆": Liked, "trophy": Liked,
	"🔥": Liked, "fire": Liked, "🚀": Liked, "rocket": Liked, "💪": Liked, "muscle": Liked, "🫡": Liked, "saluting_face": Liked,
	"👎": Disliked, "-1": Disliked, "thumbsdown": Disliked, "thumbs_down": Disliked,
	"❌": Disliked, "x": Disliked, "✖": Disliked, "heavy_multiplication_x": Disliked, "🚫": Disliked, "no_entry_sign": Disliked, "⛔": Disliked, "no_entry": Disliked,
	"😡": Disliked, "rage": Disliked, "😠": Disliked, "angry": Disliked, "🤬": Disliked, "😞": Disliked, "disappointed": Disliked, "☹": Disliked, "white_frowning_face": Disliked,
	"🤦": Disliked, "face_palm": Disliked, "facepalm": Disliked, "🙄": Disliked, "face_with_rolling_eyes": Disliked, "💩": Disliked, "hankey": Disliked, "poop": Disliked,
	"😕": Disliked, "confused": Disliked, "🤮": Disliked, "face_vomiting": Disliked, "😤": Disliked, "triumph": Disliked, "👿": Disliked, "imp": Disliked, "🖕": Disliked,
}

// Worths are what a correction is worth, as confidence of the rule that it makes:
// with its reason, else by how often the like was said.
type Worths struct{ Reasoned, First, Second, Third float64 }

// DefaultWorths are those that are used where the operator says nothing.
func DefaultWorths() Worths { return Worths{Reasoned: 0.90, First: 0.60, Second: 0.75, Third: 0.90} }

// Alike is the similarity from which two texts are of one kind.
const Alike = 0.75

// of is what a correction is worth, given the texts of the person's earlier
// ones: with its reason it counts at once, without it by repetition.
func (w Worths) of(f Feedback, earlier []string, alike func(a, b string) float64) float64 {
	if !f.Sign.Corrects() {
		return 0
	}
	if f.Sign == ReasonedCorrection {
		return w.Reasoned
	}
	before := 0
	for _, e := range earlier {
		if text.Same(e, f.Text) || alike(e, f.Text) >= Alike {
			before++
		}
	}
	switch before {
	case 0:
		return w.First
	case 1:
		return w.Second
	}
	return w.Third
}
