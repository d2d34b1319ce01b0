package observe

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"talaria/core/text"
)

// Aspect is what a complaint about an answer's form is about.
type Aspect string

// The aspects.
const (
	Style  Aspect = "style"
	Tone   Aspect = "tone"
	Format Aspect = "format"
	Length Aspect = "length"
)

// Words is what a message says about the answer before it.
type Words struct {
	Correction bool     // the answer or the work was wrong
	Reason     bool     // and why, or what holds instead of it as a rule
	Incomplete bool     // something was missing
	FollowUp   bool     // goes on with the same thing
	Builds     bool     // asks for something on top of the result
	Thanks     bool     // it was right, or gratefully taken
	Aspects    []Aspect // of its form that the person wants otherwise
	Annoyed    bool     // and has had enough
	Remember   bool     // asks that this way of working is kept
}

// Continues reports whether the message goes on with the task before it.
func (w Words) Continues() bool {
	return w.Negative() || w.Incomplete || w.FollowUp || w.Remember
}

// Negative reports whether the person did not like what they got.
func (w Words) Negative() bool { return w.Correction || w.Annoyed || len(w.Aspects) > 0 }

// Read understands a message as words about the answer before it. An empty
// answer means that there is none: then only a wish to remember is looked for.
func Read(message, answer string) Words {
	s := normal(first(message, maxRead))
	w := Words{Remember: remember.MatchString(s)}
	if strings.TrimSpace(answer) == "" || s == "" {
		return w
	}
	s = neutral.without(s)
	asked := strings.HasSuffix(strings.TrimRight(answer, " \n*_)）"), "?") || strings.HasSuffix(strings.TrimSpace(answer), "？")
	w.Aspects = aspects(s)
	w.Annoyed = annoyed.MatchString(s)
	w.Incomplete = incomplete.MatchString(s)
	declined := bareNo.MatchString(s)
	w.Correction = correction.MatchString(s) || declined && !asked || standing.MatchString(s) && !w.Remember
	w.Reason = (w.Negative() || declined) && reason.MatchString(s)
	w.Correction = w.Correction || w.Reason && declined
	praise := denied.without(s)
	w.Thanks = thanks.MatchString(praise) && !w.Negative()
	w.Correction = w.Correction || denied.MatchString(s)
	w.Thanks = w.Thanks && !w.Correction
	w.Builds = builds.MatchString(s)
	w.FollowUp = w.Builds || followUp.MatchString(s) || short(s) && (pointing.MatchString(s) || w.Thanks || asked)
	return w
}

// Remembers reports whether a message asks that this way of working is kept.
func Remembers(message string) bool { return remember.MatchString(normal(first(message, maxRead))) }

// maxRead is how much of a message is read, in characters: who goes on for
// longer has said by then what they think of the answer.
const maxRead = 600

// normal is a message as the tables have it: folded, with plain apostrophes.
func normal(s string) string {
	return text.Fold(strings.NewReplacer("’", "'", "‘", "'", "`", "'").Replace(s))
}

// short reports whether a message is too short to be a request of its own.
func short(s string) bool { return len(text.Terms(s)) <= 6 }

func aspects(s string) []Aspect {
	var out []Aspect
	for _, a := range complaints {
		if a.is.MatchString(s) {
			out = append(out, a.aspect)
		}
	}
	return out
}

// pattern is a table of turns of phrase, apart by script: a message is only
// matched with those that it can hold.
type pattern struct{ spaced, han func() *regexp.Regexp }

// oneOf joins alternatives, in each of which a blank stands for any number.
func oneOf(alternatives ...string) pattern {
	var spaced, han []string
	for _, a := range alternatives {
		if strings.ContainsFunc(a, isHan) {
			han = append(han, a)
		} else {
			spaced = append(spaced, a)
		}
	}
	return pattern{joined(spaced), joined(han)}
}

