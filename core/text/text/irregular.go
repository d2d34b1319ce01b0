package text

import "strings"

// irregular maps the irregular forms of English verbs, nouns and adjectives to
// their base. Forms that are more often another word are left out (rose,
// ground, bound, wound, dove).
var irregular = bases(`
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
bite bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
overcome overcame
oversee oversaw overseen
pay paid
prove proven
rebuild rebuilt
redo redid redone
rewrite rewrote rewritten
ride rode ridden
ring rang rung
rise risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undergo underwent undergone
undo undid undone
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
child children
person people
man men
woman women
foot feet
tooth teeth
mouse mice
goose geese
wife wives
life lives
knife knives
leaf leaves
half halves
shelf shelves
index indices
analysis analyses
crisis crises
hypothesis hypotheses
datum data
medium media
criterion criteria
good better best
bad worse worst
`)

// bases reads lines of a base and its forms.
func bases(lines string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		for n, w := range words {
			if n > 0 {
				m[w] = words[0]
			}
		}
	}
	return m
}
