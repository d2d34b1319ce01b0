package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
	"time"
)

// Client is a connection to a running Talaria. It is for one goroutine.
type Client struct{ conn *net.UnixConn }

// Dial connects to the process that has the socket at path. ErrNotRunning
// means that there is none.
func Dial(ctx context.Context, path string) (*Client, error) {
	path, err := place(path)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w at %s", ErrNotRunning, path)
	case err != nil:
		return nil, fmt.Errorf("control socket: %w", err)
	}
	conn := c.(*net.UnixConn)
	if err := checkPeer(conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &Client{conn}, nil
}

// Call asks and waits for the answer, which it decodes into result unless that
// is nil. An error of the other side is a *RefusedError. After any other error
// the client is of no more use.
func (c *Client) Call(ctx context.Context, verb string, args, result any) error {
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	defer context.AfterFunc(ctx, func() { c.conn.SetDeadline(time.Unix(1, 0)) })()
	if err := json.NewEncoder(c.conn).Encode(Request{Verb: verb, Args: raw}); err != nil {
		return c.broken(ctx, verb, err)
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(c.conn, 2*maxMessage)).Decode(&a); err != nil {
		return c.broken(ctx, verb, err)
	}
	switch {
	case a.Error != "":
		return &RefusedError{Verb: verb, Text: a.Error}
	case result == nil:
		return nil
	}
	if err := json.Unmarshal(a.Result, result); err != nil {
		return fmt.Errorf("answer to %s: %w", verb, err)
	}
	return nil
}

func (c *Client) broken(ctx context.Context, verb string, err error) error {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return fmt.Errorf("%s: %w", verb, err)
}

// Close ends the connection; a request under way is cancelled.
func (c *Client) Close() error { return c.conn.Close() }