// joined compiles when it is asked first: all tables together take milliseconds
// and megabytes, which no start of the program should pay.
func joined(alternatives []string) func() *regexp.Regexp {
	if len(alternatives) == 0 {
		return nil
	}
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll("(?:"+strings.Join(alternatives, "|")+")", " ", `\s+`))
	})
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// isOther is what the tables without Han characters are about: letters of other
// scripts, and emoji.
func isOther(r rune) bool { return unicode.IsLetter(r) && !isHan(r) || unicode.Is(unicode.So, r) }

func (p pattern) MatchString(s string) bool {
	return p.spaced != nil && strings.ContainsFunc(s, isOther) && p.spaced().MatchString(s) ||
		p.han != nil && strings.ContainsFunc(s, isHan) && p.han().MatchString(s)
}

// without replaces what matches by a blank.
func (p pattern) without(s string) string {
	if p.spaced != nil && strings.ContainsFunc(s, isOther) {
		s = p.spaced().ReplaceAllString(s, " ")
	}
	if p.han != nil && strings.ContainsFunc(s, isHan) {
		s = p.han().ReplaceAllString(s, " ")
	}
	return s
}

// begin is the beginning of a message or of a sentence in it.
const begin = `(?:^|[.!?;,:。！？；，：\n]\s*|\b(?:but|and|sorry|hmm+|ok|okay|well|wait|um|uh|hey|oh|ah|almost|close),?\s+)`

// neutral are turns of phrase that only look like something else.
var neutral = oneOf(
	`\bno (?:problem|worries|worry|need|rush|hurry|idea|doubt|questions?|offen[cs]e|big deal|matter|biggie|pressure|kidding|way to know)\b`,
	`\b(?:don't|do not|dont) (?:worry|bother|mind|hesitate|forget)\b`, `\bnever mind\b`, `\bnot (?:to worry|a problem|an issue)\b`,
	`\b(?:can't|cannot|couldn't) (?:complain|be better|thank)\b`, `\bwhy not\b`, `\bif not\b`, `\bwhat's wrong with\b`, `\bwhat is wrong with\b`,
	`\bno,? (?:thanks|thank you|thx|i'?m (?:good|fine|ok)|(?:that|it)'?s (?:all|fine|it|perfect|great|good|ok(?:ay)?|`+
		`everything))\b`, `\b(?:see you|until|till) next time\b`, `\bi said (?:hello|hi|yes|no|goodbye|ok)\b`,
	`\b\w+ (?:says?|said|claims?|thinks?|reports?|complains?|told (?:me|us)) (?:that )?(?:this|it|that|the \w+|our \w+)(?: is|'s|`+
		` was| are| doesn't) [^.!?]*`,
	`\bnothing wrong\b`, `\bis (?:it|this|that) (?:wrong|right|correct)\b`,
	`为什么[^,。!?]*不对`, `(?:客户|老板|用户|他|她|他们|她们|同事|对方|领导|系统)(?:都)?(?:说|反馈|觉得|认为|抱怨)[^。!?]*`,
	`不要紧`, `没关系`, `不客气`, `不急`, `不用急`, `别急`, `别担心`, `不用担心`, `不好意思`, `不得不`, `不仅`, `不只`, `不过`,
	`对不对`, `好不好`, `是不是`, `行不行`, `能不能`, `可不可以`, `有没有`, `要不要`, `会不会`, `不是吗`, `差不多`, `对不起`,
)

var bareNo = oneOf(begin+`(?:no|nope|nah)(?:[ ,.!;:]|$)`, begin+`不(?:是)?(?:[ ,.!;:，。！]|$)`)

