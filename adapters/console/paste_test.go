package console_test

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"talaria/adapters/console"
)

const begin, end = "\x1b[200~", "\x1b[201~"

func TestWhatIsPastedIsOneLineOfTheEditor(t *testing.T) {
	for what, c := range map[string]struct {
		sent []string
		want string
	}{
		"nothing pasted":         {[]string{"ab\x1b[A\r"}, "ab\x1b[A\r"},
		"one line":               {[]string{begin + "one" + end}, "one"},
		"several lines":          {[]string{"say: " + begin + "one\r/two\n\r\nthree" + end + "!\r"}, "say: one␊/two␊␊three!\r"},
		"the end of a last line": {[]string{begin + "one\rtwo\r" + end}, "one␊two"},
		"a tab":                  {[]string{begin + "a:\r\tb" + end}, "a:␊␉b"},
		"keys within":            {[]string{begin + "a\x04\x1b[Ab\x00" + end}, "a[Ab"},
		"two of them":            {[]string{begin + "a" + end + begin + "b" + end}, "ab"},
		"no text":                {[]string{begin + "\xffa" + end}, "\ufffda"},
		"marks in pieces":        {[]string{"x\x1b[", "20", "0~one\r\x1b[2", "01", "~", "\r"}, "xone\r"},
		"no mark after all":      {[]string{"x\x1b[2", "~"}, "x\x1b[2~"},
		"an escape by itself":    {[]string{"x\x1b"}, "x\x1b"},
		"an end that is lost":    {[]string{begin + "one", "two\x03", "three\r"}, "\x03three\r"},
		"an end by itself":       {[]string{"a" + end + "b"}, "a" + end + "b"},
	} {
		if got := console.Pasted(c.sent...); got != c.want {
			t.Errorf("%s: got %q, want %q", what, got, c.want)
		}
	}
	if got := console.Written("one␊/two␊␉three"); got != "one\n/two\n\tthree" {
		t.Errorf("written: %q", got)
	}
}

func FuzzPastes(f *testing.F) {
	f.Add("a"+begin+"b\rc"+end+"d", 3)
	f.Add("\x1b[20"+begin+begin+"\x03"+end, 7)
	f.Fuzz(func(t *testing.T, sent string, at int) {
		at = max(0, min(at, len(sent)))
		if whole, pieces := console.Pasted(sent), console.Pasted(sent[:at], sent[at:]); whole != pieces && !strings.HasSuffix(sent[:at], "\x1b") {
			t.Errorf("sent at once %q, in two pieces %q", whole, pieces)
		}
	})
}

func TestAnEditorReadsWhatIsPastedAsOneMessage(t *testing.T) {
	messages, wrote, err := console.Read("hello\n" + begin + "one\r/help\rthree\r" + end + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"hello", "one\n/help\nthree"}, messages); d != "" {
		t.Error(d)
	}
	if wrote != "\x1b[?2004h\x1b[?2004l" {
		t.Errorf("the terminal was told %q", wrote)
	}
}

func TestCtrlDWhileNoLineIsWantedIsHeardAtOnce(t *testing.T) {
	terminal, person := io.Pipe()
	k, err := console.NewKeyboard(terminal)
	if err != nil {
		t.Fatal(err)
	}
	types := func(keys string) {
		if _, err := person.Write([]byte(keys)); err != nil {
			t.Fatal(err)
		}
	}
	types("\x04")
	<-k.Left()
	types("one\ntwo\n") // ahead: what follows it is for the editor
	types("\x04three")
	person.Close()
	var got []string
	for {
		line, err := k.Line()
		if err != nil {
			got = append(got, line)
			break
		}
		got = append(got, line)
	}
	if d := cmp.Diff([]string{"one\n", "two\n", "\x04three"}, got); d != "" {
		t.Error(d)
	}
	select {
	case <-k.Left():
		t.Error("a Ctrl-D behind lines that wait was heard before them")
	default:
	}
}
