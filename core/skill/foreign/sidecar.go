package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"talaria/core/text"
)

// tell adds to the skills of a folder what the files beside them say.
func (r *reader) tell(root string) {
	usage := r.usage(path.Join(root, ".usage.json"))
	bundled := r.bundled(path.Join(root, ".bundled_manifest"))
	installed := r.installed(path.Join(root, ".hub/lock.json"))
	for i := range r.home.Skills {
		f := &r.home.Skills[i]
		names := f.names()
		if record, name := lookup(usage, names); name != "" {
			f.use(record)
			delete(usage, name)
		}
		if _, name := lookup(bundled, names); name != "" {
			f.Made = Bundled
		} else if _, name := lookup(installed, names); name != "" {
			f.Made = External
		}
	}
	r.tellTwins()
	if left := slices.Sorted(maps.Keys(usage)); len(left) > 0 {
		r.odd("There are counts of use for skills that are not there: %s", clip(strings.Join(left, ", ")))
	}
}

// tellTwins says which names are there twice among the skills in use.
func (r *reader) tellTwins() {
	first := map[string]string{}
	for _, f := range r.home.Skills {
		name := f.Manifest.Name
		switch {
		case name == "", f.State == Archived:
		case first[name] != "":
			r.odd("Two skills are called %q: %q and %q", name, first[name], f.Path)
		default:
			first[name] = f.Path
		}
	}
}

// lookup returns the entry of the first name that has one.
func lookup[V any](in map[string]V, names []string) (value V, name string) {
	for _, name := range names {
		if v, ok := in[name]; ok && name != "" {
			return v, name
		}
	}
	return value, ""
}

// usage reads the counts by skill.
func (r *reader) usage(p string) map[string]json.RawMessage {
	records := map[string]json.RawMessage{}
	r.json(p, &records)
	return records
}

// use takes over a record of usage. What it does not understand stays in it.
func (f *Found) use(record json.RawMessage) {
	var fields map[string]any
	if json.Unmarshal(record, &fields) != nil {
		return
	}
	f.Usage = Usage{
		Uses: count(fields["use_count"]), Views: count(fields["view_count"]), Patches: count(fields["patch_count"]),
		Created: instant(fields["created_at"]), Used: instant(fields["last_used_at"]), Record: record,
	}
	f.Pinned, _ = fields["pinned"].(bool)
	if fields["created_by"] == "agent" && f.Made == Unknown {
		f.Made = Agent
	}
	switch state := State(textOf(fields["state"])); {
	case f.State == Archived: // where it lies says more
	case state == Stale, state == Archived:
		f.State = state
	}
}

// bundled reads the names of the skills that came with the program: lines of a
// name, a colon and a hash.
func (r *reader) bundled(p string) map[string]bool {
	names := map[string]bool{}
	data, ok := r.file(p)
	if !ok {
		return names
	}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		names[strings.TrimSpace(name)] = true
	}
	return names
}

// installed reads the names of the skills that came from a registry.
func (r *reader) installed(p string) map[string]json.RawMessage {
	var lock struct {
		Installed map[string]json.RawMessage `json:"installed"`
	}
	r.json(p, &lock)
	return lock.Installed
}

// json reads a file into v. A file that is not there leaves v alone; one that is
// broken does too and is odd.
func (r *reader) json(p string, v any) bool {
	data, ok := r.file(p)
	if !ok {
		return false
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), v); err != nil {
		r.odd("%q is no JSON of the expected form and was left out", p)
		return false
	}
	return true
}

// file reads a file that need not be there. One that can't be taken is odd.
func (r *reader) file(p string) ([]byte, bool) {
	f, err := r.fsys.Open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		r.odd("%q can't be read", p)
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		r.odd("%q is no file", p)
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		r.odd("%q can't be read", p)
	case len(data) > maxFile:
		r.odd("%q has more than %d bytes and was left out", p, maxFile)
	case !utf8.Valid(data):
		r.odd("%q is not UTF-8 and was left out", p)
	default:
		return data, true
	}
	return nil, false
}

// count is a number that counts something.
func count(v any) int {
	n, _ := v.(float64)
	if n < 0 || n > 1<<31 {
		return 0
	}
	return int(n)
}

// instant is a time, as text or in seconds since 1970; zero where it is neither.
func instant(v any) time.Time {
	switch v := v.(type) {
	case float64:
		if v <= 0 || v > 1<<40 {
			return time.Time{}
		}
		return time.UnixMicro(int64(v * 1e6)).UTC()
	case string:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
			if at, err := time.Parse(layout, v); err == nil {
				return at.UTC()
			}
		}
	}
	return time.Time{}
}

// textOf is a value that is meant to be text.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return fmt.Sprint(v)
	}
	return ""
}

// clip shortens a text for a sentence.
func clip(s string) string { return text.Clip(s, 400) }
