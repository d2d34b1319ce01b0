package redis

import (
	"context"
	"fmt"
	"strings"

	goredis "github.com/redis/go-redis/v9"

	"talaria/storage"
)

// The bus: how many messages wait for a slow reader before more are lost.
const backlog = 64

func (d *Driver) channel(topic string) string { return d.prefix + "bus:" + topic }

// Publish sends to whoever is subscribed now.
func (d *Driver) Publish(ctx context.Context, topic string, payload []byte) error {
	if _, err := d.send(ctx, d.client, "publish", d.channel(topic), payload); err != nil {
		return fmt.Errorf("publish on %q: %w", topic, err)
	}
	return nil
}

// Subscribe returns once the server has confirmed all topics. The client
// library pings the server every few seconds and reconnects by itself; what
// was published meanwhile is lost.
func (d *Driver) Subscribe(ctx context.Context, topics ...string) (<-chan storage.Message, error) {
	if len(topics) == 0 {
		return nil, fmt.Errorf("%w: no topic to subscribe to", storage.ErrInvalid)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return nil, fmt.Errorf("%w: the store is closed", storage.ErrUnavailable)
	}
	channels := make([]string, len(topics))
	for n, t := range topics {
		channels[n] = d.channel(t)
	}
	sub := d.client.Subscribe(ctx, channels...)
	for range channels {
		if _, err := sub.ReceiveTimeout(ctx, readTimeout); err != nil {
			_ = sub.Close() // the first error says why
			return nil, fmt.Errorf("subscribe: %w", unavailable(err))
		}
	}
	out := make(chan storage.Message, backlog)
	d.subs.Go(func() { d.forward(ctx, sub, out) })
	return out, nil
}

// forward passes messages on until ctx or the driver ends. A reader that lags
// loses messages rather than holding up the connection.
func (d *Driver) forward(ctx context.Context, sub *goredis.PubSub, out chan<- storage.Message) {
	defer close(out)
	defer sub.Close()
	in := sub.Channel(goredis.WithChannelHealthCheckInterval(readTimeout))
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.done:
			return
		case m, ok := <-in:
			if !ok {
				return
			}
			topic := strings.TrimPrefix(m.Channel, d.channel(""))
			select {
			case out <- storage.Message{Topic: topic, Payload: []byte(m.Payload)}:
			default:
			}
		}
	}
}
