package person

import (
	"context"
	"fmt"

	"talaria/storage"
)

// Forget erases everything in a person's partition, which holds their cards
// and documents too, and unties their accounts: whoever comes back with one is
// a stranger. What others keep about what was said in shared places is not
// touched. It is p's own request, made in a direct conversation.
func (d *Directory) Forget(ctx context.Context, p Principal) error {
	if !p.Direct {
		return fmt.Errorf("forget a person: %w", ErrForbidden)
	}
	f, err := d.lookUp(ctx, p.Identity)
	if err != nil {
		return fmt.Errorf("forget a person: %w", err)
	}
	// In this order: cut off anywhere, the next try from the same account
	// finds what is left.
	var all []storage.Partition
	for _, i := range identitiesOf(f.record) {
		if i != p.Identity && Home(i) != f.person {
			all = append(all, partition(Home(i)))
		}
	}
	all = append(all, partition(f.person), partition(Home(p.Identity)))
	for _, at := range all {
		if err := d.store.Erase(ctx, at); err != nil {
			return fmt.Errorf("forget a person: %w", err)
		}
	}
	d.forget(ctx, f.person)
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.been) // so that new visits are recorded at once
	return nil
}
