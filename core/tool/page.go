package tool

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"talaria/core/person"
)

// Page is a page or feed as it was fetched: all of it is External.
type Page struct {
	Address string // where it was found in the end
	Title   string // of a page in HTML
	Text    string // what a reader sees of a page in HTML; else the body as text
	HTML    bool
	Media   string // of what is not in HTML
}

// ErrNoPages: this person may have no pages fetched here.
var ErrNoPages = errors.New("no pages may be fetched here")

// Page fetches a page that a person named beforehand, with no turn around it.
// Where the operator denies the fetching of pages, or wants to be asked each
// time, it returns ErrNoPages. Other errors are words for the person.
func (s *Set) Page(ctx context.Context, who person.Principal, address string) (Page, error) {
	f := &fetch{client: s.Web, linked: map[string]bool{}}
	if s.Web == nil || s.Policy.Decide(who, f.Spec()) != Allow {
		return Page{}, ErrNoPages
	}
	u, err := parseURL(address)
	if err != nil {
		return Page{}, err
	}
	answer, body, err := f.get(ctx, u)
	if err != nil {
		return Page{}, err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return Page{}, fmt.Errorf("fetch %s: the server answered %d", u.Host, answer.StatusCode)
	}
	return f.page(answer, body)
}
