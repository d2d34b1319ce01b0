package lane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
	"talaria/core/person"
	"talaria/core/tool"
	"talaria/gateway/command"
	"talaria/storage/fault"
)

// launch is a tool that does something which can't be taken back.
type launch struct{ launched []string }

func (*launch) Spec() agent.Spec {
	return agent.Spec{Name: "launch", Schema: json.RawMessage(`{"type":"object"}`), Effect: agent.Effectful}
}

func (l *launch) Call(_ context.Context, in agent.Invocation) (agent.Result, error) {
	l.launched = append(l.launched, string(in.Args))
	return agent.Result{Text: "launched"}, nil
}

// eager launches whatever it is asked for, and tells of what came of it.
func eager(last string, messages []agent.Message) agent.Delta {
	m := messages[len(messages)-1]
	if m.Role == agent.ToolRole {
		return agent.Delta{Text: "outcome: " + m.Results[0].Text, Stop: agent.StopEnd}
	}
	return agent.Delta{Call: &agent.Call{ID: "c1", Name: "launch", Args: json.RawMessage(`{"what":"` + last + `"}`)}, Stop: agent.StopCalls}
}

// press has a person press a button of the last card of a place.
func (w *world) press(place, who, label string) {
	w.t.Helper()
	w.number++
	b := w.chats.button(w.t, place, label)
	w.handle(chat.Event{
		Kind: chat.Press, Keys: []string{fmt.Sprintf("test:press:%d", w.number)}, Message: "1", Direct: place == who,
		At: time.Now(), Address: chat.Address{Platform: "test", Chat: place, Thread: thread(place, who)},
		Author: chat.Author{Identity: chat.Identity{Platform: "test", ID: who}},
		Press:  &chat.PressData{Action: b.Action, Token: b.Token},
	})
	synctest.Wait()
}

// careful is a world whose tools need a yes.
func careful(t *testing.T, l *launch) *world {
	w := newWorld(t, &model{answers: eager}, l)
	w.stop()
	w.policy = tool.Policy{{Tool: "launch", Decision: tool.Ask}}
	w.start(time.Second)
	return w
}

func last(said []string) string { return said[len(said)-1] }

func TestACallThatNeedsAYesRunsOnceAndOnlyOnItsAuthorsPress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &launch{}
		w := careful(t, l)
		defer w.stop()
		w.say("room", "ann", "the boat")
		synctest.Wait()
		if len(l.launched) != 0 || !strings.Contains(last(w.chats.said("room")), "the boat") {
			t.Fatalf("launched %v, said %q; want a question with the arguments", l.launched, w.chats.said("room"))
		}
		w.press("room", "bob", "Yes, do it")
		if len(l.launched) != 0 || !strings.Contains(last(w.chats.said("room")), "Only the person who asked") {
			t.Fatalf("somebody else's press launched %v and said %q", l.launched, last(w.chats.said("room")))
		}
		w.press("room", "ann", "Yes, do it")
		w.press("room", "ann", "Yes, do it")
		if len(l.launched) != 1 || l.launched[0] != `{"what":"the boat"}` {
			t.Fatalf("launched %v, want the boat once", l.launched)
		}
		if said := strings.Join(w.chats.said("room"), "\n"); !strings.Contains(said, "outcome: launched") || !strings.Contains(said, "waits for no answer") {
			t.Errorf("said %q", said)
		}
	})
}

func TestANoThatACrashCutsOffIsCarriedOutAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := careful(t, &launch{})
		w.say("ann", "ann", "the boat")
		synctest.Wait()
		w.faults.Set(fault.Rule{Calls: []string{"Apply"}, Op: "Done", Fault: fault.Unavailable()})
		w.press("ann", "ann", "No")
		w.stop()
		w.faults.Set()
		w.start(time.Second)
		defer func() { w.stop() }()
		time.Sleep(15 * time.Second)
		if got := last(w.chats.said("ann")); !strings.Contains(got, "**No**") {
			t.Errorf("said %q", got)
		}
	})
}

func TestAQuestionOutlivesARestartAndANoIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &launch{}
		w := careful(t, l)
		w.say("ann", "ann", "the boat")
		synctest.Wait()
		w.stop()
		w.start(time.Second)
		defer func() { w.stop() }()
		w.press("ann", "ann", "No")
		w.press("ann", "ann", "Yes, do it")
		if len(l.launched) != 0 || !strings.Contains(last(w.chats.said("ann")), "waits for no answer") {
			t.Errorf("launched %v, said %q", l.launched, w.chats.said("ann"))
		}
	})
}

func TestAQuestionExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &launch{}
		w := careful(t, l)
		w.say("ann", "ann", "the boat")
		synctest.Wait()
		w.stop()
		time.Sleep(25 * time.Hour)
		w.start(time.Second)
		defer func() { w.stop() }()
		w.press("ann", "ann", "Yes, do it")
		if len(l.launched) != 0 {
			t.Errorf("launched %v a day later", l.launched)
		}
	})
}

func TestAPressIsAnsweredByItsActionWithTheRightsOfNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pressed := 0
		w := newWorld(t, &model{})
		w.stop()
		w.actions = []command.Action{
			{Name: "count", Role: person.Member, Run: func(context.Context, command.Press) (command.Reaction, error) {
				pressed++
				return command.Reaction{Say: chat.Post{Markdown: "counted"}}, nil
			}},
			{Name: "rule", Role: person.Admin, Run: func(context.Context, command.Press) (command.Reaction, error) {
				t.Error("a member ruled")
				return command.Reaction{}, nil
			}},
		}
		w.start(time.Second)
		defer w.stop()
		for _, action := range []string{"count", "rule", "gone"} {
			w.chats.offered["ann"] = []chat.Button{{Label: action, Action: action}}
			w.press("ann", "ann", action)
		}
		said := w.chats.said("ann")
		if pressed != 1 || len(said) != 3 || said[0] != "counted" || !strings.Contains(said[1], "needs the role **admin**") || !strings.Contains(said[2], "of no use any more") {
			t.Errorf("pressed %d times, said %q", pressed, said)
		}
	})
}

func TestATypedAnswerIsOneWhereItsAuthorIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &launch{}
		w := careful(t, l)
		defer w.stop()
		w.say("ann", "ann", "the boat")
		synctest.Wait()
		w.say("ann", "ann", "Yes!")
		synctest.Wait()
		if len(l.launched) != 1 || l.launched[0] != `{"what":"the boat"}` || !strings.Contains(last(w.chats.said("ann")), "outcome: launched") {
			t.Fatalf("a yes launched %v and said %q", l.launched, w.chats.said("ann"))
		}
		w.say("ann", "ann", "the kite")
		synctest.Wait()
		w.say("ann", "ann", "不")
		synctest.Wait()
		w.say("bob", "bob", "the plane")
		synctest.Wait()
		w.say("ann", "ann", "yes") // asks for a launch of "yes": nothing of hers is open
		synctest.Wait()
		if len(l.launched) != 1 {
			t.Errorf("launched %v", l.launched)
		}
		if said := strings.Join(w.chats.said("ann"), "\n"); !strings.Contains(said, "**No") {
			t.Errorf("said %q", said)
		}
	})
}

func TestWordsThatWereEditedAreNoYes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &launch{}
		w := careful(t, l)
		defer w.stop()
		w.say("room", "ann", "the boat")
		synctest.Wait()
		w.model.think = time.Minute
		w.say("room", "bob", "the plane")
		synctest.Wait()
		w.edit("room", "ann", w.say("room", "ann", "well"), "yes") // while it waits for bob's turn
		time.Sleep(5 * time.Minute)
		if len(l.launched) != 0 || !strings.Contains(last(w.chats.said("room")), "yes") {
			t.Errorf("launched %v, said %q", l.launched, w.chats.said("room"))
		}
	})
}
