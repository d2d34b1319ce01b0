package text

// maxEdits bounds the characters of a text that Edits looks at.
const maxEdits = 80

// Edits is how many characters have to be put in, taken out or changed to make
// one short text of another (Levenshtein's distance), for telling what somebody
// meant to type.
func Edits(from, to string) int {
	a, b := []rune(from), []rune(to)
	a, b = a[:min(len(a), maxEdits)], b[:min(len(b), maxEdits)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			next := before
			if x != y {
				next = 1 + min(before, row[j], row[j+1])
			}
			before, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