var correction = oneOf(
	`\b(?:that's|thats|that is|this is|it's|its|it is|you're|you are|those are|they're) (?:still |just |all |completely |totally |`+
		`plain |simply |actually )?(?:wrong|incorrect|false|inaccurate|mistaken|not (?:right|correct|true|accurate|it|what|how|`+
		`quite|the (?:one|right|same)|my))\b`,
	`\b(?:isn't|wasn't|aren't|ain't|is not|was not) (?:right|correct|true|accurate|what (?:i|we)|how (?:we|i)|quite)\b`,
	`\b(?:looks?|seems?|is|are|was|were) (?:still |just |all |totally )?(?:wrong|off|incorrect|outdated|broken|useless|`+
		`out of date|a mess)\b`, `\b(?:that's|it's|this is|that is|those are) (?:the |a )?wrong\b`, `^[^,.!?:]{1,30}, not \w`,
	`\byou (?:mixed|swapped|confused) .* up\b`, `\bwe (?:don't|do not|no longer) (?:use|do|have|call|say)\b`, `\bnot working\b`,
	begin+`(?:wrong|incorrect|false)(?:[ ,.!;:]|$)`, `\bwrong (?:file|channel|one|date|day|time|year|month|person|number|version|`+
		`format|language|way|place|order|link|name|team|answer|thing)\b`,
	`\bnot what i\b`, `\bnot (?:that|this) one\b`, `\byou(?:'ve| have)? (?:misunderstood|misread|mixed (?:up|them)|got (?:it|that|`+
		`this|them|the \w+) wrong|made (?:a|an) (?:mistake|error)|messed|ignored|overlooked|confused)`,
	`\byou (?:should|could) (?:have|not have)|\byou shouldn't(?: have)?\b|\byou were supposed to\b|\byou keep \w+ing\b|`+
		`\bwhy (?:did|do|are|would|were) you\b`,
	begin+`i (?:meant|said|asked (?:for|you)|wanted|told you|was asking)\b`, `\bi (?:didn't|did not|never) (?:ask|mean|want|say|said|asked)\b`,
	begin+`(?:please )?(?:stop|quit) (?:\w+ing|with|that|it)\b`, begin+
		`(?:please )?(?:don't|do not|dont) (?:ever )?(?:use|do|add|write|send|say|call|put|make|give|be|include|start|show|list|`+
		`repeat|explain|ask|post|tag|ping|mention|translate|guess|assume|change|touch)\b`,
	begin+`(?:please )?never (?:use|do|add|write|send|say|call|put|make|include|guess|post)\b`,
	begin+`actually,? (?:no\b|it'?s?\b|that'?s?\b|the\b|we\b|use\b|i (?:meant|said|wanted)|not\b|make\b|should)`,
	`\buse \S+(?: \S+)?,? (?:not|instead of|rather than)\b`,
	`\b(?:should|must|needs to|ought to) (?:be|have been|say|read|use|go|come|start|end)\b.*\b(?:not|instead)\b`,
	begin+`(?:it|that|this|the \w+(?: \w+)?|they) (?:should|must|needs to|ought to) (?:be|have been|say|read|use)\b`,
	begin+`(?:please )?(?:redo|undo|revert|fix) (?:it|that|this|the)\b`, begin+
		`(?:please )?(?:do (?:it|that|this) (?:again|over)|try again|start over)\b`,
	`\b(?:doesn't|does not|didn't|did not|don't|won't|isn't|still not) (?:work|working|help|helpful|compile|run|answer|match|`+
		`exist|make sense)`, `\bstill (?:wrong|broken|fails?|failing|the same|an? error)\b`,
	begin+`(?:useless|nonsense|rubbish|bad|terrible|awful)\b`, `\bnot (?:helpful|useful)\b`, `👎|❌`,
	// Chinese, folded to simplified characters.
	`不对`, `错了|错啦|弄错|搞错|写错|算错|理解错|看错|说错|填错|发错|用错`, begin+`(?:错|错误|不正确|不准确)(?:[ ,.!，。！]|$)`,
	`还是错|又错|还是不(?:对|行)`,
	`不是(?:这|那|我|说|要|让|指|叫|问)`, begin+`(?:请|麻烦|以后|下次|千万)?(?:别|不要|勿|不准|`+
		`禁止)[^了,.!，。！忘急怕慌的人处家名\s]`, `别再|不要再|不要总|别总|别老`,
	`不该|不应该|不应当`, begin+`(?:我说的是|我的意思是|我要的是|我问的是|我指的是|我是说|我想要的是|我没让|我没说|我没要|`+
		`我明明)`, `(?:应该|应当|应)(?:是|用|写|叫|改|为)`,
	`(?:改成|换成|改为|换为|改用|换用)`, `而不是`, begin+`(?:重做|重写|重来|重新来|重新做|重新写|撤销|再试|再来一次)`,
	`没(?:有)?用(?:[ ,.!，。！]|$)|不管用|不起作用|没解决|没有解决|行不通|不好使|跑不了|答非所问`,
	`这(?:个)?不是(?:最|我|正|那|要)`, `怎么还(?:是|没|不|在)`, `(?:这样|这个|这)(?:不行|不好|不可以)`, `(?:还是|这是)旧的`,
	`你(?:怎么|为什么|为啥|干嘛|误解|理解错|搞混|忽略|漏看)`, begin+`(?:不行|不好|不可以)(?:[ ,.!，。！]|$)`, `怎么又`, `其实(?:是|应该|不)`,
)

