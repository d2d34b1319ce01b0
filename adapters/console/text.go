package console

import (
	"strings"

	"talaria/adapters/markdown"
	"talaria/core/text"
)

// Text is an answer as the console writes it: without markup, without control
// and terminal sequences of its author's, and without what is invisible by
// nature. With color, emphasis is drawn.
func Text(md string, color bool) string {
	return strings.ReplaceAll(markdown.Terminal(text.Visible(md), color), "\t", "    ")
}

// Line is foreign text made fit for one line of a terminal.
func Line(foreign string) string { return oneLine(foreign) }
