package markdown

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	extast "github.com/yuin/goldmark/extension/ast"
)

// maxTableWidth is the most columns of characters that a table is set in. A
// wider one would wrap on a telephone, so its rows become lists.
const maxTableWidth = 60

// cells are the rows of a table, the header first.
type cells [][][]span

func (f *flattener) table(n *extast.Table) {
	var rows cells
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		var row [][]span
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, oneLine(inline(c, f.source, f.layout, 0)))
		}
		rows = append(rows, row)
	}
	widths := rows.widths()
	if rows.linked() || total(widths) > maxTableWidth {
		f.records(rows)
		return
	}
	f.columns(rows, widths, n.Alignments)
}

// oneLine puts a cell on one line.
func oneLine(spans []span) []span {
	for i := range spans {
		if spans[i].text == newline {
			spans[i].text = " "
		}
	}
	return trimRight(trimLeft(spans))
}

// linked tells whether a cell holds a link: it would be dead in columns.
func (rows cells) linked() bool {
	for _, row := range rows {
		if slices.ContainsFunc(slices.Concat(row...), func(s span) bool { return s.url != "" }) {
			return true
		}
	}
	return false
}

// widths are those of the columns, in terminal cells.
func (rows cells) widths() []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 1)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(spanText(cell)))
		}
	}
	return widths
}

// total is the width of a whole line, with two blanks between columns.
func total(widths []int) int {
	n := 2 * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// columns sets the table in aligned columns without markup.
func (f *flattener) columns(rows cells, widths []int, align []extast.Alignment) {
	f.flushLead()
	lines := make([]line, 0, len(rows)+1)
	for i, row := range rows {
		texts := make([]string, len(row))
		for j, cell := range row {
			texts[j] = pad(spanText(cell), widths[j], align[j])
		}
		lines = append(lines, columnLine(texts))
		if i == 0 {
			lines = append(lines, ruler(widths))
		}
	}
	head := lines[:2:2]
	for i := range head {
		head[i].quote, head[i].block = f.quote, f.block
	}
	for i := range lines[2:] {
		lines[2+i].head = head
	}
	f.literal(lines)
}

func columnLine(texts []string) line {
	text := strings.TrimRight(strings.Join(texts, "  "), " ")
	return line{kind: literal, whole: true, spans: textSpans(text)}
}

func ruler(widths []int) line {
	dashes := make([]string, len(widths))
	for i, w := range widths {
		dashes[i] = strings.Repeat("-", w)
	}
	return columnLine(dashes)
}

func pad(s string, width int, a extast.Alignment) string {
	gap := width - uniseg.StringWidth(s)
	switch a {
	case extast.AlignRight:
		return strings.Repeat(" ", gap) + s
	case extast.AlignCenter:
		return strings.Repeat(" ", gap/2) + s + strings.Repeat(" ", gap-gap/2)
	}
	return s + strings.Repeat(" ", gap)
}

// records writes each row as an entry of a list, a line for each cell with the
// column's name before it.
func (f *flattener) records(rows cells) {
	lead, hang := f.lead, f.hang
	for _, row := range rows[1:] {
		f.block++
		f.lead, f.hang = lead+f.layout.bullet, hang+strings.Repeat(" ", f.layout.indent)
		for i, cell := range row {
			if len(cell) > 0 {
				f.emit(line{whole: true, spans: append(label(rows[0], i), cell...)})
			}
		}
		f.lead, f.hang, lead = hang, hang, hang
	}
	if len(rows) == 1 {
		f.prose(prose, joinCells(rows[0]))
	}
}

// label is the name of a column as it stands before a cell.
func label(header [][]span, i int) []span {
	name := ""
	if i < len(header) {
		name = spanText(header[i])
	}
	if name == "" {
		return nil
	}
	return []span{{text: name + ":", style: bold}, {text: " "}}
}

// joinCells is a row in one line.
func joinCells(row [][]span) []span {
	var out []span
	for i, cell := range row {
		if i > 0 {
			out = append(out, span{text: " · "})
		}
		out = append(out, cell...)
	}
	return out
}
