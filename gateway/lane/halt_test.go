package lane_test

import (
	"testing"
	"testing/synctest"
	"time"

	"talaria/core/chat"
	"talaria/gateway/lane"
	"talaria/scheduler"
)

func TestStopDropsARunOfAJobThatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, &model{think: time.Minute})
		defer w.stop()
		w.say("ann", "ann", "long")
		waits := w.tick("ann", "ann", "word it", scheduler.Ticket{Job: "j"})
		synctest.Wait()
		w.say("ann", "ann", "/stop")
		time.Sleep(5 * time.Minute)
		expect(t, w, "ann", "(I stopped here.)", "Stopped 2 requests.")
		ran, over, err := lane.ReadRan(t.Context(), w.store, chat.Address{Platform: "test", Chat: "ann"}, waits)
		if err != nil || !over || !ran.Silent {
			t.Errorf("the run is over: %v, as %+v, %v", over, ran, err)
		}
	})
}
