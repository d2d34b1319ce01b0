package when

import "slices"

// englishRules are tried at each word; the longest match wins, and the first of
// equally long ones.
func englishRules() []rule {
	return slices.Concat(englishFillers(), englishClocks(), englishPartRules(), englishDays(), englishWeekdayRules(),
		englishMonthdayRules(), englishDateRules(), englishLengthRules(), englishRepeats())
}

func englishFillers() []rule {
	return []rule{
		english(`at|on|the|of|and|in|from now on|please|sharp|exactly|o'clock|time|then|also|once|for`, "", filler),
		english(`around|about|approximately|roughly`, "", filler),
		read(`[,.;!@&:-]`, "", filler),
		english(`today`, "day", func(d *draft, _ groups) { d.dayShift, d.today = some(0), true }),
		english(`(?:my|local|our) time`, "", filler),
		english(`(?:starting|beginning|effective)(?: from| on)?|from|as of`, starting, filler).but(` of\b`),
		english(`until|till|through|up to`, until, filler),
	}
}
