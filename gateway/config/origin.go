package config

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// origin is where a value was written.
type origin struct {
	file     string
	line     int
	variable string
}

func (o origin) String() string {
	switch {
	case o.variable != "":
		return o.variable
	case o.line > 0:
		return fmt.Sprintf("%s:%d", o.file, o.line)
	}
	return o.file
}

// lines finds the line of every key and table header in a document that is
// known to be valid, by dotted path.
func lines(doc []byte) map[string]int {
	found := map[string]int{}
	var p unstable.Parser
	p.Reset(doc)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = keyLine(&p, e, "", found)
		case unstable.KeyValue:
			pairLines(&p, e, table, found)
		}
	}
	return found
}

func pairLines(p *unstable.Parser, pair *unstable.Node, table string, found map[string]int) {
	path := keyLine(p, pair, table, found)
	if v := pair.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			pairLines(p, it.Node(), path, found)
		}
	}
}

// keyLine notes the line of each step of a key and returns the whole path.
func keyLine(p *unstable.Parser, n *unstable.Node, path string, found map[string]int) string {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		path = join(path, string(part.Data))
		if _, ok := found[path]; !ok {
			found[path] = p.Shape(part.Raw).Start.Line
		}
	}
	return path
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
