package skill

import (
	"context"
	"fmt"
	"slices"
	"time"

	"talaria/core/chat"
	"talaria/core/person"
	"talaria/storage"
)

// auditLog is the log of decisions in each partition. It is only added to.
const auditLog = "skill.audit"

// Entry is one decision in the audit log, refused ones too.
type Entry struct {
	At      time.Time     `json:"at"`
	Action  string        `json:"action"` // such as "approve"
	Ref     Ref           `json:"ref"`
	Hash    string        `json:"hash,omitempty"`
	By      person.ID     `json:"by,omitempty"` // empty: Talaria itself
	As      chat.Identity `json:"as,omitzero"`
	Role    person.Role   `json:"role,omitempty"`
	Place   string        `json:"place,omitempty"`
	Reason  string        `json:"reason,omitempty"`
	Grant   string        `json:"grant,omitempty"`   // the policy that authorised it, where no person did
	Refused string        `json:"refused,omitempty"` // why; empty: it was done
}

// entry is what p does. The zero principal is Talaria itself.
func entry(action string, p person.Principal, r Ref, hash, reason string) Entry {
	e := Entry{Action: action, Ref: r, Hash: hash, By: p.Person, As: p.Identity, Role: p.Role, Reason: clip(reason)}
	if p.Person != "" {
		e.Place = p.Place.String()
	}
	return e
}

// logRefusal keeps that something was refused.
func (l *Library) logRefusal(ctx context.Context, s Scope, e Entry, why error) error {
	if !isRefusal(why) {
		return nil
	}
	e.Refused = why.Error()
	if _, err := l.store.Commit(ctx, storage.On(s.partition()).Append(auditLog, e)); err != nil {
		return fmt.Errorf("log a refusal: %w", err)
	}
	return nil
}

// Audit are the last limit entries about the scopes that p may decide in where
// p acts, the latest first.
func (l *Library) Audit(ctx context.Context, p person.Principal, limit int) ([]Entry, error) {
	scopes, err := l.scopes(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	var out []Entry
	seen := map[storage.Partition]bool{}
	for _, s := range scopes {
		if l.mayDecide(ctx, p, s) != nil || seen[s.partition()] {
			continue
		}
		seen[s.partition()] = true
		entries, err := storage.TailLog[Entry](ctx, l.store, s.partition(), auditLog, limit)
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
		for _, e := range entries {
			if slices.Contains(scopes, e.Value.Ref.Scope) {
				out = append(out, e.Value)
			}
		}
	}
	slices.Reverse(out) // of one instant, the latest first as well
	slices.SortStableFunc(out, func(a, b Entry) int { return b.At.Compare(a.At) })
	return out[:min(limit, len(out))], nil
}
