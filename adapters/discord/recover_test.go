package discord

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"talaria/adapters/inbound"
)

func TestAPanicCostsOneDispatch(t *testing.T) {
	var log bytes.Buffer
	in := &intake{log: slog.New(slog.NewTextHandler(&log, nil))}
	items := in.survive(scene{}, func(scene) []inbound.Item { panic("nobody thought of it") })
	if len(items) != 1 || items[0].Reason != inbound.Unsupported {
		t.Errorf("came to %+v", items)
	}
	if !strings.Contains(log.String(), "nobody thought of it") {
		t.Errorf("log: %s", log.String())
	}
}
