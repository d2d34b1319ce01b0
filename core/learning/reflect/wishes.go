package reflect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"talaria/core/learning/propose"
	"talaria/core/memory"
	"talaria/core/person"
	"talaria/core/skill"
	"talaria/core/skill/edit"
	"talaria/core/skill/manifest"
	"talaria/core/tool"
)

// files are a skill's.
type files = manifest.Bundle

// wishes is what a review's tools write to: nothing happens before it is over.
type wishes struct {
	who     person.Principal
	library Library
	cards   []DigestCard

	mu     sync.Mutex
	rules  []propose.Rule
	drafts []propose.Draft

	news []string // lines of what came of them that no card told
}

var (
	_ tool.Memory = (*wishes)(nil)
	_ tool.Author = (*wishes)(nil)
)

// wished is the confidence of what a review's tools write, which state none:
// what one task is good for.
const wished = 0.75

var errNoRemoval = errors.New("a review removes nothing; say in the report what is wrong")

// Add implements tool.Memory.
func (w *wishes) Add(_ context.Context, k memory.Kind, statement string, _ memory.Source) (memory.Added, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rules = append(w.rules, propose.Rule{Then: statement, Kind: k, Confidence: wished})
	return memory.Added{}, nil
}

// Replace implements tool.Memory: the new statement speaks against the old.
func (w *wishes) Replace(_ context.Context, old, statement string, _ memory.Source) (memory.Added, error) {
	r := propose.Rule{Then: statement, Kind: memory.Work, Confidence: wished}
	for _, c := range w.cards {
		if strings.Contains(c.Statement, old) {
			r.Contradicts = append(r.Contradicts, c.ID)
		}
	}
	if len(r.Contradicts) != 1 {
		return memory.Added{}, memory.ErrAmbiguous
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rules = append(w.rules, r)
	return memory.Added{}, nil
}

// Remove implements tool.Memory.
func (w *wishes) Remove(context.Context, string, memory.Source) (memory.Card, error) {
	return memory.Card{}, errNoRemoval
}

// Propose implements tool.Author. The changes are tried at once, so that the
// model can correct a piece that it quoted wrongly.
func (w *wishes) Propose(ctx context.Context, s tool.SkillWish) (string, error) {
	var before files
	switch found, err := w.library.Find(ctx, w.who, s.Name); {
	case err == nil && found.InForce > 0:
		if before, err = w.library.Bundle(ctx, w.who, found.At(found.InForce)); err != nil {
			return "", err
		}
	case err != nil && !errors.Is(err, skill.ErrNotFound):
		return "", err
	}
	after, err := edit.Apply(before, s.Changes)
	if err != nil {
		return "", err
	}
	if _, _, err := after.Manifest(s.Name); err != nil {
		return "", fmt.Errorf("the skill can't be read: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drafts = append(w.drafts, propose.Draft{Name: s.Name, Reason: s.Reason, Changes: s.Changes, Confidence: wished})
	return "Noted: it is proposed when this review is over.", nil
}

// Archive implements tool.Author.
func (w *wishes) Archive(context.Context, string, string) (string, error) {
	return "", errNoRemoval
}
