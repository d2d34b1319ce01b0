package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// checkArgs checks arguments against the part of a JSON Schema that decides
// whether a tool can make sense of them at all: the required members, and the
// types at the top level. The rest is the tool's.
func checkArgs(schema, args json.RawMessage) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(args, &object); err != nil || object == nil {
		return errNoObject
	}
	if _, ok := object[invalidKey]; ok {
		return errNoObject
	}
	var s struct {
		Required   []string
		Properties map[string]struct{ Type any }
	}
	if len(schema) > 0 {
		if err := json.Unmarshal(schema, &s); err != nil {
			return fmt.Errorf("this tool's schema can't be read: %w", err)
		}
	}
	for _, name := range s.Required {
		if v, ok := object[name]; !ok || string(v) == "null" {
			return fmt.Errorf("the argument %q is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		want, ok := s.Properties[name].Type.(string)
		if ok && string(object[name]) != "null" && !isType(object[name], want) {
			return fmt.Errorf("the argument %q must be of type %s", name, want)
		}
	}
	return nil
}

var errNoObject = errors.New("the arguments are no valid JSON object")

// isType reports whether a valid JSON value is of a JSON Schema type; unknown
// types are left to the tool.
func isType(v json.RawMessage, want string) bool {
	switch want {
	case "string":
		return v[0] == '"'
	case "object":
		return v[0] == '{'
	case "array":
		return v[0] == '['
	case "boolean":
		return v[0] == 't' || v[0] == 'f'
	case "number":
		return v[0] == '-' || v[0] >= '0' && v[0] <= '9'
	case "integer":
		var f float64
		return json.Unmarshal(v, &f) == nil && f == float64(int64(f))
	}
	return true
}
