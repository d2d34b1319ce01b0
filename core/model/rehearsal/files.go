package rehearsal

import (
	"slices"
	"strconv"
	"strings"
)

// maxWritten is how many characters rehearsal puts into a file.
const maxWritten = 30_000

func beginRead(t *task, i int) (state, wish) {
	s := t.steps[i]
	if s.slots["name"] == "" {
		s.slots["name"] = firstFile(t.input)
	}
	if s.slots["name"] == "" {
		return refuse(s, noFileWords.in(t.language))
	}
	return t.call(s, "files_read", map[string]any{"name": s.slots["name"]})
}

// readAgain looks which files there are when there is none of the name, and
// reads the one whose name comes nearest.
func readAgain(t *task, s *step, x exchange) (wish, bool) {
	if x.call.Name == "files_list" {
		if near := nearestFile(x.outcome.Text, s.slots["name"]); near != "" {
			s.slots["wanted"], s.slots["name"] = s.slots["name"], near
			return wish{"files_read", map[string]any{"name": near}}, true
		}
		return wish{}, false
	}
	if _, ok := t.tool("files_list"); !x.outcome.Failed || s.tries > 1 || !ok && !t.has("files_list") {
		return wish{}, false
	}
	return wish{"files_list", map[string]any{}}, true
}

func (t *task) has(tool string) bool {
	for _, x := range t.exchanges {
		if x.call.Name == tool {
			return true
		}
	}
	return false
}

var listed = lazily(`(?m)^- "([^"]+)"`)

// nearestFile is the listed file whose name, without its ending, holds the words
// of the wanted one, or is held by it. Of several, the shortest.
func nearestFile(list, want string) string {
	stem := func(name string) string {
		name, _, _ = strings.Cut(strings.ToLower(name), ".")
		words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_ ", r) })
		return " " + strings.Join(words, " ") + " "
	}
	best := ""
	for _, m := range listed().FindAllStringSubmatch(list, -1) {
		name := stem(m[1])
		if strings.TrimSpace(name) == "" || !strings.Contains(name, stem(want)) && !strings.Contains(stem(want), name) {
			continue
		}
		if best == "" || len(m[1]) < len(best) {
			best = m[1]
		}
	}
	return best
}

// noSuchFile says that a file is not there, and which are.
func (t *task) noSuchFile(name, list string) string {
	why := noSuchFileWords.in(t.language, name)
	var there []string
	for _, m := range listed().FindAllStringSubmatch(list, -1) {
		there = append(there, m[1])
	}
	if len(there) == 0 {
		return why
	}
	return why + otherFilesWords.in(t.language, cut(strings.Join(there, ", "), maxExcerpt))
}

func beginWrite(t *task, i int) (state, wish) {
	s := t.steps[i]
	if why := t.toWrite(i); why != "" {
		return refuse(s, why)
	}
	return t.call(s, "files_write", map[string]any{"name": s.slots["name"], "text": s.slots["text"]})
}

// toWrite fills in the name and the whole text that a step writes. It returns
// why it can't.
func (t *task) toWrite(i int) (why string) {
	s := t.steps[i]
	text, given := s.slots["text"]
	switch {
	case given && text == "":
		return noTextWords.in(t.language)
	case refersBack(text):
		text = part(t.last(i), text)
	}
	if text == "" {
		return nothingWords.in(t.language)
	}
	if s.slots["name"] == "" {
		s.slots["name"] = firstFile(t.input)
	}
	if s.slots["name"] == "" {
		return noFileWords.in(t.language)
	}
	s.slots["text"] = strings.TrimSpace(cut(text, maxWritten)) + "\n"
	return ""
}

// beginExtend reads what is in a file, to which something is then added.
func beginExtend(t *task, i int) (state, wish) {
	s := t.steps[i]
	if why := t.toWrite(i); why != "" {
		return refuse(s, why)
	}
	return t.call(s, "files_read", map[string]any{"name": s.slots["name"]})
}

// extendAgain writes the old text and the new one behind it. A file that can't
// be read is only written where the list shows that there is none; one that is
// read in part is left as it is.
func extendAgain(t *task, s *step, x exchange) (wish, bool) {
	name, text := s.slots["name"], s.slots["text"]
	switch {
	case x.call.Name == "files_read" && x.outcome.Failed:
		return wish{"files_list", map[string]any{}}, true
	case x.call.Name == "files_read" && readInPart().MatchString(x.outcome.Text):
		return wish{}, false
	case x.call.Name == "files_read":
		if old := x.outcome.Text; old != "" {
			text = strings.TrimSuffix(old, "\n") + "\n" + text
		}
	case x.call.Name != "files_list" || x.outcome.Failed || strings.Contains(x.outcome.Text, strconv.Quote(name)):
		return wish{}, false
	}
	return wish{"files_write", map[string]any{"name": name, "text": text}}, true
}

// readInPart is how the tool ends a text that goes on.
var readInPart = lazily(`\n\[bytes \d+ to \d+ of \d+; go on with offset \d+\]$`)

var link = lazily(`\[[^\]\n]*\]\((https?://[^)\s]+)\)`)

// part takes of a text what the wording names: its title, its links, or all.
func part(text, wording string) string {
	wording = strings.ToLower(wording)
	switch {
	case strings.Contains(wording, "title"), strings.Contains(wording, "标题"):
		if title := readPage(text).title; title != "" {
			return title
		}
	case strings.Contains(wording, "link"), strings.Contains(wording, "链接"):
		var links []string
		for _, m := range link().FindAllStringSubmatch(text, -1) {
			links = append(links, "- "+m[1])
		}
		if len(links) > 0 {
			return strings.Join(unique(links), "\n")
		}
	}
	return text
}

var (
	anyURL  = lazily(`https?://[^\s<>"“”，。；、（）]+`)
	anyFile = lazily(`[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.[A-Za-z]{1,5}\b`)
)

func firstURL(text string) string { return first(allURLs(text)) }

// allURLs are the addresses in a text, without what punctuation follows.
func allURLs(text string) []string {
	found := anyURL().FindAllString(text, -1)
	for n, u := range found {
		found[n] = strings.TrimRight(u, ".,;:!?)]}'")
	}
	return found
}

// firstFile is the first name of a file in a text that is no part of an address.
func firstFile(text string) string { return first(allFiles(text)) }

// allFiles are the names of files in a text.
func allFiles(text string) []string {
	found := anyFile().FindAllString(anyURL().ReplaceAllString(text, " "), -1)
	return slices.DeleteFunc(found, func(name string) bool { return !isFile(name) })
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
