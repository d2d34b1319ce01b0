package slack

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
)

// file is a file, or the slot for one that is being uploaded.
type file struct {
	id, name  string
	data      []byte
	want      int // bytes announced
	there     bool
	shared    bool
	mime      string
	elsewhere string // address of a file that another service keeps
}

func (f *file) wire(s *Server) map[string]any {
	address := "http://" + s.Address() + "/files/" + f.id + "/" + strings.NewReplacer("/", "_", " ", "_").Replace(f.name)
	if f.elsewhere != "" {
		address = f.elsewhere
	}
	return map[string]any{
		"id": f.id, "name": f.name, "title": f.name, "mimetype": f.mime, "size": len(f.data), "mode": "hosted",
		"url_private": address, "url_private_download": address,
	}
}

// AddFile puts a file of a person's into the workspace and returns its id.
func (s *Server) AddFile(name, mime string, data []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &file{id: s.next("F"), name: name, mime: mime, data: bytes.Clone(data), there: true, shared: true}
	s.files[f.id] = f
	return f.id
}

// Redirect makes Slack say that a file lies at an address, as it does with
// those of other services.
func (s *Server) Redirect(id, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[id].elsewhere = address
}

// Content returns the bytes of a file.
func (s *Server) Content(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.files[id].data)
}

// uploadURL is the first of the three steps
// (docs.slack.dev/messaging/working-with-files#upload).
func (s *Server) uploadURL(c *call) reply {
	size, err := strconv.Atoi(c.params["length"])
	if err != nil || size <= 0 || c.params["filename"] == "" {
		return refuse("invalid_arguments")
	}
	f := &file{id: s.next("F"), name: c.params["filename"], want: size, mime: "application/octet-stream"}
	s.files[f.id] = f
	return ok(map[string]any{"file_id": f.id, "upload_url": "http://" + s.Address() + "/upload/" + f.id})
}

func (s *Server) serveUpload(w http.ResponseWriter, r *http.Request, id string) {
	fault := s.fault("upload", "")
	if fault.before(r.Context(), w) {
		return
	}
	data, twice, err := uploaded(r)
	s.mu.Lock()
	if twice {
		s.Breach("an upload whose form ends twice, which strict servers refuse")
	}
	f := s.files[id]
	fits := err == nil && f != nil && len(data) == f.want
	if fits {
		f.data, f.there = data, true
	}
	s.mu.Unlock()
	if !fits {
		http.Error(w, "the file is not what was announced", http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, "OK - "+strconv.Itoa(len(data)))
}

// uploaded reads a file from a form or from the body itself, and reports
// whether the form ends twice.
func uploaded(r *http.Request) (data []byte, twice bool, err error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		return body, false, err
	}
	end := []byte("--" + params["boundary"] + "--")
	part, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).NextPart()
	if err == nil {
		data, err = io.ReadAll(part)
	}
	return data, bytes.Count(body, end) > 1, err
}

// completeUpload is the third step: it shares the files in one message.
func (s *Server) completeUpload(c *call) reply {
	var given []struct {
		ID    string `json:"id"`
		Title string `json:"title"`
	}
	if json.Unmarshal([]byte(c.params["files"]), &given) != nil || len(given) == 0 {
		return refuse("invalid_arguments")
	}
	ch, thread := s.channels[c.params["channel_id"]], c.params["thread_ts"]
	switch {
	case ch == nil:
		return refuse("channel_not_found")
	case !ch.members[BotUser]:
		return refuse("not_in_channel")
	case thread != "" && ch.find(thread) == nil:
		return refuse("thread_not_found")
	}
	m := &Message{User: BotUser, Thread: thread}
	var files []any
	for _, g := range given {
		f := s.files[g.ID]
		if f == nil || !f.there || f.shared {
			return refuse("file_not_found")
		}
		f.shared = true
		m.Files = append(m.Files, f.id)
		files = append(files, map[string]any{"id": f.id, "title": g.Title})
	}
	s.add(ch, m)
	s.emitMessage(m)
	return ok(map[string]any{"files": files})
}

func (s *Server) fileInfo(c *call) reply {
	f := s.files[c.params["file"]]
	if f == nil || !f.there {
		return refuse("file_not_found")
	}
	return ok(map[string]any{"file": f.wire(s)})
}

func (s *Server) deleteFile(c *call) reply {
	f := s.files[c.params["file"]]
	if f == nil {
		return refuse("file_not_found")
	}
	delete(s.files, f.id)
	for _, ch := range s.channels {
		for _, m := range ch.messages {
			if len(m.Files) == 1 && m.Files[0] == f.id {
				m.Deleted = true
			}
		}
	}
	return ok(nil)
}

// serveFile gives a file to whoever shows the bot's token, and the page to
// sign in on to anybody else, with status 200.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request, path string) {
	id, _, _ := strings.Cut(path, "/")
	fault := s.fault("file", "")
	if fault.before(r.Context(), w) {
		return
	}
	s.mu.Lock()
	f := s.files[id]
	s.mu.Unlock()
	allowed := r.Header.Get("Authorization") == "Bearer "+s.opts.BotToken && strings.Contains(s.opts.Scopes, "files:read")
	if f == nil || !allowed {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!DOCTYPE html><title>Sign in</title>")
		return
	}
	w.Header().Set("Content-Type", f.mime)
	_, _ = w.Write(f.data)
}