// standing are wishes for the next time, which say that this time was not right.
var standing = oneOf(`\b(?:next time|from now on|in (?:the )?future|going forward)\b`,
	`(?:下次|以后|今后)(?:就|都)?(?:记得|要|请|先|别|不要|不用|用)`)

// denied is praise with a no before it.
var denied = oneOf(
	`\b(?:not|isn't|wasn't|aren't|never|hardly) (?:(?:so|very|really|that|too|particularly|exactly|all that|at all|`+
		`quite) )?(?:great|good|perfect|nice|helpful|useful|ideal|impressed|happy|satisfied|clear)\b`,
	`\bno thanks\b(?:.*\b(?:wrong|not)\b)`, `\bthanks for nothing\b`,
	`不(?:太|是很|怎么|够|算)(?:好|对|行|清楚|满意|理想|合适|准)`, `不(?:满意|合适|理想)`,
)

var thanks = oneOf(
	`\b(?:thanks|thank you|thank u|thx|tysm|ty|cheers|tnx|appreciated?|grateful)\b`,
	`\b(?:perfect|perfectly|awesome|excellent|brilliant|fantastic|wonderful|amazing|lovely|superb|spot on|well done|nailed it|lgtm|neat|bravo)\b`,
	begin+`(?:great|nice|cool|good|super|correct|exactly|right|yes,? (?:that's|exactly|perfect)|sweet)(?:[ ,.!]|$)`,
	`\b(?:good|great|nice) (?:job|work|one|stuff|answer|catch|idea)\b`,
	`\b(?:that|this|it|which) (?:works|worked|helps|helped|did it|did the trick|does it|solved it|fixed it)\b`,
	`\bworks (?:now|great|fine|well|perfectly|like a charm)\b`, `\blooks (?:good|great|right|fine|perfect)\b`,
	`\b(?:that's|thats|that is|this is) (?:it|right|correct|great|perfect|good|better|exactly|much better|what i (?:needed|`+
		`wanted))\b`, `\b(?:love (?:it|this|that)|you rock)\b`, `\bnot (?:too )?(?:bad|bad at all)\b`, `\b(?:all|sounds) good\b`,
	`谢谢|多谢|感谢|谢啦|谢了|谢过`, `太好了|太棒|很好|真好|非常好|挺好|好极了|更好了|好多了|好用|好使`,
	`完美|不错|没毛病|没问题|没错|厉害|点赞|赞(?:[ ,.!，。！👍]|$)|辛苦了|牛(?:逼|啊|[ ,.!，。！]|$)|棒(?:[ ,.!，。！]|$)|漂亮`,
	`就这样(?:[ ,.!，。！]|$)|就这么办|没有错|错不了|可以(?:的|了)|搞定|解决了|正是|就是这个|就是它|对(?:的|了)(?:[ ,.!，。！]|$)|`+
		`正确|有用|帮(?:了)?大忙|有帮助`, begin+`好(?:的|了|嘞|呀)?(?:[ ,.!，。！]|$)`, `👍|🙏|🎉|❤|💯|✅|👏`,
)

