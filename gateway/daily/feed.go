package daily

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"
)

// feed is RSS 2.0 (www.rssboard.org/rss-specification), RSS 1.0, whose items
// stand beside the channel, or Atom (RFC 4287), in one shape.
type feed struct {
	XMLName xml.Name
	Channel struct {
		Items []feedItem `xml:"item"`
	} `xml:"channel"`
	Items   []feedItem `xml:"item"`
	Entries []feedItem `xml:"entry"`
}

// feedItem is one entry. Title may hold markup, of which only the text counts.
type feedItem struct {
	GUID  string `xml:"guid"`
	ID    string `xml:"id"`
	Title struct {
		Text string `xml:",chardata"`
	} `xml:"title"`
	Links []struct {
		Href string `xml:"href,attr"`
		Rel  string `xml:"rel,attr"`
		Text string `xml:",chardata"`
	} `xml:"link"`
}

// parseFeed reads a feed that was decoded to UTF-8; nil for any other text. What
// follows a fault in it is left out.
func parseFeed(text string) []entry {
	if !strings.HasPrefix(strings.TrimSpace(text), "<") {
		return nil
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var f feed
	err := d.Decode(&f)
	switch f.XMLName.Local {
	case "rss", "RDF", "feed":
	default:
		return nil
	}
	out := []entry{}
	for _, group := range [][]feedItem{f.Channel.Items, f.Items, f.Entries} {
		for _, it := range group {
			if e := it.entry(); e.id != "" {
				out = append(out, e)
			}
		}
	}
	if err != nil && len(out) == 0 {
		return nil
	}
	return out
}

func (it feedItem) entry() entry {
	e := entry{text: strings.TrimSpace(it.Title.Text)}
	for _, l := range it.Links {
		if at := strings.TrimSpace(cmp.Or(l.Href, l.Text)); e.link == "" && (l.Rel == "" || l.Rel == "alternate") {
			e.link = at
		}
	}
	if !strings.HasPrefix(e.link, "https://") && !strings.HasPrefix(e.link, "http://") {
		e.link = ""
	}
	e.id = cmp.Or(strings.TrimSpace(it.GUID), strings.TrimSpace(it.ID), e.link, e.text)
	e.text = cmp.Or(e.text, e.link, e.id)
	return e
}
