package daily

import (
	"context"

	"talaria/core/person"
	"talaria/gateway/wording"
	"talaria/scheduler"
	"talaria/scheduler/when"
)

// Ordered sets up a briefing that was asked for in words, with all there is to
// tell, where it was asked for; or has the one that there is come at those times.
// It says the briefing back.
func (d *Desk) Ordered(ctx context.Context, who person.Principal, key string, s when.Schedule) (string, error) {
	lang := wording.In(ctx)
	kind := Spec{}
	if !who.Direct {
		kind.Space = who.Place.Place()
	}
	old, err := d.earlier(ctx, who, kind)
	if err != nil {
		return "", err
	}
	if len(old) > 0 {
		b := old[0]
		j, err := b.desk.Edit(ctx, b.ID, scheduler.Change{Schedule: s})
		if err != nil {
			return "", err
		}
		post, err := d.shown(ctx, j, b.spec, lang)
		return post.Markdown, err
	}
	desk, err := d.Jobs(ctx, who)
	if err != nil {
		return "", err
	}
	v := newDraft(key, who.Place, lang)
	v.Where = "here"
	post, err := d.have(ctx, desk, who, v, s)
	return post.Markdown, err
}
