package daily

import (
	"talaria/gateway/command"
	"talaria/gateway/wording"
)

// The set-up.
const (
	stepWhen   = "**Daily briefing**, step 1 of 3: when?"
	stepWhere  = "Step 2 of 3: where? For the briefing of a channel or group, say `/brief` there."
	stepPlace  = "Step 2 of 3: where? Here, everybody reads it, and it tells of this place alone; in our direct conversation it is yours."
	stepWhat   = "Step 3 of 3: what? Press to take in or leave out."
	soFarWords = "**Daily briefing**, %s.\n\n"
	whenSaid   = "when: %s"
	hereSaid   = "where: here"
	directSaid = "where: in our direct conversation"
	between    = "; "
	everyDayAt = "every day at %s" // as package when reads it
	otherLabel = "Other"
	hereLabel  = "Here"
	dmLabel    = "Direct message"
	doneLabel  = "Done"
	beside     = "Here it is; the buttons are for you alone."
	writeFirst = "Please write to me alone first, so that I know where to find you; then press this again."
	notYours   = "These buttons are for whoever asked for them, or are too old. `/brief` begins a set-up of your own."
	sayWhen    = "Say when it is to come, such as `/brief at 7:30`, `/brief at every weekday at 9` or `/brief at every Monday at 8am`."
	givenUp    = "The set-up is given up. `/brief` begins another one."
	underSetUp = "Your briefing is being set up still: `/brief` shows the step, `/brief new` begins anew, `/brief off` gives it up."
)

// The briefing that there is.
const (
	comingNow   = "It is being gathered. If there is nothing new since the last one, I say nothing."
	pausedWords = "Your briefing is paused. `/brief resume` has it come again."
	onAgain     = "Your briefing is on again: %s"
	offWords    = "Your briefing does not come any more. `/brief` sets one up anew."
	usage       = "`/brief` sets a briefing up or shows it. Then there are `now`, `pause`, `resume`, `off`, `new`, `at every weekday at 7:30`, " +
		"`add here` in a channel, `add https://…`, and `remove` with what was added."
	unknownVerb = "I don't know `/brief %s`."
	noneOwn     = "You have no briefing. `/brief` sets one up."
	noneHere    = "You have set up no briefing for this place; `/brief` does. Your own is shown in our direct conversation."
	shownAs     = "**%s** comes %s, %s. %s\n\n%s\n\n%s"
	yours       = "Your daily briefing"
	ofPlace     = "The daily briefing of this place"
	inDirect    = "in our direct conversation"
	inPlace     = "here"
	nextTimes   = "Next: %s."
	isPaused    = "It is paused%s."
	nothing     = "- nothing yet"
	noneYet     = " (none chosen yet)"
	useHint     = "`/brief add https://…` watches a page or feed; `/brief now` has it come now, `pause`, `resume` and `off` do what they say, `new` sets it up anew."
	addHint     = "`/brief add here`, said in a channel, takes that channel in."
	noPast      = "%s does not let bots read what was said before, so I can't tell what happened there."
	noPlaces    = "The terminal has no channels to tell of."
	addUsage    = "`/brief add here` takes in the channel that it is said in, `/brief add https://example.org/feed` a page or feed."
	sayThere    = "Say that in the channel that is meant."
	onlyYours   = "I can take in only channels of which you are a member, and I am too."
	ownFirst    = "You have no briefing of your own yet; say `/brief` in our direct conversation."
	addedTo     = "Done. `/brief` in our direct conversation shows it."
	tooMany     = "A briefing takes in at most %d of these; remove one first."
)

// noHistory says why nothing is read on a platform.
func noHistory(lang wording.Language, platform string) string {
	if platform == "console" {
		return lang.Text(noPlaces)
	}
	return lang.Text(noPast, command.Clipped(platform, maxText))
}
