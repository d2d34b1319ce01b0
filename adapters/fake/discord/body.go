package discord

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
)

// body is what a call carries, in JSON or in a form with files.
type body struct {
	raw  json.RawMessage
	file *File

	Content   *string `json:"content"`
	Nonce     string  `json:"nonce"`
	Enforce   bool    `json:"enforce_nonce"`
	Flags     int     `json:"flags"`
	Recipient string  `json:"recipient_id"`
	Mentions  *struct {
		Parse *[]string `json:"parse"`
	} `json:"allowed_mentions"`
	Reference *struct {
		Message string `json:"message_id"`
		Fail    *bool  `json:"fail_if_not_exists"`
	} `json:"message_reference"`
	Components *[]row `json:"components"`

	Type int `json:"type"` // of a response to an interaction
	Data *struct {
		Flags   int               `json:"flags"`
		Choices *[]map[string]any `json:"choices"`
		modal
	} `json:"data"`
}

// row is an action row of buttons.
type row struct {
	Type    int      `json:"type"`
	Buttons []Button `json:"components"`
}

// Button is a button under a message.
type Button struct {
	Type     int    `json:"type"`
	Style    int    `json:"style"`
	Label    string `json:"label"`
	CustomID string `json:"custom_id"`
	Options  []struct {
		Label       string `json:"label"`
		Value       string `json:"value"`
		Description string `json:"description,omitempty"`
	} `json:"options,omitempty"` // of a select
	Placeholder string `json:"placeholder,omitempty"` // likewise
}

func (b *body) read(r *http.Request) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return b.readForm(r)
	}
	data, err := io.ReadAll(r.Body)
	if err != nil || len(data) == 0 {
		return err
	}
	b.raw = data
	if data[0] == '[' {
		return nil
	}
	return json.Unmarshal(data, b)
}

// readForm reads a form of payload_json and files[n]
// (discord.com/developers/docs/reference#uploading-files).
func (b *body) readForm(r *http.Request) error {
	if err := r.ParseMultipartForm(maxRequest); err != nil {
		return err
	}
	b.raw = json.RawMessage(r.FormValue("payload_json"))
	if err := json.Unmarshal(b.raw, b); err != nil {
		return err
	}
	f, header, err := r.FormFile("files[0]")
	if err != nil {
		return nil // no file in it
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	b.file = &File{Name: header.Filename, Data: data}
	return err
}
