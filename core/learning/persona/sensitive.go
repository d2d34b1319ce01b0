package persona

import (
	"regexp"
	"strings"
	"sync"

	"talaria/core/text"
)

// topics are the words of what is not kept of a person unless they asked for it:
// health, religion, politics, sexuality, unions, origin, crime. See the package's
// documentation for the reason.
// They compile when they are asked first.
var topics = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		words(`diagnos\w+ with|my (?:diagnosis|illness|disease|disorder|condition|therap\w+|medications?|pregnan\w+|doctor|`+
			`psychiatrist|psychologist|surgery|treatment)|depress(?:ed|ion)|anxiety|bipolar|autis\w+|adhd|asperger\w*|dyslexi\w+|`+
			`diabet\w+|cancer|tumou?r|hiv|aids|epilep\w+|asthma\w*|allerg\w+|migraines?|insomnia|addict\w*|alcoholi\w+|rehab|`+
			`chemo\w*|disabled|disabilit\w+|wheelchair|blind|deaf|pregnant|miscarriage|abortion|antidepressants?|insulin|`+
			`schizo\w+|ptsd|burn-?out|suicid\w+|chronic (?:pain|illness)|eating disorder`,
			`抑郁|焦虑症|躁郁|自闭|多动症|糖尿病|癌|肿瘤|艾滋|癫痫|哮喘|过敏|失眠|上瘾|酗酒|残疾|怀孕|流产|堕胎|心理医生|吃药|`+
				`确诊|病情|患有|生病|化疗|自杀`),
		words(`religio\w+|christian\w*|catholic\w*|protestant\w*|orthodox (?:church|jew\w*|christian)|muslims?|islam\w*|jew(?:ish|`+
			`s)?|judaism|hindu\w*|buddhis\w+|sikh\w*|atheis\w+|agnostic\w*|mormon\w*|church|mosque|synagogue|temple|pray(?:er|ers|`+
			`ing)?|bible|quran|koran|torah|ramadan|kosher|halal|baptis\w+|my faith|evangelical\w*`,
			`宗教|基督徒|基督教|天主教|新教|穆斯林|伊斯兰|犹太|印度教|佛教|信佛|道教|无神论|教堂|清真|祷告|祈祷|圣经|古兰经|斋月|信仰`),
		words(`republicans?|democrats?|conservatives?|labou?r party|tory|tories|socialis\w+|communis\w+|marxis\w+|libertarian\w*|`+
			`left-?wing|right-?wing|fascis\w+|anarchis\w+|politic\w+ (?:views?|party|opinions?|activis\w+)|vot(?:e|ed|ing) for|`+
			`my vote|election campaign|party member\w*|green party|liberal party|protest(?:ed|ing)?|activist`,
			`政治|党员|共产党|国民党|民主党|共和党|左派|右派|左翼|右翼|投票给|选举|示威|游行抗议|入党`),
		words(`gay|lesbian|bisexual|homosexual\w*|heterosexual|transgender|transsexual|trans (?:man|woman|person)|queer|lgbt\w*|`+
			`asexual|non-?binary|sexual\w*|sex life|coming out|came out (?:as|to)|my (?:kinks?|fetish\w*)|polyamor\w+`,
			`同性恋|双性恋|异性恋|跨性别|变性|性取向|出柜|性生活|无性恋|酷儿`),
		words(`(?:trade|labou?r|workers'?) unions?|union (?:member\w*|rep\w*|steward|dues)|unioni[sz]\w+|works council|`+
			`shop steward|on strike|my union`,
			`工会|罢工`),
		words(`ethnic\w*|my (?:race|skin colou?r|origin|heritage|ancest\w+|nationality|citizenship|immigration \w+)|immigrants?|`+
			`refugees?|asylum|undocumented|african[- ]american|latin[oax]s?|hispanic|asian[- ]american|romani|indigenous|`+
			`native american|i(?: am|'m) (?:a )?(?:black|white|asian|arab\w*|chinese|indian|turkish|kurdish|russian|ukrainian|`+
			`mexican|african)|born in`,
			`种族|民族|血统|肤色|移民|难民|少数民族|汉族|维吾尔|藏族|国籍|出生在|祖籍|籍贯`),
		words(`convict\w*|felon\w*|crim(?:e|es|inal)|arrest\w*|prison|jail\w*|parole|probation (?:officer|order)|on probation|`+
			`police record|indict\w*|sentenced|shoplift\w*|stole|drug (?:deal\w*|possession)|dui`,
			`犯罪|前科|坐牢|监狱|被捕|逮捕|判刑|缓刑|偷窃|吸毒|贩毒|案底|拘留`),
	}
})

// words matches whole English words, and Chinese ones wherever they stand.
func words(english, chinese string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:` + strings.ReplaceAll(english, " ", `\s+`) + `)\b|` + chinese)
}

// sensitive reports whether a text is about one of the topics.
func sensitive(s string) bool {
	s = text.Fold(strings.NewReplacer("’", "'", "‘", "'").Replace(s))
	for _, t := range topics() {
		if t.MatchString(s) {
			return true
		}
	}
	return false
}
