package daily

import (
	"strings"
	"testing"
)

func FuzzParseFeed(f *testing.F) {
	f.Add(`<rss><channel><item><title>a</title><guid>1</guid></item></channel></rss>`)
	f.Add(`<feed><entry><id>x</id><link href="http://h.example"/></entry></feed>`)
	f.Add(`<rdf:RDF xmlns:rdf="x"><item><link>http://h.example</link></item></rdf:RDF>`)
	f.Add(`<rss><channel><item><title>&lt;b&gt;`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range parseFeed(text) {
			if e.id == "" || e.text == "" {
				t.Errorf("an entry without id or text: %+v", e)
			}
			if e.link != "" && !strings.HasPrefix(e.link, "http") {
				t.Errorf("a link to %q", e.link)
			}
		}
	})
}
