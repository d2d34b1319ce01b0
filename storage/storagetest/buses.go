package storagetest

import (
	"context"
	"fmt"

	"talaria/storage"
)

func buses() group {
	return group{"bus", []testCase{
		{"a subscriber receives what is published", func(e *env) {
			messages := e.subscribe("t")
			e.publish("t", "hello")
			e.equal(<-messages, storage.Message{Topic: "t", Payload: []byte("hello")})
		}},
		{"every payload arrives exactly", func(e *env) {
			messages := e.subscribe("t")
			for _, v := range values()[:6] {
				e.publish("t", string(v))
				e.equal(string((<-messages).Payload), string(v))
			}
		}},
		{"every topic is a topic of its own", func(e *env) {
			for _, topic := range awkward() {
				messages := e.subscribe(topic)
				for _, other := range awkward() {
					e.publish(other, "to "+other)
				}
				e.equal(<-messages, storage.Message{Topic: topic, Payload: []byte("to " + topic)})
			}
		}},
		{"messages keep their order", func(e *env) {
			messages := e.subscribe("t")
			for n := range 50 {
				e.publish("t", fmt.Sprint(n))
			}
			for n := range 50 {
				e.equal(string((<-messages).Payload), fmt.Sprint(n))
			}
		}},
		{"one subscription has several topics", func(e *env) {
			messages := e.subscribe("a", "b")
			e.publish("c", "none")
			e.publish("b", "1")
			e.publish("a", "2")
			e.equal(<-messages, storage.Message{Topic: "b", Payload: []byte("1")})
			e.equal(<-messages, storage.Message{Topic: "a", Payload: []byte("2")})
		}},
		{"all subscribers receive", func(e *env) {
			first, second := e.subscribe("t"), e.subscribe("t")
			e.publish("t", "v")
			e.equal(string((<-first).Payload), "v")
			e.equal(string((<-second).Payload), "v")
		}},
		{"what was published before is not received", func(e *env) {
			e.publish("t", "before")
			messages := e.subscribe("t")
			e.publish("t", "after")
			e.equal(string((<-messages).Payload), "after")
		}},
		{"subscribing to no topic is invalid", func(e *env) {
			_, err := e.d.Subscribe(e.ctx)
			e.is(err, storage.ErrInvalid)
		}},
		{"publishing to nobody is no error", func(e *env) {
			e.publish("t", "v")
		}},
		{"the channel closes when the context ends", func(e *env) {
			ctx, cancel := context.WithCancel(e.ctx)
			messages := must(e.d.Subscribe(ctx, "t"))(e.t)
			cancel()
			for range messages { // ends only once it is closed
				e.t.Fatal("a message after the end")
			}
			e.publish("t", "v")
		}},
		{"the end of one subscription leaves the others", func(e *env) {
			ctx, cancel := context.WithCancel(e.ctx)
			gone := must(e.d.Subscribe(ctx, "t"))(e.t)
			stays := e.subscribe("t")
			cancel()
			for range gone {
				e.t.Fatal("a message after the end")
			}
			e.publish("t", "v")
			e.equal(string((<-stays).Payload), "v")
		}},
		{"a reader that does not read holds nobody up", func(e *env) {
			e.subscribe("t")
			reads := e.subscribe("u")
			for n := range 5000 {
				e.publish("t", fmt.Sprint(n))
			}
			e.publish("u", "v")
			e.equal(string((<-reads).Payload), "v")
		}},
		{"closing the driver closes the channel", func(e *env) {
			messages := e.subscribe("t")
			e.check(e.d.Close())
			for range messages {
				e.t.Fatal("a message after the end")
			}
		}},
	}}
}

func (e *env) subscribe(topics ...string) <-chan storage.Message {
	e.t.Helper()
	return must(e.d.Subscribe(e.ctx, topics...))(e.t)
}

func (e *env) publish(topic, payload string) {
	e.t.Helper()
	e.check(e.d.Publish(e.ctx, topic, []byte(payload)))
}
