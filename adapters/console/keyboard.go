package console

import (
	"bytes"
	"io"
	"os"
	"sync"
)

const (
	ctrlC = 0x03
	ctrlD = 0x04
)

// keyboard stands between what is typed and the line editor: it makes one line of
// what is pasted, keeps what is typed while no line is wanted, and tells of a
// Ctrl-D then, which the editor would see only after the answer.
type keyboard struct {
	editor *os.File      // what the editor reads from is its other end
	left   chan struct{} // Ctrl-D while no line is wanted and none is begun

	mu     sync.Mutex
	ahead  []byte // typed and not handed on yet
	wanted bool   // the editor reads a line
	over   bool   // nothing comes after ahead
}

func newKeyboard(editor *os.File) *keyboard {
	return &keyboard{editor: editor, left: make(chan struct{}, 1)}
}

// listen takes what is typed until in ends.
func (k *keyboard) listen(in io.Reader) {
	var p pastes
	buffer := make([]byte, 4096)
	for {
		n, err := in.Read(buffer)
		k.typed(p.keys(buffer[:n]), err != nil)
		if err != nil {
			return
		}
	}
}

// want has the next line handed to the editor.
func (k *keyboard) want() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wanted = true
	k.handOn()
}

func (k *keyboard) typed(keys []byte, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(keys) > 0 && keys[0] == ctrlD && !k.wanted && len(k.ahead) == 0 {
		keys = keys[1:]
		select {
		case k.left <- struct{}{}:
		default: // it is known
		}
	}
	k.ahead, k.over = append(k.ahead, keys...), last
	k.handOn()
}

// handOn gives the editor the keys up to the end of a line, if it wants one.
// Called with mu held.
func (k *keyboard) handOn() {
	if !k.wanted {
		return
	}
	keys := k.ahead
	if end := bytes.IndexAny(keys, "\r\n\x03"); end >= 0 {
		keys, k.wanted = keys[:end+1], false
	}
	k.ahead = k.ahead[len(keys):]
	_, _ = k.editor.Write(keys) // it fails once the editor is closed, who then wants nothing
	if k.over && k.wanted {
		_ = k.editor.Close() // which is the end of input
	}
}
