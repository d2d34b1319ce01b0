package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxSize bounds a front matter with every alias written out, see node.size.
	maxSize = 10_000
	// maxDepth bounds how deep values lie in each other.
	maxDepth = 64
)

// kind says what a value is.
type kind int

const (
	null kind = iota
	scalar
	list
	table
)

// node is a value of the front matter. The same node may lie in several places,
// where the file has aliases.
type node struct {
	kind  kind
	text  string // of a scalar, as written: 1.10 stays "1.10"
	typed bool   // a scalar that is no text for YAML: a number, a truth value
	items []*node
	pairs []pair
	size  int // of all below too, with aliases written out: 1 a value and 1 for each 64 bytes of text
}

// noText are the values besides numbers that some versions of YAML don't read as
// text where they stand without quotes.
var noText = regexp.MustCompile(`^(?:(?i:y|n|yes|no|on|off|true|false|null)|\d{4}-\d\d?-\d\d?)$`)

func newScalar(text string, typed bool) *node {
	return &node{kind: scalar, text: text, typed: typed, size: 1 + len(text)/64}
}

// pair is one key of a table, in the order of the file.
type pair struct {
	key   string
	value *node
}

// get returns the value of a key, or nil. Case, and whether words are joined by
// a hyphen or an underscore, does not matter. Of a key that is there twice the
// last one counts, as most readers of YAML have it.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	var found *node
	for _, p := range n.pairs {
		if plainKey(p.key) == key {
			found = p.value
		}
	}
	return found
}

// plainKey is a key as get compares it.
func plainKey(key string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), "_", "-")
}

// errTooMuch is about YAML that is made to break its reader; such a file is not
// repaired but refused.
var errTooMuch = &refused{reason: "The front matter grows beyond all measure when it is read"}

// parse reads YAML into one table or another value; nil where there is none.
func parse(text string, say *complaints) (root *node, err error) {
	if tooDeep(text) {
		return nil, errTooMuch
	}
	defer func() { // the parser is not ours and its input is hostile
		if r := recover(); r != nil {
			root, err = nil, fmt.Errorf("parse YAML: %v", r)
		}
	}()
	file, err := parser.ParseBytes([]byte(text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, fmt.Errorf("parse YAML: %w", err)
	}
	if len(file.Docs) != 1 {
		return nil, errors.New("more than one document")
	}
	if file.Docs[0].Body == nil {
		return nil, nil
	}
	b := builder{anchors: map[string]*node{}, say: say}
	if root, err = b.node(file.Docs[0].Body, 0); err == nil && root.size > maxSize {
		return nil, errTooMuch
	}
	return root, err
}

// tooDeep finds brackets and dashes in such numbers that the parser would drown.
func tooDeep(text string) bool {
	open := 0
	for line := range strings.Lines(text) {
		lead := line[:len(line)-len(strings.TrimLeft(line, "-? \t"))]
		if strings.Count(lead, "- ")+strings.Count(lead, "? ") > maxDepth {
			return true
		}
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			}
			if open > maxDepth {
				return true
			}
		}
	}
	return false
}

// builder makes nodes of a syntax tree.
type builder struct {
	anchors map[string]*node
	say     *complaints
}

func (b *builder) node(in ast.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errTooMuch
	}
	switch in := in.(type) {
	case nil, *ast.NullNode:
		return &node{size: 1}, nil
	case *ast.MappingNode:
		return b.table(in.Values, depth)
	case *ast.MappingValueNode:
		return b.table([]*ast.MappingValueNode{in}, depth)
	case *ast.SequenceNode:
		return b.list(in, depth)
	case *ast.AnchorNode:
		n, err := b.node(in.Value, depth+1)
		if err == nil {
			b.anchors[in.Name.GetToken().Value] = n
		}
		return n, err
	case *ast.AliasNode:
		name := in.Value.GetToken().Value
		if n, ok := b.anchors[name]; ok {
			return n, nil
		}
		return nil, fmt.Errorf("alias of %q, which there is not", name)
	case *ast.TagNode:
		return b.tagged(in, depth)
	case *ast.LiteralNode:
		return newScalar(in.Value.Value, false), nil
	case *ast.StringNode:
		return newScalar(in.Value, in.Token.Type == token.StringType && noText.MatchString(in.Value)), nil
	case ast.ScalarNode:
		return newScalar(in.GetToken().Value, true), nil
	}
	return nil, fmt.Errorf("a value of the kind %s", in.Type())
}

// tagged reads values with one of YAML's own tags. Others are mostly texts that
// begin with an exclamation mark.
func (b *builder) tagged(in *ast.TagNode, depth int) (*node, error) {
	tag := in.Start.Value
	if _, known := token.ReservedTagKeywordMap[token.ReservedTagKeyword(tag)]; !known {
		return nil, fmt.Errorf("unknown tag %q", tag)
	}
	n, err := b.node(in.Value, depth+1)
	if err == nil && tag == string(token.StringTag) {
		n.typed = false
	}
	return n, err
}

func (b *builder) list(in *ast.SequenceNode, depth int) (*node, error) {
	out := &node{kind: list, size: 1}
	for _, item := range in.Values {
		n, err := b.node(item, depth+1)
		if err != nil {
			return nil, err
		}
		out.items = append(out.items, n)
		out.size = min(out.size+n.size, maxSize+1)
	}
	return out, nil
}

func (b *builder) table(in []*ast.MappingValueNode, depth int) (*node, error) {
	out, seen := &node{kind: table, size: 1}, map[string]bool{}
	for _, p := range in {
		n, err := b.node(p.Value, depth+1)
		if err != nil {
			return nil, err
		}
		key := p.Key.GetToken().Value
		if seen[key] {
			b.say.warn("The key %q is there twice; the last one counts", clip(key))
		}
		seen[key] = true
		out.pairs = append(out.pairs, pair{key: key, value: n})
		out.size = min(out.size+n.size, maxSize+1)
	}
	return out, nil
}
