package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

//go:embed files_list.md
var filesListDescription string

// filesList shows the conversation's files.
type filesList struct{ files *Files }

func (t *filesList) Spec() agent.Spec {
	return agent.Spec{
		Name: "files_list", Description: filesListDescription, Effect: agent.Read, Timeout: 10 * time.Second,
		Schema: json.RawMessage(`{"type":"object","properties":{}}`),
	}
}

func (t *filesList) Call(ctx context.Context, _ agent.Invocation) (agent.Result, error) {
	files, err := t.files.List(ctx)
	if err != nil {
		return agent.Result{}, err
	}
	if len(files) == 0 {
		return agent.Result{Text: "There are no files.", Origin: chat.Self}, nil
	}
	res := agent.Result{Origin: chat.Member}
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "- %q, %d bytes, %s", f.Name, f.Size, f.At.Format("2006-01-02 15:04 UTC"))
		switch {
		case f.Missing != "":
			fmt.Fprintf(&b, ", attached, not copied: %s", f.Missing)
		case f.Attached:
			fmt.Fprintf(&b, ", attached, %q", f.MIME)
		}
		b.WriteByte('\n')
		res.Origin = chat.Worst(res.Origin, f.Origin)
	}
	res.Text = strings.TrimSpace(b.String())
	return res, nil
}
