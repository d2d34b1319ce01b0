package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/scheduler/when"
)

// parseOptions say where and when a phrase is said.
type parseOptions struct {
	zone  string
	now   string
	jsonl bool
}

// jobsParseCommand tries schedule phrases.
func jobsParseCommand() command {
	var o parseOptions
	return command{
		name: "jobs parse", args: "[PHRASE]", help: "Try a schedule phrase: when it would be due.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.zone, "zone", "", "time `ZONE` of who says it; the machine's if not given")
			f.StringVar(&o.now, "now", "", "`TIME` (RFC 3339) at which it is said; the present if not given")
			f.BoolVar(&o.jsonl, "jsonl", false, "read lines of {id, phrase, zone, now}, write lines of {id, kind, next3, ...}")
		},
		run: func(_ context.Context, p *process, args []string) error { return parseJobs(p, o, args) },
	}
}

// parseJobs answers lines for programs, or one phrase for people.
func parseJobs(p *process, o parseOptions, args []string) error {
	if o.jsonl {
		return eachLine(p.in, p.out, parseLine)
	}
	if len(args) == 0 {
		return usageError{errors.New("jobs parse: name a phrase, or --jsonl")}
	}
	zone, now, err := whereAndWhen(o.zone, o.now)
	if err != nil {
		return usageError{fmt.Errorf("jobs parse: %w", err)}
	}
	return tellSchedule(p.out, args[0], zone, now)
}

// whereAndWhen fills in the machine's zone and the present.
func whereAndWhen(zoneName, at string) (*time.Location, time.Time, error) {
	zone, now := app.Zone(config.Scheduler{}), time.Now()
	var err error
	if zoneName != "" {
		if zone, err = time.LoadLocation(zoneName); err != nil {
			return nil, now, fmt.Errorf("no time zone is called %q", zoneName)
		}
	}
	if at != "" {
		if now, err = time.Parse(time.RFC3339, at); err != nil {
			return nil, now, fmt.Errorf("%q is no time such as 2026-03-04T10:15:00Z", at)
		}
	}
	return zone, now, nil
}

// upcoming are as many times as are shown.
const upcoming = 3

// tellSchedule says a phrase back with its next times, or why not, which is a
// failure for whoever asks in a script.
func tellSchedule(w io.Writer, phrase string, zone *time.Location, now time.Time) error {
	s, err := when.Parse(phrase, zone, now)
	if unclear, ok := errors.AsType[*when.Unclear](err); ok {
		fmt.Fprintln(w, unclear.Reason)
		for _, suggestion := range unclear.Suggestions {
			fmt.Fprintf(w, "  try: %s\n", suggestion)
		}
		return errReported
	}
	fmt.Fprintln(w, s.Text(when.Language(phrase)))
	for _, t := range s.Upcoming(now, upcoming) {
		fmt.Fprintln(w, "  "+t.Format("Mon 2006-01-02 15:04 -07:00"))
	}
	return nil
}

// parsedPhrase is the answer to a line.
type parsedPhrase struct {
	ID           string      `json:"id"`
	Kind         string      `json:"kind"`
	Next3        []time.Time `json:"next3"`
	Cron         string      `json:"cron,omitempty"` // only where one line says all
	Zone         string      `json:"zone,omitempty"`
	EverySeconds int64       `json:"every_seconds,omitempty"`
	Reason       string      `json:"reason,omitempty"`
	Cause        string      `json:"cause,omitempty"`
	Suggestions  []string    `json:"suggestions,omitempty"`
	Text         string      `json:"text"`
}

// parseLine answers one line.
func parseLine(line []byte) (any, error) {
	var in struct{ ID, Phrase, Zone, Now string }
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	zone, now, err := whereAndWhen(in.Zone, in.Now)
	if err != nil {
		return nil, err
	}
	out := parsedPhrase{ID: in.ID, Next3: []time.Time{}}
	s, err := when.Parse(in.Phrase, zone, now)
	if unclear, ok := errors.AsType[*when.Unclear](err); ok {
		out.Kind, out.Text = "reject", unclear.Reason
		out.Reason, out.Cause, out.Suggestions = unclear.Reason, string(unclear.Cause), unclear.Suggestions
		return out, nil
	}
	out.Kind, out.Zone, out.EverySeconds = string(s.Kind), s.Zone, s.EverySeconds
	out.Next3 = append(out.Next3, s.Upcoming(now, upcoming)...)
	out.Text = s.Text(when.Language(in.Phrase))
	if len(s.Cron) == 1 && s.Step.N == 0 {
		out.Cron = s.Cron[0]
	}
	return out, nil
}
