package memory

import (
	"testing"
	"time"
)

func TestParsePeriod(t *testing.T) {
	for query, want := range map[string]period{
		"what did we deploy":                         {},
		"what may we deploy":                         {},
		"what did we deploy in May":                  {month: time.May},
		"the offsite in october 2025":                {year: 2025, month: time.October},
		"meeting on 3 March, 2026":                   {year: 2026, month: time.March, day: 3},
		"meeting on March 3rd":                       {month: time.March, day: 3},
		"meeting on the 21st of sept":                {month: time.September, day: 21},
		"log of 2026-03-02":                          {year: 2026, month: time.March, day: 2},
		"everything from 2024":                       {year: 2024},
		"2026年3月2日的会议":                               {year: 2026, month: time.March, day: 2},
		"3月的会议":                                      {month: time.March},
		"port 2026-99":                               {year: 2026},
		"decision of the marching band":              {},
		"error 20261 in build 5":                     {},
		"去年的预算":                                      {},
		"what happened on the second, said the maid": {},
	} {
		if got := parsePeriod(query); got != want {
			t.Errorf("%q: %+v, want %+v", query, got, want)
		}
	}
}

func TestWorthOfAPeriod(t *testing.T) {
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 10, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		query string
		at    time.Time
		want  float64
	}{
		{"budget", day(3, 2), 1},
		{"budget in March", day(3, 31), inPeriod},
		{"budget in March", day(4, 15), afterPeriod},
		{"budget in March", day(5, 15), 1},
		{"budget on March 2", day(3, 2), inPeriod},
		{"budget on March 2", day(3, 4), afterPeriod},
		{"budget on March 2", day(3, 20), 1},
		{"budget of 2025", day(3, 2), 1},
	} {
		if got := parsePeriod(c.query).worth(c.at); got != c.want {
			t.Errorf("%q at %s: %v, want %v", c.query, c.at.Format(time.DateOnly), got, c.want)
		}
	}
}

func FuzzParsePeriod(f *testing.F) {
	for _, s := range []string{"2026-13-45", "may", "in may 99", "年月日", "5 in may"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := parsePeriod(s)
		if p.month < 0 || p.month > 12 || p.day < 0 {
			t.Fatalf("%q: %+v", s, p)
		}
	})
}
