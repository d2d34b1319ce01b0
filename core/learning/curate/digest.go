package curate

import (
	"context"
	"fmt"
	"time"

	"talaria/core/skill"
)

// Digest is how the skills of a scope have done.
type Digest struct {
	Scope   skill.Scope
	At      time.Time
	Keep    []Entry
	Improve []Entry
	Prune   []Entry
	Failed  []Entry // their health check, just now: they are out of use
	Ailing  []Entry // failed it too, and are their people's to put away
}

// Entry is one skill in a digest.
type Entry struct {
	Name     string
	Revision int // in force
	Why      string
}

// Empty reports whether there is nothing to tell.
func (d Digest) Empty() bool {
	return len(d.Keep)+len(d.Improve)+len(d.Prune)+len(d.Failed)+len(d.Ailing) == 0
}

// Digest is that of a scope as it is now, all used skills in it.
func (c *Curator) Digest(ctx context.Context, s skill.Scope) (Digest, error) {
	l, err := c.look(ctx, s)
	if err != nil {
		return Digest{}, err
	}
	return Digested(l, c.cfg.Limits), nil
}

// Digested sorts the skills of a look by how they did of late. Those that were
// hardly used are in none of its parts.
func Digested(l Look, lim Limits) Digest {
	d := Digest{Scope: l.Scope, At: l.Now}
	for _, s := range l.Skills {
		if !s.Live() || len(s.Uses) < lim.Enough {
			continue
		}
		rate := success(s.Uses)
		e := Entry{Name: s.Name, Revision: s.InForce, Why: fmt.Sprintf("%.0f %% of the last %d uses succeeded, %d uses in all", 100*rate, len(s.Uses), s.Stats.Uses())}
		if n := corrections(s.Uses); n > 0 {
			e.Why += fmt.Sprintf(", corrections: %d", n)
		}
		switch {
		case rate > lim.Keep:
			d.Keep = append(d.Keep, e)
		case rate < lim.Prune:
			d.Prune = append(d.Prune, e)
		default:
			d.Improve = append(d.Improve, e)
		}
	}
	return d
}

func corrections(uses []skill.Use) int {
	n := 0
	for _, u := range uses {
		n += u.Corrections
	}
	return n
}
