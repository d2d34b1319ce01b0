package rehearsal

import (
	"strings"

	"talaria/core/agent"
)

// maxSaid is how many of a person's wishes a digest lists, the newest.
const maxSaid = 15

var (
	wantsWords  = words{"What the person said:", "对方说过的："}
	didWords    = words{"What was done:", "做过的："}
	wrongWords  = words{"What did not work:", "没有成功的："}
	openWords   = words{"Open:", "未完成的："}
	transcribed = lazily(`^(?:\(\d+ older messages[^\n]*\)\n)?(?:Person|You): `)
	wrong       = lazily(`^(?:error|failed|not done|not allowed|outcome unknown)`)
)

// sumUp answers the product's request to sum a conversation up, which comes
// without tools and with a transcript for its only message. It cannot tell what
// matters; it lists who said and did what.
func sumUp(r agent.Request) (string, bool) {
	if len(r.Tools) > 0 || len(r.Messages) != 1 || !transcribed().MatchString(r.Messages[0].Text) {
		return "", false
	}
	var said, did, failed []string
	open := ""
	for line := range strings.Lines(r.Messages[0].Text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "Person: "):
			open = brief(strings.TrimPrefix(line, "Person: "), 160)
			said = append(said, open)
		case strings.HasPrefix(line, "You: "):
			open = ""
		case strings.HasPrefix(line, "call "):
			did = append(did, brief(strings.TrimPrefix(line, "call "), 160))
		case strings.HasPrefix(line, "result of "):
			if _, result, _ := strings.Cut(line, ": "); wrong().MatchString(result) {
				failed = append(failed, brief(strings.TrimPrefix(line, "result of "), 160))
			}
		}
	}
	l := languageOf(strings.Join(said, " "))
	var parts []string
	add := func(head words, list []string) {
		if len(list) > 0 {
			parts = append(parts, head.in(l)+"\n"+bullets(list[max(0, len(list)-maxSaid):]))
		}
	}
	add(wantsWords, said)
	add(didWords, unique(did))
	add(wrongWords, unique(failed))
	if open != "" {
		add(openWords, []string{open})
	}
	return strings.Join(parts, "\n\n"), len(parts) > 0
}