var incomplete = oneOf(
	`\byou (?:forgot|missed|left out|omitted|skipped|didn't (?:answer|finish|mention|include|add|cover|say)|did not (?:answer|`+
		`finish|mention|include|add|cover|say)|only (?:did|gave|answered|listed|covered))\b`,
	`\b(?:is|was) (?:that|this|it) (?:all|everything|it)\b`, `\b(?:incomplete|unfinished|cut off)\b`,
	`\b(?:is|are|'s) (?:still )?missing\b`, `\bmissing (?:the|a|one|some)\b`, begin+`(?:and )?(?:what|how) about (?:the|my|our|its|their)\b`,
	`\b(?:the rest|what else|anything else|more details?|more examples?|elaborate|in more detail|finish (?:it|that|the))\b`,
	begin+`(?:please )?(?:continue|go on|keep going|carry on)\b`,
	`漏了|漏掉|少了|缺了|缺少|没说完|没写完|没做完|没(?:有)?回答|不完整|不全|没(?:有)?提到|没(?:有)?写`,
	`补充|继续|接着(?:说|写|做)|然后呢|剩下的|其他(?:的)?呢|别的呢|就这些|只有这些|说完|展开|再?详细(?:一)?(?:点|些)|更多`,
)

var followUp = oneOf(
	`^(?:and|also|but|so|then|now|or|plus|ok(?:ay)?,? (?:and|now|then|so)|what about|how about|what if|same for|the same|again|`+
		`yes|yeah|yep|sure|only|just|instead|why|which one|more)\b`,
	`^(?:can|could|would|will) you (?:also|make (?:it|this|that|them)|change|add|put (?:it|this|that)|turn (?:it|this|that)|`+
		`explain (?:it|this|that|why))\b`,
	`^(?:please )?(?:make|shorten|translate|rewrite|rephrase|change|add|remove|turn|put|send|post|save|explain|summari[sz]e|`+
		`format|sort|run|try|do|repeat) (?:it|this|that|them|these|those)\b`, `^(?:please )?(?:shorten|rephrase|rewrite)\b`,
	`^(?:那|那么|还有|另外|而且|再|也|然后|还|并且|或者|如果|为什么|为啥|把(?:它|这|那)|这个|那个|它|同样|一样|顺便|是的|对|`+
		`好的?,)`, `呢(?:[?!.。？！]|$)|[,。!]再`,
)

// pointing are words that stand for what was said before.
var pointing = oneOf(`\b(?:it|that|this|those|these|them|one|ones|there|same|again|instead|above|previous|last)\b`,
	`它|这|那|上面|刚才|之前|前面|再|又|同样`)

var builds = oneOf(
	`\b(?:with|from|using|use|based on|take|of|to) (?:that|those|these|this|the) (?:result|results|list|table|output|answer|file|`+
		`numbers?|data|summary|draft|report)\b`, `\bbased on (?:that|this|it)\b`,
	`\b(?:build|building) on (?:that|this|it)\b`, `(?:用|根据|基于|按照?|拿|从)(?:上面|刚才|之前|前面|这个|这些|那个|`+
		`那些)(?:的)?(?:结果|列表|表格|数据|内容|答案|文件|总结|草稿|报告)?`, `在此基础上|在这个基础上`,
)

var reason = oneOf(
	`\b(?:because|since|as (?:we|i|it|they|the|our)|so that|otherwise|due to|that's why|the reason|in order to|reason:|cause (?:we|it|i))\b`,
	`\b(?:we|our team|our \w+|i|they|people here|everyone here) (?:always|never|only|don't|do not|usually|prefer|can't|cannot|`+
		`have to|must|need to|agreed)\b`, `\bour (?:policy|convention|rule|standard|style|team|style guide)\b`,
	`\b(?:policy|convention|style guide|rule) (?:is|says)\b`,
	`\b(?:is|are|was|were) (?:deprecated|outdated|retired|gone|no longer|only for|reserved|meant for|too \w+ for|confidential|read by)\b`,
	`因为|由于|毕竟|否则|不然|免得|以免|省得|原因|这样才|为了|是给`,
	`我们(?:一直|都|从来|从不|向来|总是|规定|要求|团队|公司|这里|只|习惯|约定|统一)`, `规定|规范|惯例|约定|统一用`,
	`已经(?:废弃|过时|停用|不用|下线|改了)`,
)

