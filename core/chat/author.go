package chat

import "strings"

// Identity names an account on a platform by its immutable id, never by a
// display name or an address that can be given away.
type Identity struct {
	Platform  string `json:"platform"`
	Workspace string `json:"workspace,omitempty"` // empty where the platform's ids are global
	ID        string `json:"id"`
}

// String is the form used in configuration: "platform:id" or
// "platform:workspace:id"; the console's only person is "console".
func (i Identity) String() string {
	switch {
	case i.ID == "":
		return escape(i.Platform)
	case i.Workspace == "":
		return escape(i.Platform) + ":" + escape(i.ID)
	}
	return escape(i.Platform) + ":" + escape(i.Workspace) + ":" + escape(i.ID)
}

// ParseIdentity reads the form that String writes. It reports false for
// anything else, display names ("@name") included.
func ParseIdentity(s string) (Identity, bool) {
	if strings.ContainsAny(s, "@ \t") {
		return Identity{}, false
	}
	parts := strings.Split(s, ":")
	for n, p := range parts {
		if p == "" {
			return Identity{}, false
		}
		parts[n] = unescaper.Replace(p)
	}
	switch len(parts) {
	case 1:
		return Identity{Platform: parts[0]}, parts[0] == "console"
	case 2:
		return Identity{Platform: parts[0], ID: parts[1]}, true
	case 3:
		return Identity{Platform: parts[0], Workspace: parts[1], ID: parts[2]}, true
	}
	return Identity{}, false
}

var unescaper = strings.NewReplacer("%25", "%", "%2F", "/", "%23", "#", "%3A", ":")

// Author is who an event comes from, as the platform vouches for it.
type Author struct {
	Identity  Identity `json:"identity"`
	Name      string   `json:"name,omitempty"`      // display name: hostile data, for showing only
	Language  string   `json:"language,omitempty"`  // BCP 47, where the platform tells
	Self      bool     `json:"self,omitempty"`      // this bot itself
	Bot       bool     `json:"bot,omitempty"`       // another bot or a webhook
	Guest     bool     `json:"guest,omitempty"`     // from outside the workspace, or limited to a few channels
	Anonymous bool     `json:"anonymous,omitempty"` // speaks as a chat: carries no personal identity and no rights
}
