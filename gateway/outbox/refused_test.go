package outbox_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/gateway/outbox"
	"talaria/storage/teststore"
)

func TestARefusedBotIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, begun := newPlatform(), time.Now()
		p.script = func(_ int, op string) fault {
			if time.Since(begun) < 90*time.Second {
				return fault{before: true, err: &chat.Error{Kind: chat.NotAllowed, Op: op, Whole: true, Err: errors.New("token_revoked")}}
			}
			return fault{}
		}
		var log bytes.Buffer
		r := start(t, teststore.Memory(t), p, outbox.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if refused := r.box.Refused(); refused != nil {
			t.Error("at the beginning:", refused)
		}
		r.say(t, "t1", "hi")
		time.Sleep(time.Minute + time.Second)
		refused := errors.Join(r.box.Refused()...)
		if refused == nil || !strings.Contains(refused.Error(), "test: takes nothing") || !strings.Contains(refused.Error(), "token_revoked") {
			t.Error("while it is refused:", refused)
		}
		r.box.Wait()
		if told := strings.Count(log.String(), "refuses the bot"); told != 1 {
			t.Errorf("told %d times:\n%s", told, log.String())
		}
		if refused := r.box.Refused(); refused != nil || !strings.Contains(log.String(), "takes the bot's messages again") {
			t.Errorf("afterwards: %v\n%s", refused, log.String())
		}
	})
}
