package scan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// looksLikeShell reports whether a text may hold a command worth parsing.
func looksLikeShell(s string) bool { return commandAt(s) >= 0 }

// commandNames begin a command line within prose.
var commandNames = strings.Fields(`curl wget rm chmod chown bash sh zsh nc ncat netcat socat dd mkfs mkfs.ext4 base64 echo cat tar crontab sudo
	eval python python3 perl pip pip3 npm npx history docker scp rsync ssh setenforce ufw systemctl find mkfifo shred export printf env printenv
	mshta regsvr32 rundll32 certutil bitsadmin msiexec powershell pwsh iex iwr irm spctl xattr csrutil security sqlite3 defaults osascript kubectl terraform aws gcloud truncate
	killall pkill reg schtasks netsh sc vssadmin bcdedit wevtutil rev xxd exec set setsid nohup chroot mount nsenter useradd passwd chattr visudo tmux screen gpg zip 7z
	gem diskutil icacls takeown rundll32 rd psql mysql mongo mongosh redis-cli parted fdisk lua awk telnet wscript cscript regasm installutil
	usermod setcap iptables launchctl git wipefs source dig nslookup for while alias cp mv tee unset openssl node ruby php`)

// looksLikeShell reports whether a text may hold a command worth parsing.
func shellish(s string) bool {
	return strings.ContainsAny(s, "|>;&/$~") || strings.Contains(s, " -")
}

// commandAt returns where the first command of a line begins, or -1: at a
// known name, or at the front of the pipe that a known name is in.
func commandAt(line string) int {
	if !shellish(line) {
		return -1
	}
	if strings.HasPrefix(line, ":(") {
		return 0 // a function with a mark for its name
	}
	start, piped := 0, false
	for i := 0; i < len(line); {
		n := separator(line[i:])
		if w := line[i : i+n]; slices.Contains(commandNames, strings.TrimSuffix(strings.TrimPrefix(w[strings.LastIndexByte(w, '/')+1:], "$"), ".exe")) {
			if piped {
				return start
			}
			return i
		} else if isCmdlet(w) {
			return i
		} else if strings.HasPrefix(w, "$") && strings.Count(w, "$") > 1 && !strings.Contains(w, "$(") {
			return start // a command put together from variables
		}
		if i += n; i >= len(line) {
			break
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		piped = piped || r == '|' || strings.HasPrefix(line[i:], "&&")
		if r > unicode.MaxASCII || r == ':' || r == ' ' && line[i-min(i, 1)] == '.' {
			start, piped = i+size, false
		}
		i += size
	}
	return -1
}

// isCmdlet reports whether a word has the form of PowerShell's commands.
func isCmdlet(w string) bool {
	verb, noun, ok := strings.Cut(w, "-")
	return ok && len(verb) > 2 && len(noun) > 2 && unicode.IsUpper(rune(verb[0])) && unicode.IsUpper(rune(noun[0])) && strings.ToLower(verb[1:]) == verb[1:]
}

// separator returns where the first word of a line ends. A colon ends one, but
// not in an address.
func separator(line string) int {
	for i, r := range line {
		if r > unicode.MaxASCII || strings.ContainsRune(" \t|&;(`\"'=", r) || r == ':' && !strings.HasPrefix(line[i:], "://") {
			return i
		}
	}
	return len(line)
}

// inline is a command within prose.
type inline struct {
	text   string
	line   int
	quoted bool
}

// commandLines are the commands within a part: what stands in backticks, and
// bare lines from the first known command on.
func commandLines(p part) []inline {
	var out []inline
	n := p.line
	for line := range strings.Lines(p.text) {
		line = strings.TrimRight(line, "\r\n")
		pieces := strings.Split(line, "`")
		for i, piece := range pieces {
			ticked := i%2 == 1 && i < len(pieces)-1
			if at := commandAt(piece); at >= 0 && (ticked || shellish(piece[at:])) {
				out = append(out, inline{piece[at:], n, ticked})
			}
		}
		n++
	}
	if program := bareProgram(p); program.text != "" {
		out = append(out, program)
	}
	return out
}

// bareProgram is what of a part looks like statements of a program that stand
// there without a fence.
func bareProgram(p part) inline {
	var b strings.Builder
	first, n := p.line, p.line
	for line := range strings.Lines(p.text) {
		if isStatement(line) && !strings.Contains(line, "`") {
			if b.Len() == 0 {
				first = n
			}
			b.WriteString(line)
		}
		n++
	}
	return inline{b.String(), first, false}
}

// isStatement reports whether a line calls, assigns or imports something.
func isStatement(line string) bool {
	calls := false
	for i := 1; i < len(line) && !calls; i++ {
		calls = line[i] == '(' && isWord(rune(line[i-1])) && strings.Contains(line[i:], ")")
	}
	return calls || strings.Contains(line, " = ") || strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ")
}

// commandUnit reads a command within prose; the sentences around it tell
// whether it is meant.
func (s *scanner) commandUnit(c inline, around []unit) unit {
	u := unit{isCode: true, isInline: true}
	s.shell(&u, c.text, c.line)
	s.lookUp(s.words(nil, c.text, c.line), &u, true)
	s.environment(&u, c.text, c.line)
	denied := false
	for _, sentence := range around {
		for _, name := range []string{"frame", "mention"} {
			if sign := s.book.sign(name); sentence.has(sign) {
				u.signs.add(sign)
			}
		}
		denied = denied || s.forbids(&sentence)
	}
	for i := range u.hits {
		u.hits[i].quoted, u.hits[i].denied = c.quoted, denied
	}
	return u
}

// holds reports whether a text of code holds a sign.
func (s *scanner) holds(code, name string) bool {
	var u unit
	s.lookUp(s.words(nil, code, 1), &u, true)
	return u.has(s.book.sign(name))
}
