package isolation_test

import "encoding/base64"

// base64Of are the spellings of a word within base64, one for each position
// that it may begin at; the ends, which depend on what stands beside it, are
// left out.
func base64Of(word string) (spellings []string) {
	for skip := range 3 {
		padded := append(make([]byte, skip), word...)
		text := base64.StdEncoding.EncodeToString(padded[:len(padded)/3*3])
		spellings = append(spellings, text[(skip*8+5)/6:])
	}
	return spellings
}
