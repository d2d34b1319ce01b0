package person

import "talaria/core/chat"

// SessionKey names the session that an event belongs to: a direct
// conversation, a thread or topic, or else the place and the person. It is
// the only function that makes such a key. Within a shard, keys are unique.
func SessionKey(e chat.Event, who ID) string {
	switch {
	case e.Address.Thread != "", e.Direct:
		return e.Address.String()
	}
	return e.Address.String() + ":" + string(who)
}
