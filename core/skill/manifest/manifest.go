package manifest

import "errors"

// Limits of a skill. Those of name and description are the ones of
// agentskills.io, those of the files Hermes' own.
const (
	MaxName        = 64         // characters
	MaxDescription = 1_024      // characters; a longer one is imported with a warning
	MaxFile        = 100_000    // characters of a SKILL.md
	MaxSupportFile = 1 << 20    // bytes of any other file
	MaxFiles       = 500        // files of one skill
	MaxBundle      = 16 << 20   // bytes of all files of a skill together
	MainFile       = "SKILL.md" // where a skill begins
)

// Level says how a skill came through the reader.
type Level string

// The levels, in the words of the command line.
const (
	OK     Level = "ok"     // nothing to complain about
	Warn   Level = "warn"   // usable, but something was odd
	Refuse Level = "refuse" // not usable
)

// Message is one complaint about a skill, for people: a whole sentence without
// its full stop. No message has the level OK.
type Message struct {
	Level Level
	Text  string
}

// Worst is the result that messages add up to; OK without any.
func Worst(messages []Message) Level {
	worst := OK
	for _, m := range messages {
		switch {
		case m.Level == Refuse:
			return Refuse
		case m.Level == Warn:
			worst = Warn
		}
	}
	return worst
}

// ErrRefused is wrapped by every error about contents that can't be used, as
// against files that could not be read.
var ErrRefused = errors.New("refused")

// Permissions are what a skill asks to do beyond answering. The zero value asks
// for nothing. They are a claim of the file: nothing is granted by reading it.
type Permissions struct {
	Hosts     []string // names of hosts it talks to, in lower case; "*" for any
	Schedules bool     // makes or changes jobs
	Memory    bool     // writes cards
	Scripts   bool     // runs what lies in its scripts folder
}

// Requires names what must be there before a skill can work.
type Requires struct {
	Tools  []string // tools or tool sets of the bot
	Bins   []string // programs on the machine
	Env    []string // environment variables
	Skills []string // other skills
}

// Option is a setting that a skill wants from its users.
type Option struct {
	Key         string
	Description string
	Default     string // as written, "" without one
}

// Test is a run of one of a skill's scripts that shows whether it still works.
// It is a claim of the file, like everything here.
type Test struct {
	Script string   // path in the skill, such as "scripts/count.py"
	Args   []string // as the script gets them
	Expect string   // what its output has to contain; "" for nothing in particular
}

// Fields are what the front matter and the body of a skill say. Lists are nil
// where the file has none. All of it is text of whoever wrote the file.
type Fields struct {
	Name          string // kebab-case, at most MaxName, safe as a file name
	Description   string // without blanks at its ends; may exceed MaxDescription
	Version       string // as written: 1.10 stays "1.10"
	Author        string
	License       string
	Category      string
	Tags          []string
	Triggers      []string // words or phrases that call for the skill
	Tools         []string // tools it may use, such as "Read" or "Bash(git:*)"
	Permissions   Permissions
	Platforms     []string // operating systems and chat platforms, in lower case
	Requires      Requires
	Config        []Option
	Tests         []Test
	RelatedSkills []string
	Body          string // Markdown after the front matter, line breaks as in the file
}

// Unknown is a top-level key that means nothing to us, with its lines as they
// are in the file.
type Unknown struct {
	Key  string
	Text string
}

// Manifest is a SKILL.md that was read.
type Manifest struct {
	Fields
	Title   string // the name as written, where that could not be the Name
	Unknown []Unknown
	raw     []byte
}

// Bytes is the file exactly as it was read. It must not be changed.
func (m Manifest) Bytes() []byte { return m.raw }
