package telegram_test

import (
	"fmt"
	"net/http"
	"testing"

	simulator "talaria/adapters/fake/telegram"
	"talaria/adapters/telegram"
	"talaria/core/chat"
)

// beginning is the beginning of an answer as a draft.
func beginning(t *testing.T, r *rig, key, text string) chat.Delivery {
	part, ok := r.Adapter.Preview(text)
	if !ok {
		t.Fatal("nothing to be seen")
	}
	return chat.Delivery{Key: key, Address: chat.Address{Platform: telegram.Platform, Chat: fmt.Sprint(ada)}, Payload: part.Payload, ReplyTo: "1"}
}

func TestAnAnswerGrowsInADraft(t *testing.T) {
	r := newRig(t, nil)
	r.Server.Say(ada, ada, "hi")
	if r.Adapter.Drafts(chat.Address{Platform: telegram.Platform, Chat: "-100"}) {
		t.Error("groups show no drafts")
	}
	for _, d := range []chat.Delivery{beginning(t, r, "k1", "**ha"), beginning(t, r, "k1", "**half** an answer"), beginning(t, r, "k2", "another")} {
		if err := r.Adapter.Draft(r.Ctx, d); err != nil || !r.Adapter.Drafts(d.Address) {
			t.Fatal(err)
		}
	}
	all := r.Server.Drafts(ada)
	if len(all) != 2 || len(all[0].Texts) != 2 || all[0].Texts[1] != "half an answer" || all[0].ID == all[1].ID {
		t.Errorf("drafts: %+v", all)
	}
	if b := r.Server.Breaches(); len(b) > 0 {
		t.Error(b)
	}
}

func TestWhereDraftsAreRefusedTheyAreGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		fault     simulator.Fault
		here, far bool
	}{
		"unknown to the server": {simulator.Fault{Code: http.StatusNotFound, Description: "Not Found: method not found"}, false, false},
		"not in this chat":      {simulator.Fault{Code: http.StatusBadRequest, Description: "Bad Request: TEXTDRAFT_PEER_INVALID"}, false, true},
		"for a while":           {simulator.Fault{Code: http.StatusTooManyRequests}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.Server.Say(ada, ada, "hi")
			c.fault.Method = "sendMessageDraft"
			r.Server.Break(c.fault)
			d := beginning(t, r, "k1", "half")
			if err := r.Adapter.Draft(r.Ctx, d); err == nil {
				t.Fatal("not refused")
			}
			far := d.Address
			far.Chat = "12"
			if here, elsewhere := r.Adapter.Drafts(d.Address), r.Adapter.Drafts(far); here != c.here || elsewhere != c.far {
				t.Errorf("goes on here %t, elsewhere %t", here, elsewhere)
			}
		})
	}
}