var annoyed = oneOf(
	`\bhow many times\b`, `\bi(?:'ve| have)? (?:already )?told you\b`, `\bi (?:just|already) (?:said|told|asked)\b`,
	`\b(?:for the|the) (?:second|third|fourth|fifth|last|umpteenth|hundredth|nth) time\b`,
	`\b(?:annoying|frustrating|ridiculous|infuriating|hopeless|fed up|sick of|tired of)\b`,
	`\bwhat a mess\b|\b(?:are you|you're|you must be) kidding\b`, `\b(?:wtf|ffs|argh+|ugh+|omfg)\b`, `\bseriously\?`,
	`\byou (?:never|always) (?:listen|do this|get)\b`, `\bplease listen\b`,
	`都说了|说过(?:了|多少|好多|很多)|说了(?:多少|几|好多|很多)|多少(?:遍|次)|第[三四五六七八九十]次|跟你说过|讲过|烦死|真烦|好烦|`+
		`无语|受不了|离谱|服了你|气死|够了`,
)

// complaints are wishes for another form, by what they are about.
var complaints = []struct {
	aspect Aspect
	is     pattern
}{
	{Length, oneOf(
		`\b(?:too|so|very|way|awfully|unnecessarily) (?:long|wordy|verbose|short|brief|lengthy|detailed|terse)\b`,
		`\b(?:a lot|so much|too much) (?:of )?text\b`, `\b(?:under|within|at most|no more than|in) (?:one|two|three|four|five|`+
			`\d+) (?:lines?|words?|sentences?|characters)\b`, `字(?:数)?太多|字以内`,
		`\b(?:wall of text|tl;?dr|long-winded|cut the (?:fluff|waffle)|get to the point)\b`, begin+
			`(?:please )?(?:be|make it|keep it|keep (?:answers|replies|it|them)|much|bit|a bit)?\s*(?:more concise|concise|`+
			`briefer|brief|shorter|less verbose|more succinct)\b`,
		`\bkeep (?:(?:your|the|all|these|those) )?(?:answers?|replies|responses|messages|it|them|this|that|`+
			`things) (?:\w+ )?(?:short|brief|concise|crisp)\b`,
		begin+`(?:just|only) (?:one|a) (?:sentence|line|word)\b`, begin+`(?:shorter|longer)\b`,
		`太长|太短|太啰嗦|太罗嗦|啰嗦|罗嗦|废话|太详细|太简略|说重点|讲重点|(?:简短|简洁|精简|短|简单)(?:一)?(?:点|些)|长话短说|`+
			`一句话(?:就)?(?:行|够|说)`,
	)},
	{Tone, oneOf(
		`\b(?:too|so|very|way|overly|less|more) (?:formal|casual|informal|friendly|chatty|polite|enthusiastic|apologetic|cheerful|`+
			`cold|harsh|rude|salesy|robotic|serious)\b`, `\b(?:stop|don't|do not|quit|no need to) (?:apologi[sz]\w*|lectur\w*|`+
			`patroni[sz]\w*|flatter\w*|moraliz\w*|prais\w*)\b`, `\bdrop the (?:attitude|enthusiasm|pleasantries|small talk)\b`,
		`太(?:正式|随便|客气|热情|冷淡|生硬|官方|书面|口语)|语气|口气|别道歉|不要道歉|别客套|不用客套|正式(?:一)?点|随和(?:一)?点|别说教|不要说教`,
	)},
	{Format, oneOf(
		`\b(?:stop|don't|do not|no|without|quit|drop|lose|fewer|less|enough) (?:(?:using|with|the|adding|writing|all|any|so many|`+
			`more|these|those|of) )*(?:emojis?|bullets?|bullet points?|lists?|markdown|tables?|headings?|headers?|bold|italics|`+
			`exclamation marks?|caps|code blocks?|asterisks|dashes|em dashes|numbering)\b`,
		begin+`(?:please )?(?:in|as|use|with|give (?:it|me|this|that)(?: to me)? (?:as|in)|put (?:it|this|that) in|make (?:it|`+
			`this|that)) (?:a |an )?(?:table|bullet points?|bullets|list|plain text|prose|json|csv|markdown|code block)\b`,
		`(?:别|不要|不用|少|去掉|别再)(?:再)?(?:用|加|写|放)?(?:这么多)?(?:表情|列表|表格|标题|加粗|markdown|代码块|符号|编号|`+
			`感叹号)`, `(?:用|改成|换成|做成|以)(?:一个)?(?:表格|列表|纯文本|json|csv|markdown)(?:的)?(?:形式|格式)?`, `格式(?:不对|错|太|要)`,
	)},
	{Style, oneOf(
		`\b(?:too|so|very|way|overly|less|more) (?:technical|vague|complicated|generic|abstract|dry|flowery|academic|dense|`+
			`simplistic|fancy|cryptic|repetitive)\b`, `\b(?:plain|plainer|simpler|simple) (?:english|words|language|terms)\b`,
		`\b(?:stop|don't|do not|quit) (?:repeat\w*|explain\w*|hedg\w*|quoting)\b`,
		`\bskip the (?:intro|introduction|preamble|explanation|disclaimers?|caveats)\b`,
		`\bno (?:preamble|fluff|jargon|disclaimers?|intro|filler|small talk|buzzwords)\b`,
		begin+`(?:please )?(?:answer|reply|write|respond|speak) (?:to me )?in (?:english|chinese|german|french|spanish|japanese|mandarin)\b`,
		`\b(?:confusing|i don't (?:understand|get) (?:this|that|it|a word))\b`, `看不懂|没看懂|听不懂`,
		`说人话|太(?:复杂|专业|笼统|抽象|空|术语|学术|官腔|死板|笼统)|通俗(?:一)?点|(?:请)?用(?:中文|英文|英语|大白话|`+
			`白话)(?:回答|回复|说|写)?|别(?:总)?(?:重复|解释)|不要(?:重复|解释)|不用解释|少解释`,
	)},
}

