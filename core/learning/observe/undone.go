package observe

// Undone reports whether an answer says that what was asked for was not done:
// that it could not be, was not understood, or is refused.
func Undone(answer string) bool {
	s := normal(answer)
	head := harmless.without(first(s, maxOpening))
	return opens.MatchString(head) || points.MatchString(harmless.without(s))
}

// maxOpening is how far an answer opens, in characters: behind that, what could
// not be done tends to be a caveat.
const maxOpening = 240

// Where an answer says it: at the beginning of a sentence, or of a point of a
// list, with regrets before it.
const (
	sentence = `(?:^|[.!?。！？\n]\s*)`
	point    = `(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)、])\s*`
	regrets  = `(?:(?:(?:i'm|i am|we're) (?:sorry|afraid)|sorry|apologies|my apologies|i apologi[sz]e|unfortunately|` +
		`regrettably)[,.:;!]?\s*(?:that\s+|but\s+)?)*`
	regretZH = `(?:(?:很|非常)?(?:抱歉|对不起|不好意思|遗憾的是|遗憾)[,.:;!，。！]?\s*(?:但(?:是)?)?)*`
)

// The turns of phrase. Who could not is the one who answers: that something
// can't be done at all is an answer.
const (
	couldNot = `i (?:(?:really|currently|still|also|just|am sorry but i) )?(?:could not|couldn't|cannot|can't|can not)\b`
	unable   = `(?:i (?:was|am)|i'm) (?:(?:currently|still|also) )?(?:unable to|not able to|not allowed to|not permitted to)\b|` +
		`i (?:wasn't able to|failed to|did not manage|didn't manage|(?:won't|will not) be able to|must decline|have to decline)\b`
	lacking = `i (?:do not|don't) (?:currently )?have (?:access|permission|the ability|any way|a way|the tools?|a tool)\b|` +
		`i have no (?:access|way|tool|permission)\b`
	lost   = `i (?:do not|don't|did not|didn't) (?:quite |fully )?(?:understand|follow|know)\b`
	itself = `(?:the|this|that|your) \S+(?: \S+)? (?:could not|couldn't) be (?:read|opened|fetched|loaded|reached|found|` +
		`completed|done|written|sent|saved|created)\b|(?:nothing was|(?:it|this|that) was not|(?:it|this|that) wasn't) (?:done|` +
		`written|saved|sent|created)\b|not done(?: yet)?\b`
	inHan = `(?:我|我们|我这边|目前我|这句话我|这个我)?(?:暂时|目前|还|也|都)?(?:没能|未能|无法|没办法|没法|做不到|办不到|` +
		`没看懂|看不懂|没听懂|无权)|我(?:暂时|目前|还|也)?(?:不能|不会|不知道|不明白|不理解|没有权限|没有办法)`
)

var (
	opens  = oneOf(phrased(sentence)...)
	points = oneOf(phrased(point)...)
)

func phrased(where string) []string {
	out := []string{where + regretZH + "(?:" + inHan + ")"}
	for _, p := range []string{couldNot, unable, lacking, lost, itself} {
		out = append(out, where+regrets+"(?:"+p+")")
	}
	return out
}

// harmless says with the same words that all is well, or leaves something to
// the reader.
var harmless = oneOf(
	`\bi (?:could not|couldn't|cannot|can't|can not|did not|didn't|was unable to|wasn't able to|failed to) (?:find|see|spot|`+
		`detect|identify|notice|think of) (?:any|a single|anything|evidence|another|much)\b`,
	`\bi (?:cannot|can't) (?:recommend|stress|thank|wait|complain|guarantee|promise|help but|imagine)\b`, `\bi (?:don't|do not) know about you\b`,
	`(?:没能|未能|无法|没)(?:找到|发现|看到)(?:任何|什么|明显)`, `无法保证`,
)
