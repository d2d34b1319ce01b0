package redis

import (
	"crypto/sha1"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
)

//go:embed scripts/*.lua
var sources embed.FS

// script is one Lua script as the server knows it: by the SHA-1 of its text.
type script struct {
	name, text, sha string
}

// compose makes a script of some files in scripts/, the last of which gives it
// its name and the others the functions that it uses.
func compose(files ...string) (script, error) {
	var text strings.Builder
	for _, f := range files {
		source, err := sources.ReadFile("scripts/" + f + ".lua")
		if err != nil {
			return script{}, fmt.Errorf("read embedded script: %w", err)
		}
		text.Write(source)
	}
	sum := sha1.Sum([]byte(text.String()))
	return script{files[len(files)-1], text.String(), hex.EncodeToString(sum[:])}, nil
}

// scripts are all that the driver runs.
type scripts struct {
	apply, load, get, list, rows, due, stats, postings script
	acquire, renew, release, lease                     script
	putBlob, deleteBlob                                script
	register, forget, holds, inventory, erase, dump    script
	probe                                              script
}

func loadScripts() (scripts, error) {
	var s scripts
	for _, e := range []struct {
		to    *script
		files []string
	}{
		{&s.apply, []string{"clock", "guard", "document", "row", "index", "apply"}},
		{&s.load, []string{"clock", "guard", "document", "row", "index", "load"}},
		{&s.get, []string{"clock", "get"}},
		{&s.list, []string{"clock", "document", "list"}},
		{&s.rows, []string{"clock", "row", "rows"}},
		{&s.due, []string{"clock", "due"}},
		{&s.stats, []string{"stats"}},
		{&s.postings, []string{"postings"}},
		{&s.acquire, []string{"clock", "guard", "acquire"}},
		{&s.renew, []string{"clock", "renew"}},
		{&s.release, []string{"release"}},
		{&s.lease, []string{"clock", "lease"}},
		{&s.putBlob, []string{"clock", "guard", "putblob"}},
		{&s.deleteBlob, []string{"deleteblob"}},
		{&s.register, []string{"clock", "register"}},
		{&s.forget, []string{"clock", "forget"}},
		{&s.holds, []string{"clock", "holds"}},
		{&s.inventory, []string{"inventory"}},
		{&s.erase, []string{"names", "erase"}},
		{&s.dump, []string{"clock", "names", "dump"}},
		{&s.probe, []string{"probe"}},
	} {
		var err error
		if *e.to, err = compose(e.files...); err != nil {
			return scripts{}, err
		}
	}
	return s, nil
}
