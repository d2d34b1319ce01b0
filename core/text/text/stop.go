package text

import "strings"

// stopWords are English words that nearly every text holds and that say
// nothing about what it is about. Negations are not among them: "don't" and
// "never" turn a statement into another one.
var stopWords = set(`
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose which what when where why how
am is are was were be been being have has had having do does did doing
will would shall should can could may might must
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd
i'll you'll he'll she'll we'll they'll that's there's here's what's who's where's when's why's how's let's
and or but if then else because as until while of at by for with about against between into through
during before after above below to from up down in out on off over under again further once here there
all any both each few more most other some such only own same so than too very just also s t
`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
