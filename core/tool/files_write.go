package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

//go:embed files_write.md
var filesWriteDescription string

// filesWrite makes text files, which can be sent with the answer.
type filesWrite struct{ files *Files }

func (t *filesWrite) Spec() agent.Spec {
	return agent.Spec{
		Name: "files_write", Description: filesWriteDescription, Effect: agent.Idempotent, Permission: "files", Timeout: 20 * time.Second,
		Schema: json.RawMessage(`{"type":"object","required":["name","text"],"properties":{
			"name":{"type":"string","description":"such as report.md; no folders"},
			"text":{"type":"string","description":"the whole content, at most 100 KB"},
			"send":{"type":"boolean","description":"send the file along with your answer"}}}`),
	}
}

func (t *filesWrite) Call(ctx context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct {
		Name, Text string
		Send       bool
	}](in)
	if err != nil {
		return agent.Result{}, err
	}
	file, err := t.files.Write(ctx, args.Name, args.Text, chat.Worst(chat.Member, in.Context))
	if err != nil {
		return agent.Result{}, err
	}
	res := agent.Result{Text: fmt.Sprintf("%q is written, %d bytes.", file.Name, file.Size), Origin: chat.Self}
	if args.Send {
		res.Text += " It will be sent with your answer."
		res.Files = []chat.Upload{{Name: file.Name, MIME: file.MIME, Data: []byte(args.Text)}}
	}
	return res, nil
}
