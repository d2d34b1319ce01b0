package script

import (
	"errors"
	"slices"
	"testing"
)

// FuzzInterpreter: whatever a script says, it is run by an interpreter of the
// list, with at most one short flag.
func FuzzInterpreter(f *testing.F) {
	for _, s := range []string{"#!/bin/sh", "#! /usr/bin/env python3 -u\n", "#!node\x00", "#!/bin/bash\t-e\r\n", "#!/usr/bin/env", "#!/bin/sh ../x", "echo"} {
		f.Add("scripts/a.py", []byte(s))
		f.Add("scripts/a", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		command, err := interpreter(name, text)
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		var known []string
		for _, language := range []string{"sh", "bash", "python3", "node"} {
			for _, dir := range searchPath {
				known = append(known, dir+"/"+language)
			}
		}
		if !slices.Contains(known, command[0]) || len(command) > 2 || len(command) == 2 && !flag.MatchString(command[1]) {
			t.Errorf("command %q", command)
		}
	})
}
