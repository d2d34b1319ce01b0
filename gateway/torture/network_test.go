package torture

import (
	"context"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/model/modeltest"
	"talaria/storage/redis/redistest"
)

// ways are those in which the network to Redis fails.
var ways = []struct {
	name string
	mode redistest.Mode
}{
	{"answers come late", redistest.DelayReplies},
	{"answers get lost", redistest.LoseReplies},
	{"answers break off in the middle", redistest.TearReplies},
	{"answers are held back", redistest.HoldReplies},
	{"connections are refused", redistest.Refuse},
}

// TestABrokenNetworkToTheStoreLosesNothing has people write while the network
// between a replica and Redis fails in each way; there is no other replica, or one
// whose network is sound and that may take over.
func TestABrokenNetworkToTheStoreLosesNothing(t *testing.T) {
	for name, others := range map[string]int{"a single replica": 0, "one of two replicas": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := redistest.Start(t, redistest.Options{})
			proxy := redistest.StartProxy(t, server)
			w := newWorld(t, proxy.URL(), fake.Options{NoFlood: true}, modeltest.Echo())
			replicas := []*process{w.serve()}
			for range others {
				replicas = append(replicas, w.serve("TALARIA_STORAGE_URL="+server.URL()))
			}
			for range count(1, 20) {
				for _, way := range ways {
					w.sayThrough(proxy, way.name, way.mode)
				}
			}
			for _, r := range replicas {
				r.stop()
			}
			w.judge()
		})
	}
}

// sayThrough has people write before, while and after the network fails in a way,
// and waits until all are answered.
func (w *world) sayThrough(proxy *redistest.Proxy, name string, mode redistest.Mode) {
	w.tb.Helper()
	w.sayEach(10)
	proxy.Set(mode)
	w.sayEach(10)
	ctx, cancel := context.WithTimeout(w.tb.Context(), 3*time.Minute)
	defer cancel()
	if err := proxy.Await(ctx, 20); err != nil {
		w.tb.Fatalf("while %s: the program keeps away from the store: %v\n%s", name, err, w.lastLog())
	}
	w.sayEach(10)
	proxy.Set(redistest.Pass)
	if tally := w.settled(3 * time.Minute); len(tally.Lost) > 0 {
		w.tb.Fatalf("after %s: %d unanswered\n%s", name, len(tally.Lost), w.lastLog())
	}
}
