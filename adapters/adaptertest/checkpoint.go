package adaptertest

import (
	"bytes"
	"context"
	"sync"
)

// Checkpoint is a chat.Checkpoint in memory.
type Checkpoint struct {
	// Err is what each Save fails with; nil saves.
	Err error

	mu    sync.Mutex
	state []byte
}

// Load implements chat.Checkpoint.
func (c *Checkpoint) Load(context.Context) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state, nil
}

// Save implements chat.Checkpoint.
func (c *Checkpoint) Save(_ context.Context, state []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Err == nil {
		c.state = bytes.Clone(state)
	}
	return c.Err
}

// String is what was saved last.
func (c *Checkpoint) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.state)
}
