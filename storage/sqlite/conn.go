package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	modernc "modernc.org/sqlite"
)

// conn is one connection with its prepared statements. It is used by one
// goroutine at a time. It stands directly on the driver's connection: the
// pooling and conversions of database/sql cost as much as a small statement.
type conn struct {
	raw   driver.Conn
	stmts map[string]driver.Stmt
	args  []driver.NamedValue
}

// connect opens a connection and runs the pragmas on it.
func connect(ctx context.Context, dsn string, pragmas ...string) (*conn, error) {
	connector, err := modernc.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	raw, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &conn{raw: raw, stmts: map[string]driver.Stmt{}}
	for _, p := range pragmas {
		if err := c.script(ctx, "PRAGMA "+p); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.raw.Close())...)
}

// script runs statements that are not worth keeping prepared.
func (c *conn) script(ctx context.Context, query string) error {
	execer, ok := c.raw.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("connection of %T can't execute", c.raw)
	}
	_, err := execer.ExecContext(ctx, query, nil)
	return err
}

// prepared returns the statement for a query, which is one of the constant
// texts of this package, so that the map stays small.
func (c *conn) prepared(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.stmts[query]; ok {
		return s, nil
	}
	preparer, ok := c.raw.(driver.ConnPrepareContext)
	if !ok {
		return nil, fmt.Errorf("connection of %T can't prepare", c.raw)
	}
	s, err := preparer.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.stmts[query] = s
	return s, nil
}

func (c *conn) bind(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for n, a := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: n + 1, Value: value(a)})
	}
	return c.args
}

// value makes an argument one of the types that the driver takes. An empty
// slice stays a blob; NULL occurs nowhere in the schema.
func value(a any) driver.Value {
	switch v := a.(type) {
	case int:
		return int64(v)
	case uint64:
		return int64(v)
	case []byte:
		if v == nil {
			return []byte{}
		}
	}
	return a
}

// exec runs a statement and returns how many rows it changed.
func (c *conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := c.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert runs an INSERT of one row and returns its row id.
func (c *conn) insert(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := c.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func (c *conn) run(ctx context.Context, query string, args []any) (driver.Result, error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	runner, ok := s.(driver.StmtExecContext)
	if !ok {
		return nil, fmt.Errorf("statement of %T can't execute", s)
	}
	return runner.ExecContext(ctx, c.bind(args))
}

// errStop ends each early without an error.
var errStop = errors.New("stop")

// each runs a query and calls yield with every row. The row is valid until
// yield returns, its byte slices and strings for longer.
func (c *conn) each(ctx context.Context, query string, yield func(*row) error, args ...any) (err error) {
	s, err := c.prepared(ctx, query)
	if err != nil {
		return err
	}
	runner, ok := s.(driver.StmtQueryContext)
	if !ok {
		return fmt.Errorf("statement of %T can't query", s)
	}
	rows, err := runner.QueryContext(ctx, c.bind(args))
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
		if errors.Is(err, errStop) {
			err = nil
		}
	}()
	r := row{values: make([]driver.Value, len(rows.Columns()))}
	for {
		if err := rows.Next(r.values); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		err := yield(&r)
		if r.bad {
			return errColumn
		}
		if err != nil {
			return err
		}
	}
}

// one runs a query for at most one row and reports whether there was one.
func (c *conn) one(ctx context.Context, query string, yield func(*row), args ...any) (bool, error) {
	found := false
	err := c.each(ctx, query, func(r *row) error {
		found = true
		yield(r)
		return nil
	}, args...)
	return found, err
}

// row is a row of a result. A column of another type than asked for, which
// only damage can bring about, is noted and makes the query fail.
type row struct {
	values []driver.Value
	bad    bool
}

func (r *row) int(n int) int64 {
	v, ok := r.values[n].(int64)
	r.bad = r.bad || !ok
	return v
}

func (r *row) uint(n int) uint64 { return uint64(r.int(n)) }

func (r *row) text(n int) string {
	v, ok := r.values[n].(string)
	r.bad = r.bad || !ok
	return v
}

// bytes returns a blob; the driver gives an empty one as nil.
func (r *row) bytes(n int) []byte {
	switch v := r.values[n].(type) {
	case []byte:
		if v != nil {
			return v
		}
		return []byte{}
	case nil:
		return []byte{}
	}
	r.bad = true
	return nil
}
