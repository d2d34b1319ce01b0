package config

import "regexp"

// Trigger is a webhook that has something done once for each call.
type Trigger struct {
	Secret Secret `toml:"secret"` // signs the calls; at least minSecret characters
	Owner  Person `toml:"owner"`
	Place  Place  `toml:"place"` // zero: the owner's direct conversation
	Prompt string `toml:"prompt"`
	Say    string `toml:"say"` // in place of Prompt
}

// minSecret is the least length of a trigger's secret, in characters.
const minSecret = 32

// triggerName is the form of a name that stands in an address.
var triggerName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

func (l *loader) checkTrigger(key, name string, t Trigger) {
	if !triggerName.MatchString(name) {
		l.bad(key, "the name stands in the address of the webhook and does not fit", "use up to 32 characters of a-z 0-9 -")
	}
	if len(t.Secret.Reveal()) < minSecret {
		l.bad(key+".secret", "a trigger needs a secret of at least 32 characters", "make one with: openssl rand -hex 32")
	}
	if t.Owner.Platform == "" || t.Owner.Everyone {
		l.bad(key+".owner", "names nobody", "name the person whose rights the trigger has")
	}
	if (t.Prompt == "") == (t.Say == "") {
		l.bad(key+".prompt", "exactly one of prompt and say is needed", "set what is to be worked on, or what is to be said")
	}
	if l.cfg.Web.Listen == Off {
		l.bad(key, "a trigger needs web.listen, which is off", "set web.listen, or take the trigger out")
	}
}
