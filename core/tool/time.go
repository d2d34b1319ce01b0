package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	"talaria/core/agent"
	"talaria/core/chat"
)

//go:embed time.md
var timeDescription string

// clock tells the time.
type clock struct {
	now  func() time.Time
	zone *time.Location
}

func (c *clock) Spec() agent.Spec {
	return agent.Spec{
		Name: "time", Description: timeDescription, Effect: agent.Read,
		Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string","description":"IANA name, such as Europe/Berlin"}}}`),
	}
}

func (c *clock) Call(_ context.Context, in agent.Invocation) (agent.Result, error) {
	args, err := decode[struct{ Zone string }](in)
	if err != nil {
		return agent.Result{}, err
	}
	zone := time.UTC
	if c.zone != nil {
		zone = c.zone
	}
	if args.Zone != "" {
		if zone, err = time.LoadLocation(args.Zone); err != nil || args.Zone == "Local" {
			return agent.Result{}, fmt.Errorf("%q is not the name of a time zone", args.Zone)
		}
	}
	text := c.now().In(zone).Format("Monday, 2006-01-02 15:04:05 -07:00") + " " + zone.String()
	return agent.Result{Text: text, Origin: chat.Self}, nil
}
