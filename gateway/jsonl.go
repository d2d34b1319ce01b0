package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line that the --jsonl forms read, in bytes.
const maxLine = 64 << 20

// eachLine calls answer for every line of JSON in r and writes what it returns
// as a line to w, in order. What was answered is written before the next line
// is waited for, so that a program can ask and listen in turn.
func eachLine(r io.Reader, w io.Writer, answer func(line []byte) (any, error)) error {
	in, out := bufio.NewReaderSize(r, 1<<16), bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for n := 1; ; n++ {
		line, err := readLine(in)
		if len(line) > 0 {
			result, err := answer(line)
			if err != nil {
				return errors.Join(usageError{fmt.Errorf("line %d: %w", n, err)}, out.Flush())
			}
			if err := encoder.Encode(result); err != nil {
				return fmt.Errorf("write answer: %w", err)
			}
		}
		if err == nil && in.Buffered() > 0 {
			continue
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("write answer: %w", err)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return usageError{fmt.Errorf("line %d: %w", n, err)}
		}
	}
}

// readLine reads a line without the blanks around it. The last one may come
// beside io.EOF.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// decode reads one line into v. Its errors are in the words of JSON.
func decode(line []byte, v any) error {
	err := json.Unmarshal(bytes.TrimPrefix(line, byteOrderMark), v)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%q is a %s where something else is expected", wrong.Field, wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	return nil
}

// byteOrderMark begins the files of some editors.
var byteOrderMark = []byte("\uFEFF")
