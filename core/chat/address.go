package chat

import "strings"

// Address is where something was said and where an answer to it belongs. It
// travels as one value from the inbound event to every send.
type Address struct {
	Platform  string `json:"platform"`            // the adapter's name
	Workspace string `json:"workspace,omitempty"` // tenant on the platform; empty where ids are global
	Chat      string `json:"chat"`                // channel, group or direct conversation
	Thread    string `json:"thread,omitempty"`    // thread root or topic; empty for none
}

// Place is the address without its thread: the unit that membership, scopes
// and shards are decided by.
func (a Address) Place() Address {
	a.Thread = ""
	return a
}

// String is the canonical form "platform/workspace/chat[#thread]", in which
// the separators are escaped inside parts. It is used in keys and logs.
func (a Address) String() string {
	s := escape(a.Platform) + "/" + escape(a.Workspace) + "/" + escape(a.Chat)
	if a.Thread != "" {
		s += "#" + escape(a.Thread)
	}
	return s
}

var escaper = strings.NewReplacer("%", "%25", "/", "%2F", "#", "%23", ":", "%3A")

func escape(s string) string { return escaper.Replace(s) }

// ParseAddress reads what String wrote. It reports false for anything else.
func ParseAddress(s string) (Address, bool) {
	place, thread, _ := strings.Cut(s, "#")
	parts := strings.Split(place, "/")
	if len(parts) != 3 {
		return Address{}, false
	}
	a := Address{
		Platform: unescaper.Replace(parts[0]), Workspace: unescaper.Replace(parts[1]),
		Chat: unescaper.Replace(parts[2]), Thread: unescaper.Replace(thread),
	}
	return a, a.String() == s
}
