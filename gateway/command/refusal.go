package command

import (
	"context"

	"talaria/core/chat"
	"talaria/gateway/wording"
)

// Refusal is what a command returns as its error when it did nothing of what
// was asked, and says so. In chat it is an answer like any other, see
// [Table.Run]; the shell makes an exit status of it.
type Refusal struct {
	Post  chat.Post
	Usage bool // the words were not understood
}

func (r *Refusal) Error() string { return r.Post.Markdown }

// Refuse is the outcome of a command that could not do what it was asked.
func Refuse(ctx context.Context, format string, args ...any) (chat.Post, error) {
	return chat.Post{}, &Refusal{Post: wording.Say(ctx, format, args...)}
}

// Misused is the outcome of a command that was not understood.
func Misused(ctx context.Context, format string, args ...any) (chat.Post, error) {
	return chat.Post{}, &Refusal{Post: wording.Say(ctx, format, args...), Usage: true}
}
