package briefing

import (
	"context"
	"fmt"
	"strings"

	"talaria/core/person"
)

// wishes are what a person told about how they want to be served. In a shared
// place there are none: they concern nobody else.
func (b *Briefing) wishes(ctx context.Context, who person.Principal) (string, error) {
	if !who.Direct {
		return "", nil
	}
	v, err := person.ReadSettings(ctx, b.store, who)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if v.Zone != "" {
		fmt.Fprintf(&out, "The person's time zone is %s.\n", v.Zone)
	}
	if v.Language != "" {
		fmt.Fprintf(&out, "The person wants answers in the language that they call %q.\n", v.Language)
	}
	return out.String(), nil
}
