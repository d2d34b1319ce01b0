package scheduler

import (
	"context"
	"regexp"
	"strings"
)

const (
	oneName = "`?[a-z0-9]+(?:[._-][a-z0-9]+)*`?"
	// A comma alone goes on with names only where these are in code marks, for
	// another clause may stand behind it.
	allNames = oneName + `(?:(?:\s*,\s*` + oneName + `)*,?\s+and\s+` + oneName + `|(?:\s*[、和]\s*` + oneName + ")+|(?:\\s*,\\s*`[a-z0-9._-]+`)+)?"
)

// wordings are the ways of saying in a request what its runs are to work with:
// each is a rule, and a pattern whose only group that took part is its value.
var wordings = []struct {
	rule    string
	pattern *regexp.Regexp
}{
	{"skills", regexp.MustCompile(`(?i)[,;]?\s*\b(?:with|using|following|per)\s+(?:the\s+|my\s+|our\s+)?(?:skills?\s+(` + allNames + `)|(` + oneName + `)\s+skill\b)`)},
	{"skills", regexp.MustCompile(`(?i)[,，;；]?\s*(?:使用|用|按照|按)\s*(?:技能\s*(` + allNames + `)|(` + oneName + `)\s*(?:这个|的)?技能)`)},
	{"model", regexp.MustCompile(`(?i)[,;]?\s*\b(?:with|using|on)\s+(?:the\s+)?(?:model\s+(` + oneName + `)|(` + oneName + `)\s+model\b)`)},
	{"model", regexp.MustCompile(`(?i)[,，;；]?\s*(?:使用|用)\s*(?:模型\s*(` + oneName + `)|(` + oneName + `)\s*(?:这个|的)?模型)`)},
	{"tools", regexp.MustCompile(`(?i)[,;]?\s*\b(?:with|using)\s+only\s+the\s+tools?\s+(` + allNames + `)`)},
	{"tools", regexp.MustCompile(`(?i)[,，;；]?\s*(?:只|仅)(?:使用|用)\s*工具\s*(` + allNames + `)`)},
	{"tokens", regexp.MustCompile(`(?i)[,;]?\s*\b(?:(?:with|using|for|and)\s+)?(?:at\s+most|no\s+more\s+than|up\s+to)\s+(\d[\d,_]*)\s+tokens\b(?:\s+(?:each\s+time|a\s+run|per\s+run|each)\b)?`)},
	{"tokens", regexp.MustCompile(`(?i)[,，;；]?\s*(?:每次)?(?:最多|不超过)(?:使用|用)?\s*(\d[\d,_]*)\s*个?\s*(?:tokens?|令牌)`)},
}

// andWords separate names that are said in a sentence.
var andWords = regexp.MustCompile(`(?i)\s+and\s+|[、和]`)

// used takes out of a request what its runs are to work with. A name in code
// marks, or that looks like one, or that ends a clause, is meant as one, and refused where there is no such
// thing; elsewhere it counts only where there is, for "with the skill of a surgeon"
// names none.
func (d Desk) used(ctx context.Context, request string, r *Rules) (rest string, err error) {
	for _, w := range wordings {
		m := w.pattern.FindStringSubmatchIndex(request)
		if m == nil {
			continue
		}
		value := andWords.ReplaceAllString(group(request, m), ",")
		with := *r
		if err := with.Set(w.rule, value); err != nil {
			return "", err
		}
		lacks, err := d.s.lacks(ctx, &Job{Rules: with}, d.who)
		if err != nil {
			return "", err
		}
		if lacks != "" && (strings.ContainsAny(value, "`-_.0123456789") || endsClause(request[m[1]:])) {
			return "", refused("%s", lacks)
		}
		if lacks == "" {
			*r, request = with, request[:m[0]]+" "+request[m[1]:]
		}
	}
	return strings.TrimSpace(request), nil
}

// endsClause reports whether a clause is over before what stands behind it.
func endsClause(behind string) bool {
	behind = strings.TrimSpace(behind)
	return behind == "" || strings.ContainsAny(behind[:1], ",;.") || strings.ContainsRune("，；。", []rune(behind)[0])
}

// group is the first group that took part in a match.
func group(s string, m []int) string {
	for n := 2; n < len(m); n += 2 {
		if m[n] >= 0 {
			return s[m[n]:m[n+1]]
		}
	}
	return ""
}