var remember = oneOf(
	`\b(?:remember|memori[sz]e|learn|save|keep|note) (?:how (?:to|we|you|i|this|that|it|these)\b|this (?:way|workflow|process|`+
		`procedure|routine|recipe|for next time)|these steps|that (?:workflow|process|procedure) |the (?:workflow|process|`+
		`procedure|steps))`, `\bmake (?:this|that|it) (?:a|into a) skill\b`, `\bsave (?:this|that|it) as a skill\b`,
	`\bdo it (?:like this|this way) (?:next time|from now on|every time|in (?:the )?future)\b`,
	`(?:记住|记下来?|记一下|学会|学一下)(?:我们|咱们|你|它|这个|这些|这次|这件事|该|这|那|刚才|刚刚|上面|以上|整个|都|是|`+
		`的)*(?:流程|步骤|做法|方法|过程|操作|套路|(?:怎么|怎样|如何)(?:做|办|弄|处理|完成|操作))`,
	`(?:流程|步骤|做法|方法|过程|操作|套路)(?:都|也|给我|帮我)*(?:记住|记录下来|记下来|记一下|学会|存下来|保存)`,
	`(?:做成|存成|保存成|保存为|变成|写成)(?:一个|个)?技能`, `(?:以后|下次|今后)(?:都|就)?(?:这样|按这个|照这个|这么|按此)(?:做|来|办|流程)?`,
)
