package foreign

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

const (
	// maxConfig is the longest configuration that is given to the YAML parser,
	// whose work grows with the square of its input.
	maxConfig = 64 << 10
	// maxNested bounds how deep settings lie in each other.
	maxNested = 8
)

// config takes two things from the configuration: which skills are switched off
// and how skills were set. All the rest is of that program.
func (r *reader) config() {
	const name = "config.yaml"
	data, ok := r.file(name)
	if !ok {
		return
	}
	skills, err := skillsOf(data)
	if err != nil {
		r.odd("%q can't be read: skills that it switches off count as active, and how they were set is lost", name)
		return
	}
	var disabled []string
	if list, ok := value(skills, "disabled").(*ast.SequenceNode); ok {
		for _, item := range list.Values {
			disabled = append(disabled, item.GetToken().Value)
		}
	}
	for i := range r.home.Skills {
		f := &r.home.Skills[i]
		if f.State != Archived && slices.ContainsFunc(f.names(), func(n string) bool { return slices.Contains(disabled, n) }) {
			f.State = Disabled
		}
	}
	r.settings("", value(skills, "config"), 0)
}

// skillsOf returns the part of a configuration that is about skills, nil where
// there is none. Only its syntax is looked at, so no alias is ever followed.
func skillsOf(data []byte) (skills ast.Node, err error) {
	if len(data) > maxConfig {
		return nil, fmt.Errorf("more than %d bytes", maxConfig)
	}
	defer func() { // the parser is not ours and its input may be anybody's
		if r := recover(); r != nil {
			skills, err = nil, fmt.Errorf("parse YAML: %v", r)
		}
	}()
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, fmt.Errorf("parse YAML: %w", err)
	}
	if len(file.Docs) != 1 {
		return nil, errors.New("not one document")
	}
	return value(file.Docs[0].Body, "skills"), nil
}

// pairs are the entries of a table; none of anything else.
func pairs(n ast.Node) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	return nil
}

// value returns what a table has under a key, or nil.
func value(n ast.Node, key string) ast.Node {
	for _, p := range pairs(n) {
		if p.Key.GetToken().Value == key {
			return p.Value
		}
	}
	return nil
}

// settings lists the values of a table by their dotted paths.
func (r *reader) settings(prefix string, n ast.Node, depth int) {
	if depth > maxNested {
		return
	}
	for _, p := range pairs(n) {
		key := prefix + p.Key.GetToken().Value
		switch v := p.Value.(type) {
		case *ast.MappingNode, *ast.MappingValueNode:
			r.settings(key+".", v, depth+1)
		case *ast.LiteralNode:
			r.home.Settings = append(r.home.Settings, Setting{Key: key, Value: v.Value.Value})
		case *ast.NullNode:
		case ast.ScalarNode:
			r.home.Settings = append(r.home.Settings, Setting{Key: key, Value: v.GetToken().Value})
		default:
			r.odd("The setting %q is no single value and was left out", clip(key))
		}
	}
}
