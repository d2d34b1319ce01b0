package app_test

import (
	"slices"
	"testing"

	"talaria/core/model/modeltest"
)

func TestMessagesCardsAndSearchGoToTheEmbedder(t *testing.T) {
	e := modeltest.StartEmbeddings("car automobile")
	t.Cleanup(e.Close)
	s := serve(t, "TALARIA_MODEL_EMBEDDING_PROVIDER=openai", "TALARIA_MODEL_EMBEDDING_NAME=small", "TALARIA_MODEL_EMBEDDING_BASE_URL="+e.URL())
	s.Say(admin, admin, "what is 20+3")
	hears(t, s, admin, "23")
	s.Say(admin, admin, "/memory add The automobile is serviced by Henri") // too late for the head of the session
	hears(t, s, admin, "Noted as")
	const message, query = "remember that my car is blue", "blue car"
	s.Say(admin, admin, message)
	hears(t, s, admin, "blue")
	s.Say(admin, admin, "/search "+query)
	hears(t, s, admin, "(?s)1\\. .*blue")
	asked := slices.Concat(e.Asked()...)
	for text, want := range map[string]int{message: 1, "The automobile is serviced by Henri": 1, query: 1} {
		n := len(slices.DeleteFunc(slices.Clone(asked), func(s string) bool { return s != text }))
		if n != want {
			t.Errorf("%q went to the embedder %d times", text, n)
		}
	}
}
