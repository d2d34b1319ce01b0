package home

import (
	"talaria/core/chat"
	"talaria/gateway/wording"
)

// prompts are what may be said in an empty conversation.
func prompts(l wording.Language) []chat.Prompt {
	return []chat.Prompt{
		{Label: l.Text("What can you do?"), Text: l.Text("What can you do for me here?")},
		{Label: l.Text("What do you remember?"), Text: l.Text("What do you remember about me and my work?")},
		{Label: l.Text("Remind me tomorrow"), Text: l.Text("Remind me tomorrow at 9:00 to plan the day.")},
		{Label: l.Text("What have you learned?"), Text: l.Text("Which skills have you learned, and what are they for?")},
	}
}
