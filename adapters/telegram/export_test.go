package telegram

import "time"

// Hurry has the adapter wait as pause says, and not for the parts of albums
// longer than album.
func (a *Adapter) Hurry(pause func(attempt int) time.Duration, album time.Duration) {
	a.timing = timing{pause: pause, album: album}
}

// Hold has presses wait so long for words.
func (a *Adapter) Hold(d time.Duration) { a.press.hold = d }
