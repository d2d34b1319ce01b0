package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

var textType = reflect.TypeFor[encoding.TextUnmarshaler]()

// leaf is one key's value within a Config.
type leaf struct {
	path  []string
	value reflect.Value
}

func (l leaf) key() string { return strings.Join(l.path, ".") }

// leaves lists every key that exists in v, in the order of the struct.
func leaves(v reflect.Value, path ...string) []leaf {
	var out []leaf
	switch {
	case isLeaf(v.Type()):
		return []leaf{{path, v}}
	case v.Kind() == reflect.Map:
		for _, k := range v.MapKeys() {
			out = append(out, leaves(v.MapIndex(k).Elem(), append(path[:len(path):len(path)], k.String())...)...)
		}
		return out
	}
	for n := range v.NumField() {
		sub := path
		if name := v.Type().Field(n).Tag.Get("toml"); name != "" {
			sub = append(path[:len(path):len(path)], name)
		}
		out = append(out, leaves(v.Field(n), sub...)...)
	}
	return out
}

// isLeaf reports whether t is a value and no table.
func isLeaf(t reflect.Type) bool {
	switch {
	case reflect.PointerTo(t).Implements(textType):
		return true
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map:
		return false
	}
	return true
}

// child descends one step into a table. Entries of a map come into being by
// being named.
func child(v reflect.Value, name string) (reflect.Value, bool) {
	if v.Kind() == reflect.Map {
		return entry(v, name), true
	}
	for n := range v.NumField() {
		f := v.Type().Field(n)
		if f.Tag.Get("toml") == name {
			return v.Field(n), true
		}
		if !f.Anonymous {
			continue
		}
		if c, ok := child(v.Field(n), name); ok {
			return c, true
		}
	}
	return reflect.Value{}, false
}

func entry(m reflect.Value, name string) reflect.Value {
	if m.IsNil() {
		m.Set(reflect.MakeMap(m.Type()))
	}
	key := reflect.ValueOf(name)
	if e := m.MapIndex(key); e.IsValid() {
		return e.Elem()
	}
	e := reflect.New(m.Type().Elem().Elem())
	m.SetMapIndex(key, e)
	return e.Elem()
}

// assign sets a leaf from a decoded TOML value.
func assign(dst reflect.Value, v any) error {
	if dst.Kind() == reflect.Slice {
		return assignList(dst, v)
	}
	if u, ok := dst.Addr().Interface().(encoding.TextUnmarshaler); ok {
		s, ok := v.(string)
		if !ok {
			return wrongType("a string in quotes", v)
		}
		return u.UnmarshalText([]byte(s))
	}
	switch dst.Kind() {
	case reflect.String:
		s, ok := v.(string)
		if !ok {
			return wrongType("a string in quotes", v)
		}
		dst.SetString(s)
	case reflect.Int:
		n, ok := v.(int64)
		if !ok {
			return wrongType("a whole number", v)
		}
		dst.SetInt(n)
	case reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return wrongType("true or false", v)
		}
		dst.SetBool(b)
	default:
		panic("config: no way to assign " + dst.Type().String())
	}
	return nil
}

// assignList sets a list, or returns what is wrong with each of its entries, joined.
func assignList(dst reflect.Value, v any) error {
	items, ok := v.([]any)
	if !ok {
		return wrongType(`a list, like ["a", "b"]`, v)
	}
	list := reflect.MakeSlice(dst.Type(), len(items), len(items))
	var wrong []error
	for n, item := range items {
		if err := assign(list.Index(n), item); err != nil {
			wrong = append(wrong, fmt.Errorf("entry %d: %w", n+1, err))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	if len(items) == 0 {
		list = reflect.Zero(dst.Type())
	}
	dst.Set(list)
	return nil
}

// assignText sets a leaf from an environment variable: lists with commas.
func assignText(dst reflect.Value, s string) error {
	switch dst.Kind() {
	case reflect.Slice:
		items := []any{}
		for item := range strings.SplitSeq(s, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
		return assign(dst, items)
	case reflect.Int:
		n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a whole number", s)
		}
		return assign(dst, n)
	case reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", s)
		}
		return assign(dst, b)
	}
	return assign(dst, s)
}

// wrongType does not show the value: it may be a secret of the wrong type.
func wrongType(want string, got any) error {
	return fmt.Errorf("is %s; write %s", tomlType(got), want)
}

func tomlType(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case int64:
		return "a number"
	case float64:
		return "a number with a fraction"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date or time"
}
