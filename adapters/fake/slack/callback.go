package slack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// queue lets a delivery wait behind the others of its channel. The lock is
// held.
func (s *Server) queue(d *delivery) {
	waiting, busy := s.lanes[d.Channel]
	s.lanes[d.Channel] = append(waiting, d)
	if !busy {
		s.Go(func() { s.postAll(d.Channel) })
	}
}

func (s *Server) postAll(channel string) {
	for d := s.nextOf(channel); d != nil; d = s.nextOf(channel) {
		s.post(d)
	}
}

func (s *Server) nextOf(channel string) *delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.lanes[channel]
	if len(waiting) == 0 || s.Ending().Err() != nil {
		delete(s.lanes, channel)
		return nil
	}
	s.lanes[channel] = waiting[1:]
	return waiting[0]
}

// post posts a delivery. One that is refused is tried again at once, and then
// by and by.
func (s *Server) post(d *delivery) {
	for again := true; again; {
		s.mu.Lock()
		if s.spent(d) {
			s.mu.Unlock()
			return
		}
		d.Offered++
		tries := d.Offered
		s.mu.Unlock()
		err := s.postOnce(d, tries-1)
		s.mu.Lock()
		switch {
		case err == nil:
			s.acknowledge(d.ID)
		case tries > 1 && !s.opts.Ordered:
			d.timer = timer{time.AfterFunc(s.pause(tries), func() { s.late(d) })}
		}
		s.mu.Unlock()
		s.Raise()
		again = err != nil && (tries == 1 || s.opts.Ordered && s.sleep(s.pause(tries))) && s.Ending().Err() == nil
	}
}

// sleep reports false if the server is closed first.
func (s *Server) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.Ending().Done():
		return false
	}
}

func (s *Server) postOnce(d *delivery, retry int) error {
	body, kind := []byte(d.payload), "application/json"
	switch d.kind {
	case "interactive":
		body, kind = []byte(url.Values{"payload": {string(d.payload)}}.Encode()), "application/x-www-form-urlencoded"
	case "slash_commands":
		var fields map[string]string
		_ = json.Unmarshal(d.payload, &fields)
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, value)
		}
		body, kind = []byte(form.Encode()), "application/x-www-form-urlencoded"
	}
	req, err := http.NewRequestWithContext(s.Ending(), http.MethodPost, s.opts.Callback, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", kind)
	Sign(req.Header, body, s.opts.SigningSecret, time.Now())
	if retry > 0 {
		req.Header.Set("X-Slack-Retry-Num", fmt.Sprint(retry))
		req.Header.Set("X-Slack-Retry-Reason", "http_error")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the callback answered %s", resp.Status)
	}
	return nil
}

// Sign puts Slack's signature of a body into headers
// (docs.slack.dev/authentication/verifying-requests-from-slack).
func Sign(h http.Header, body []byte, secret string, at time.Time) {
	stamp := fmt.Sprint(at.Unix())
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "v0:%s:%s", stamp, body)
	h.Set("X-Slack-Request-Timestamp", stamp)
	h.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
}
