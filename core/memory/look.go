package memory

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"talaria/core/person"
	"talaria/core/text"
)

// lookedAt is how many ranked turns are looked at for each that is shown.
const lookedAt = 5

// Look is Search for somebody who reads what was found. Each hit holds one of
// the words that tell what is looked for, and is of the time that is named,
// which a query may also have alone; nothing is shown twice.
//
// Search does not leave these out: what stands beside a turn that fits, or a day
// later, is often the answer, for one who weighs a list of twenty.
func (s *Searcher) Look(ctx context.Context, p person.Principal, query string, limit int) ([]Hit, error) {
	when, err := s.when(ctx, p, query)
	if err != nil {
		return nil, fmt.Errorf("look up what was said: %w", err)
	}
	settings, err := person.ReadSettings(ctx, s.store, p)
	if err != nil {
		return nil, fmt.Errorf("look up what was said: %w", err)
	}
	words, dates := apart(query)
	q, dated := text.NewQuery(text.Content(words)), text.NewQuery(dates)
	if len(q.Terms()) == 0 && when == (times{}) {
		q = text.NewQuery(query) // the words that ask are what is looked for
	}
	within := when
	if within.recent == (span{}) {
		within.recent = when.period.span(settings.Location())
	}
	ranked, err := s.find(ctx, p, query, q, within, lookedAt*limit)
	if err != nil {
		return nil, fmt.Errorf("look up what was said: %w", err)
	}
	var shown []found
	seen := map[string]bool{}
	for _, f := range ranked {
		said := text.Fold(f.said.Text)
		fits := len(q.Terms()) == 0 || q.In(f.said.Text)
		timely := when.recent == (span{}) || when.recent.holds(f.said.At)
		// A date may be when it was said, or what it is about.
		timely = timely && (when.period == (period{}) || when.period.holds(f.said.At.In(settings.Location())) || dated.AllIn(f.said.Text))
		if said == "" || seen[said] || !fits || !timely || len(shown) == limit {
			continue
		}
		seen[said] = true
		shown = append(shown, f)
	}
	return s.hits(ctx, shown, q)
}

// apart takes the words for times out of a query: those for a time by how far it
// is from now, which no turn has to hold, and dates.
func apart(query string) (words, dates string) {
	if p, groups := findPhrase(query); groups != nil {
		query = p.pattern.ReplaceAllString(query, " ")
	}
	var out strings.Builder
	for _, re := range []*regexp.Regexp{isoDate, dayMonth, monthDay, month, hanDate, yearName} {
		query = re.ReplaceAllStringFunc(query, func(date string) string {
			if date != "" {
				out.WriteString(date + " ")
				return " "
			}
			return ""
		})
	}
	return query, out.String()
}
