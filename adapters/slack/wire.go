package slack

import (
	"encoding/json"
	"errors"
)

// read decodes data into v and reports whether there was JSON. A field that
// has changed its shape is left empty; it alone is lost, and not the event.
func read(data []byte, v any) bool {
	err := json.Unmarshal(data, v)
	_, soft := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || soft
}

// outer is what every delivery of Slack's has around it: the envelope of
// Socket Mode, the callback of the Events API, a slash command or an
// interaction (docs.slack.dev/apis/events-api#event-type-structure).
type outer struct {
	Type           string          `json:"type"`
	EnvelopeID     string          `json:"envelope_id"`
	Payload        json.RawMessage `json:"payload"`
	Team           string          `json:"team_id"`
	Enterprise     string          `json:"enterprise_id"`
	App            string          `json:"api_app_id"`
	EventID        string          `json:"event_id"`
	Event          json.RawMessage `json:"event"`
	Challenge      string          `json:"challenge"`
	Command        string          `json:"command"`   // a slash command posted by itself has no type
	SSLCheck       string          `json:"ssl_check"` // nor has the probe of its endpoint
	Authorizations []authorization `json:"authorizations"`
}

// authorization names the installation that an event is for. The callback's
// team_id may be another workspace's, in a channel shared by Slack Connect.
type authorization struct {
	Team string `json:"team_id"`
}

// event is the inner event. Which fields are there depends on its type.
type event struct {
	message
	Type        string   `json:"type"`
	ChannelType string   `json:"channel_type"`
	EventTS     string   `json:"event_ts"`
	Message     *message `json:"message"`
	Previous    *message `json:"previous_message"`
	DeletedTS   string   `json:"deleted_ts"`

	Reaction string `json:"reaction"`
	Item     struct {
		Type    string `json:"type"`
		Channel string `json:"channel"`
		TS      string `json:"ts"`
	} `json:"item"`

	Tab       string `json:"tab"`
	Assistant struct {
		User    string `json:"user_id"`
		Channel string `json:"channel_id"`
		Thread  string `json:"thread_ts"`
	} `json:"assistant_thread"`

	OldChannel string `json:"old_channel_id"`
	NewChannel string `json:"new_channel_id"`
}

// message is a message, as far as it is read here.
type message struct {
	Subtype     string       `json:"subtype"`
	Channel     string       `json:"channel"`
	User        string       `json:"user"`
	BotID       string       `json:"bot_id"`
	AppID       string       `json:"app_id"`
	Username    string       `json:"username"`
	Text        string       `json:"text"`
	TS          string       `json:"ts"`
	ThreadTS    string       `json:"thread_ts"`
	ParentUser  string       `json:"parent_user_id"`
	ClientID    string       `json:"client_msg_id"`
	Team        string       `json:"team"`
	UserTeam    string       `json:"user_team"`
	SourceTeam  string       `json:"source_team"`
	Blocks      []node       `json:"blocks"`
	Attachments []attachment `json:"attachments"`
	Files       []file       `json:"files"`
	Edited      struct {
		TS string `json:"ts"`
	} `json:"edited"` // set where the text is not what was first sent
}

// node is a block, or an element in one. Types that are not known are skipped.
type node struct {
	Type      string          `json:"type"`
	Text      label           `json:"text"`
	Title     label           `json:"title"`
	AltText   string          `json:"alt_text"`
	Fields    []label         `json:"fields"`
	Elements  []node          `json:"elements"`
	Rows      [][]node        `json:"rows"`
	Style     json.RawMessage `json:"style"` // of text an object, of a list "bullet" or "ordered"
	Indent    int             `json:"indent"`
	Offset    int             `json:"offset"` // an ordered list begins at it plus one
	URL       string          `json:"url"`
	User      string          `json:"user_id"`
	Channel   string          `json:"channel_id"`
	Usergroup string          `json:"usergroup_id"`
	Range     string          `json:"range"`
	Name      string          `json:"name"`
	Unicode   string          `json:"unicode"`
	Fallback  string          `json:"fallback"`
	Value     string          `json:"value"`
}

// label is a text that stands by itself or in a text object.
type label struct {
	text string
	mark bool // mrkdwn, with tokens and escapes
}

// UnmarshalJSON implements json.Unmarshaler. What is neither is no text.
func (l *label) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &l.text) == nil {
		return nil
	}
	var object struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if read(data, &object) {
		l.text, l.mark = object.Text, object.Type == "mrkdwn"
	}
	return nil
}

// attachment is what hangs below a message: the preview of a link, a message
// that was shared, or an older form of a bot's own text.
type attachment struct {
	Share      bool   `json:"is_share"`
	Unfurl     bool   `json:"is_msg_unfurl"` // of a link to a message
	FromURL    string `json:"from_url"`
	Original   string `json:"original_url"`
	AuthorID   string `json:"author_id"`
	AuthorName string `json:"author_name"`
	Pretext    string `json:"pretext"`
	Title      string `json:"title"`
	Text       string `json:"text"`
	Fallback   string `json:"fallback"`
	Fields     []struct {
		Title string `json:"title"`
		Value string `json:"value"`
	} `json:"fields"`
	Blocks   []node `json:"blocks"`
	Messages []struct {
		Message struct {
			Blocks []node `json:"blocks"`
		} `json:"message"`
	} `json:"message_blocks"`
	Files []file `json:"files"`
}

// file is a File object (docs.slack.dev/reference/objects/file-object).
type file struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Title    string `json:"title"`
	MIME     string `json:"mimetype"`
	Size     int64  `json:"size"`
	Mode     string `json:"mode"`
	External bool   `json:"is_external"`
	Private  string `json:"url_private"`
	Download string `json:"url_private_download"`
}

// slash is a slash command
// (docs.slack.dev/interactivity/implementing-slash-commands).
type slash struct {
	Command     string `json:"command"`
	Text        string `json:"text"`
	User        string `json:"user_id"`
	UserName    string `json:"user_name"`
	Team        string `json:"team_id"`
	Channel     string `json:"channel_id"`
	ChannelName string `json:"channel_name"`
	Trigger     string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
}

// interaction is a block_actions or view_submission payload
// (docs.slack.dev/reference/interaction-payloads).
type interaction struct {
	User struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Team string `json:"team_id"`
	} `json:"user"`
	Team struct {
		ID string `json:"id"`
	} `json:"team"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Message struct {
		TS       string `json:"ts"`
		ThreadTS string `json:"thread_ts"`
	} `json:"message"`
	Container struct {
		Message string `json:"message_ts"`
		Channel string `json:"channel_id"`
		Thread  string `json:"thread_ts"`
	} `json:"container"`
	Actions     []action `json:"actions"`
	Trigger     string   `json:"trigger_id"`
	ResponseURL string   `json:"response_url"`
	View        view     `json:"view"`
}

// action is one element that was used. A button has a value, a list an option.
type action struct {
	ID       string `json:"action_id"`
	Value    string `json:"value"`
	TS       string `json:"action_ts"`
	Selected struct {
		Value string `json:"value"`
	} `json:"selected_option"`
}

// view is a submitted form, or a Home tab in which something was pressed.
type view struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Hash     string `json:"hash"`
	Callback string `json:"callback_id"`
	Metadata string `json:"private_metadata"`
	State    struct {
		Values map[string]map[string]struct {
			Value    string `json:"value"`
			Selected struct {
				Value string `json:"value"`
			} `json:"selected_option"`
		} `json:"values"`
	} `json:"state"`
}
