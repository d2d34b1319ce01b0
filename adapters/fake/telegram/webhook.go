package telegram

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"
	"time"
)

var (
	commandForm = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)
	secretForm  = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)
)

// deliveryTime is how long a webhook may take to answer.
const deliveryTime = 10 * time.Second

// webhook is where updates are posted, if anywhere.
type webhook struct {
	mu        sync.Mutex
	target    string
	secret    string
	lastError string
	cancel    context.CancelFunc
	client    http.Client
}

func (h *webhook) url() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.target
}

func (s *Server) setWebhook(c *call) reply {
	if c.params.Secret != "" && !secretForm.MatchString(c.params.Secret) {
		return badRequest("secret token contains unallowed characters")
	}
	if c.params.DropPending.v {
		s.Breach("setWebhook drops pending updates")
	}
	s.updates.mu.Lock()
	if c.params.Allowed.given {
		s.updates.allowed = c.params.Allowed.v
	}
	s.updates.mu.Unlock()
	h := &s.hook
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end()
	if c.params.URL == "" {
		return yes
	}
	ctx, cancel := context.WithCancel(s.Ending())
	h.target, h.secret, h.cancel = c.params.URL, c.params.Secret, cancel
	s.Go(func() { s.deliver(ctx, c.params.URL, c.params.Secret) })
	return yes
}

// end stops delivering. The lock is held.
func (h *webhook) end() {
	if h.cancel != nil {
		h.cancel()
	}
	h.target, h.secret, h.cancel = "", "", nil
}

func (s *Server) deleteWebhook(c *call) reply {
	if c.params.DropPending.v {
		s.Breach("deleteWebhook drops pending updates")
	}
	s.hook.mu.Lock()
	defer s.hook.mu.Unlock()
	s.hook.end()
	return yes
}

func (s *Server) getWebhookInfo(*call) reply {
	s.updates.mu.Lock()
	waiting := len(s.updates.queue)
	s.updates.mu.Unlock()
	s.hook.mu.Lock()
	defer s.hook.mu.Unlock()
	info := map[string]any{"url": s.hook.target, "has_custom_certificate": false, "pending_update_count": waiting}
	if s.hook.lastError != "" {
		info["last_error_message"] = s.hook.lastError
	}
	return result(info)
}

// deliver posts updates until ctx ends: those of different chats side by side,
// those of one chat one after the other, each again until it is taken.
func (s *Server) deliver(ctx context.Context, url, secret string) {
	var sending sync.WaitGroup
	defer sending.Wait()
	busy := map[int64]bool{}
	for {
		s.updates.mu.Lock()
		arrived := s.updates.arrived
		for _, p := range s.updates.queue {
			if busy[p.Chat] {
				continue
			}
			busy[p.Chat] = true
			sending.Go(func() {
				s.post(ctx, url, secret, p)
				s.updates.mu.Lock()
				defer s.updates.mu.Unlock()
				delete(busy, p.Chat)
				s.updates.wake()
			})
		}
		s.updates.mu.Unlock()
		select {
		case <-arrived:
		case <-ctx.Done():
			return
		}
	}
}

// post delivers one update and confirms it.
func (s *Server) post(ctx context.Context, url, secret string, p pending) {
	for {
		s.updates.mu.Lock()
		p.given(time.Now())
		s.updates.mu.Unlock()
		err := s.postOnce(ctx, url, secret, p.raw)
		if err == nil {
			break
		}
		s.hook.mu.Lock()
		s.hook.lastError = err.Error()
		s.hook.mu.Unlock()
		s.Raise()
		select {
		case <-time.After(s.opts.Retry):
		case <-ctx.Done():
			return
		}
	}
	s.updates.settle(p.ID)
	s.Raise()
}

func (s *Server) postOnce(ctx context.Context, url, secret string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if secret != "" {
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	}
	resp, err := s.hook.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode/100 != 2 {
		//lint:ignore ST1005 the text is the platform's, as getWebhookInfo shows it
		return fmt.Errorf("Wrong response from the webhook: %s", resp.Status)
	}
	return nil
}
