package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"mime"
	"time"
	"unicode/utf8"

	"talaria/core/agent"
)

//go:embed files_read.md
var filesReadDescription string

// readAtOnce is how many bytes of a file one call returns.
const readAtOnce = 24 << 10

// filesRead reads a text file piece by piece.
type filesRead struct{ files *Files }

func (t *filesRead) Spec() agent.Spec {
	return agent.Spec{
		Name: "files_read", Description: filesReadDescription, Effect: agent.Read, Timeout: 20 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["name"],"properties":{
			"name":{"type":"string"},
			"offset":{"type":"integer","description":"byte to begin at; 0 if left out"}}}`),
	}
}

func (t *filesRead) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct {
		Name   string
		Offset int
	}](in)
	if err != nil {
		return agent.Result{}, err
	}
	file, data, err := t.files.Read(ctx, args.Name)
	if err != nil {
		return agent.Result{}, err
	}
	res := agent.Result{Origin: file.Origin}
	media, _, _ := mime.ParseMediaType(file.MIME)
	text, ok := plainText(data, media, file.MIME)
	switch {
	case !ok:
		return res, fmt.Errorf("%q is no text but %d bytes of %q", args.Name, len(data), media)
	case args.Offset < 0 || args.Offset > len(text):
		return res, fmt.Errorf("%q has %d bytes, there is nothing at %d", args.Name, len(text), args.Offset)
	}
	from, to := runeStart(text, args.Offset), runeStart(text, min(args.Offset+readAtOnce, len(text)))
	res.Text = text[from:to]
	if to < len(text) {
		res.Text += fmt.Sprintf("\n[bytes %d to %d of %d; go on with offset %d]", from, to, len(text), to)
	}
	return res, nil
}

// runeStart moves a place in a text back to where a letter begins.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}
