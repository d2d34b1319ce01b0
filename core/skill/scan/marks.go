package scan

import (
	"slices"
	"strings"
)

// Marks are what no word tells: the punctuation that forges a conversation's
// turns, and pictures.

// turnMarks separate the turns of a conversation for a model.
var turnMarks = []string{"<|im_", "<|system", "<|assistant", "<|user", "<|start", "<|end", "<|eot", "[inst]", "[/inst]",
	"<<sys>>", "<</sys>>", "<start_of_turn>", "<end_of_turn>", "<s>[", "\n\nhuman:", "<|channel|>"}

// turnTags begin what claims to be the system's or a tool's.
var turnTags = []string{"<system", "</system", "<assistant", "</assistant", "<tool_result", "</tool_result", "<function_result",
	"</function_result", "<tool_response", "</tool_response", "<developer", "</developer", "<admin", "</user_input", "</user>",
	"</document>", "</untrusted", "</data>", "</context>", "<system-reminder", "[system]", "[system ", "[admin]", "[admin ",
	"[developer]", "[developer ", "[operator", "[tool result", "[tool:", "### system", "## system message", "# system message",
	"【系统", "[系统", "<系统", "【system", "=== system", "--- system", "*** system"}

// endMarks claim that what is not to be trusted ends here.
var endMarks = []string{"end of untrusted", "end of user", "end of document", "end of skill", "end of content", "end of input",
	"end of tool", "end of context", "end of quote", "end of external", "end of file", "end of page", "end of data",
	"end untrusted", "end user", "end document", "end context", "end data", "以下是系统", "文档结束", "用户输入结束"}

// speakers begin a line of a written conversation, which may be an example.
var speakers = []string{"system:", "assistant:", "human:", "admin:", "developer:", "operator:", "tool:", "tool result:",
	"system note:", "system notice:", "system message:", "系统:", "系统：", "管理员:", "管理员：", "助手：", "助手:",
	"**system**:", "**system:**", "**assistant:**", "sistema:", "système :", "система:", "システム:", "システム：", "시스템:"}

// mark is a sign of a line.
type mark struct {
	name   string
	quoted bool
}

// lineMarks returns the marks of a line.
func lineMarks(line string) []mark {
	var out []mark
	low := strings.ToLower(strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), ">*-")))
	in := func(m string) bool { return strings.Contains(low, m) }
	begins := func(m string) bool { return strings.HasPrefix(low, m) }
	bare := strings.TrimLeft(low, "=-*#<[_ ")
	switch {
	case bare != low && slices.ContainsFunc(endMarks, func(m string) bool { return strings.HasPrefix(bare, m) }):
		out = append(out, mark{"fake-turn", false})
	case slices.ContainsFunc(turnMarks, in):
		out = append(out, mark{"fake-mark", strings.Contains(line, "`")})
	case slices.ContainsFunc(turnTags, begins):
		out = append(out, mark{"fake-turn", strings.HasPrefix(strings.TrimSpace(line), "`")})
	case slices.ContainsFunc(speakers, begins), announces(low):
		out = append(out, mark{"dialog", false})
	}
	if i := strings.Index(low, "](http"); i >= 0 && !in("![") {
		out = append(out, mark{"md-link", strings.Contains(line, "`")})
	}
	if in("](http") && in("![") || in("<img") {
		out = append(out, mark{"md-image", strings.Contains(line, "`")})
	}
	if in("<div hidden") || in("display:none") || in("display: none") || in("font-size:0") || in("font-size: 0") || in("color:white") || in("color: white") || in("color:#fff") || in("visibility:hidden") || in("opacity:0") || in("<span hidden") || in("<p hidden") || in("aria-hidden") {
		out = append(out, mark{"hidden-html", strings.Contains(line, "`")})
	}
	if in(`"role":"system"`) || in(`"role": "system"`) {
		out = append(out, mark{"dialog", false})
	}
	if walletIn(low) {
		out = append(out, mark{"wallet-address", false})
	}
	return out
}

// announces reports whether a line claims to be a notice of somebody in
// charge.
func announces(low string) bool {
	head, _, found := strings.Cut(low, ":")
	if !found || len(head) > 40 {
		return false
	}
	for _, w := range []string{"notice from", "note from", "message from", "developer message", "developer note", "admin note",
		"system", "note from the", "[tool", "policy update", "security notice", "operator note"} {
		if strings.Contains(head, w) {
			return true
		}
	}
	return false
}

// walletIn reports whether a line holds the address of an Ethereum account, or
// of a Bitcoin one in its modern form.
func walletIn(low string) bool {
	for f := range strings.FieldsFuncSeq(low, func(r rune) bool { return !isWord(r) }) {
		if strings.HasPrefix(f, "0x") && len(f) == 42 && strings.Trim(f[2:], "0123456789abcdef") == "" ||
			strings.HasPrefix(f, "bc1q") && len(f) > 38 {
			return true
		}
	}
	return false
}

// mark adds the marks of a part's lines to the sentences that they are in.
func (s *scanner) mark(p part, units []unit, firsts []int) {
	line, at := p.line, 0
	for l := range strings.Lines(p.text) {
		for at+1 < len(units) && firsts[at+1] <= line {
			at++
		}
		for _, m := range lineMarks(l) {
			if at < len(units) {
				units[at].add(hit{sign: s.book.sign(m.name), start: units[at].startOf(line), line: line, quoted: m.quoted})
			}
		}
		line++
	}
}

// startOf is where the first sign of a line stands, or the front.
func (u *unit) startOf(line int) int {
	for _, h := range u.hits {
		if h.line >= line {
			return h.start
		}
	}
	return 0
}
