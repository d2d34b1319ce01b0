package telegram

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// The documented limits (core.telegram.org/bots/api#sendmessage,
// #inlinekeyboardbutton).
const (
	maxText     = 4096 // UTF-16 code units after parsing entities
	maxCaption  = 1024 // likewise (core.telegram.org/bots/api#senddocument)
	maxEntities = 100  // later ones are dropped without a word
	maxData     = 64   // bytes
)

func units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

func checkText(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "message text is empty"
	case units(text) > maxText:
		return "message is too long"
	}
	return ""
}

// checkEntities refuses an entity that lies outside the text, and drops those
// past the hundredth.
func checkEntities(text string, entities []Entity) ([]Entity, string) {
	if len(entities) == 0 {
		return nil, ""
	}
	n := units(text)
	for _, e := range entities {
		switch {
		case e.Offset < 0 || e.Length <= 0 || e.Offset+e.Length > n:
			return nil, fmt.Sprintf("entity %s at %d, %d long, ends after the end of the text at UTF-16 offset %d", e.Type, e.Offset, e.Length, n)
		case e.Type == "text_link" && e.URL == "":
			return nil, "entity of type text_link has no URL"
		}
	}
	return entities[:min(len(entities), maxEntities)], ""
}

func checkButtons(rows [][]Button) string {
	for _, row := range rows {
		for _, b := range row {
			switch {
			case b.Text == "":
				return "inline keyboard button text is empty"
			case b.URL == "" && (b.Data == "" || len(b.Data) > maxData):
				return "BUTTON_DATA_INVALID"
			}
		}
	}
	return ""
}

// mention is what Telegram makes a mention of by itself.
var mention = regexp.MustCompile(`(?:^|[^\pL\pN_/.@])@([A-Za-z][A-Za-z0-9_]{3,31})`)

// judge logs what Telegram would take but no call of ours may do.
func (s *Server) judge(c *call, text string, entities []Entity) {
	where := c.method + " into " + decimal(int64(c.params.Chat))
	if c.params.ParseMode != "" {
		s.Breach(where + " with parse_mode " + c.params.ParseMode)
	}
	if !c.params.Preview.v.Disabled && c.method != "sendMessageDraft" { // a draft shows none
		s.Breach(where + " with a live link preview")
	}
	if len(c.params.Entities.v) > maxEntities {
		s.Breach(fmt.Sprintf("%s with %d entities: the last are lost", where, len(c.params.Entities.v)))
	}
	if pair, bad := nested(entities); bad {
		s.Breach(where + " with entities that don't go together: " + pair)
	}
	for _, e := range entities {
		if e.Type == "text_mention" || strings.HasPrefix(e.URL, "tg://") {
			s.Breach(where + " with a mention by entity")
		}
	}
	for _, at := range mention.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		if name != BotName && !covered(units(text[:at[2]]), entities) {
			s.Breach(where + " notifies @" + name)
		}
	}
}

// single are the entities that hold no other and are part of none but a quote
// (core.telegram.org/bots/api#formatting-options): code stands alone, a link
// holds no mention.
var single = map[string]bool{"code": true, "pre": true, "text_link": true}

// covered reports whether a UTF-16 offset lies where nothing is made a mention.
func covered(offset int, entities []Entity) bool {
	for _, e := range entities {
		if single[e.Type] && offset >= e.Offset && offset < e.Offset+e.Length {
			return true
		}
	}
	return false
}

// nested finds an entity that may not be where it is.
func nested(entities []Entity) (string, bool) {
	for n, e := range entities {
		for _, o := range entities[n+1:] {
			apart := e.Offset+e.Length <= o.Offset || o.Offset+o.Length <= e.Offset
			inside := e.Offset <= o.Offset && o.Offset+o.Length <= e.Offset+e.Length || o.Offset <= e.Offset && e.Offset+e.Length <= o.Offset+o.Length
			styles := !alone(e) && !alone(o) && !(e.Type == "text_link" && o.Type == "text_link")
			quote := strings.HasSuffix(e.Type, "blockquote") || strings.HasSuffix(o.Type, "blockquote")
			if !apart && !(inside && (styles || quote)) {
				return fmt.Sprintf("%s at %d and %s at %d", e.Type, e.Offset, o.Type, o.Offset), true
			}
		}
	}
	return "", false
}

func alone(e Entity) bool { return e.Type == "code" || e.Type == "pre" }
