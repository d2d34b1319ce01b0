package tool_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"talaria/core/person"
	"talaria/core/tool"
)

func TestPagesAreReadUnderTheOperatorsPolicy(t *testing.T) {
	site, client := web(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/shop":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(document))
		case "/feed":
			w.Header().Set("Content-Type", "application/rss+xml")
			_, _ = w.Write([]byte("<rss/>"))
		default:
			http.NotFound(w, r)
		}
	})
	member := person.Principal{Role: person.Member, Direct: true}
	set := &tool.Set{Web: client}
	if p, err := set.Page(t.Context(), member, site.URL+"/shop"); err != nil || !p.HTML || p.Title != "The Tea Shop" || !strings.Contains(p.Text, "Sencha") {
		t.Errorf("read %+v, %v", p, err)
	}
	if p, err := set.Page(t.Context(), member, site.URL+"/feed"); err != nil || p.HTML || p.Text != "<rss/>" || p.Media != "application/rss+xml" {
		t.Errorf("read %+v, %v", p, err)
	}
	if _, err := set.Page(t.Context(), member, site.URL+"/gone"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a page that is gone came to %v", err)
	}
	if _, err := set.Page(t.Context(), member, "http://127.0.0.1:1/"); err == nil {
		t.Error("a private address was read")
	}
	if _, err := set.Page(t.Context(), person.Principal{Role: person.Guest}, site.URL+"/shop"); !errors.Is(err, tool.ErrNoPages) {
		t.Errorf("a guest had a page read: %v", err)
	}
	set.Policy = tool.Policy{{Scope: tool.Everywhere, Tool: "fetch", Decision: tool.Ask}}
	if _, err := set.Page(t.Context(), member, site.URL+"/shop"); !errors.Is(err, tool.ErrNoPages) {
		t.Errorf("a page was read that takes a yes: %v", err)
	}
}
