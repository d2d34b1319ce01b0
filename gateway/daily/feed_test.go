package daily_test

import (
	"strings"
	"testing"

	"talaria/core/tool"
	"talaria/gateway/daily"
)

const rss = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Harbour news</title>
<item><title>Ferry &amp; fog</title><link>https://harbour.example/1</link><guid>1</guid></item>ITEMS
</channel></rss>`

const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title>
<entry><id>urn:1</id><title type="html">Ferry</title><link rel="self" href="https://harbour.example/self"/><link href="https://harbour.example/1"/></entry>ITEMS
</feed>`

func TestFeedsAreToldByTheirEntries(t *testing.T) {
	tests := map[string]struct{ feed, more, want string }{
		"rss":              {rss, `<item><title>Crane</title><link>https://harbour.example/2</link></item>`, "Crane ([link](https://harbour.example/2))"},
		"atom":             {atom, `<entry><id>urn:2</id><title>Crane</title><link href="https://harbour.example/2"/></entry>`, "Crane ([link](https://harbour.example/2))"},
		"a link of a trap": {rss, `<item><title>Crane</title><link>javascript:alert(1)</link><guid>2</guid></item>`, "Crane\n"},
		"an edited title":  {strings.Replace(rss, "ITEMS", "<item><title>Crane</title><guid>3</guid></item>ITEMS", 1), "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			const at = "https://harbour.example/feed"
			spec := daily.Spec{Sections: []daily.Section{daily.Pages}, Pages: []string{at}}
			w.pages[at] = tool.Page{Media: "application/xml", Text: strings.Replace(tt.feed, "ITEMS", "", 1)}
			if text := w.run(spec, who()); text != "" {
				t.Errorf("the first look told\n%s", text)
			}
			now := strings.Replace(tt.feed, "ITEMS", tt.more, 1)
			w.pages[at] = tool.Page{Media: "application/xml", Text: strings.Replace(now, "<title>Crane</title><guid>3", "<title>A crane</title><guid>3", 1)}
			text := w.run(spec, who()) + "\n"
			if !strings.Contains(text, tt.want) || strings.Contains(text, "Ferry") || tt.want == "" && text != "\n" {
				t.Errorf("told\n%s", text)
			}
		})
	}
}

func TestAPageThatIsGoneIsToldOnce(t *testing.T) {
	w := newWorld(t)
	spec := daily.Spec{Sections: []daily.Section{daily.Pages}, Pages: []string{"https://gone.example/"}}
	if text := w.run(spec, who()); !strings.Contains(text, "could not be read, there is no answer") {
		t.Errorf("told\n%s", text)
	}
	if text := w.run(spec, who()); text != "" {
		t.Errorf("and again\n%s", text)
	}
}
