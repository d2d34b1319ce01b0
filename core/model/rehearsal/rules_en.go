package rehearsal

// Wordings in English. The first that fits counts, so the narrower stand
// before the wider.
var wordingsEN = []wording{
	{greet, `^(?:hi|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day))(?: there| everyone| all| again|,? \w+)?$|^how (?:are you|is it going|do you do)(?: doing)?(?: today)?$`},
	{nothing, `^(?:and |just )?(?:tell|show|give|let)(?: me| us)(?: know| about it| the results?| what (?:it says|you find|you found|happened)| when (?:you are |it is )?(?:done|ready))?$`},
	{nothing, `^because\b.+$`},
	{thank, `^(?:many )?(?:thanks|thank you|thx|cheers)\b.{0,40}$`},
	{bye, `^(?:bye|goodbye|good night|see you|ciao)\b.{0,20}$`},
	{help, `^(?:help|what can (?:you|i) do(?: here| for me| with you)?|what do you do|how (?:do|can) i use you|how do you work|show me what you can do|commands)$`},
	{who, `^(?:who|what) are you$|^what(?:'s| is) your name$|^are you (?:an? )?(?:ai|bot|robot|human|person|real|llm|language model|chatgpt|gpt|claude)\b.*$|^(?:what|which) model (?:are you|is this|do you use)$`},

	{jobs, `^(?:list|show|see|what|which|are there)?(?: me| are| all| the| my| our| any)*\s*(?:jobs|schedules|reminders|scheduled (?:jobs|tasks))(?: (?:are|do|have|is|i|we|there|here|set|up|scheduled|active))*$`},
	{cancel, "^(?:cancel|delete|remove|stop)(?: the| my)? (?:job|reminder|schedule) `?(?P<id>[a-z2-7]{5,20})`?$"},
	{cancel, `^(?:(?:please )?(?:cancel|delete|remove|stop|end|turn off|switch off)(?: all| the| my| of| these| those)* (?:jobs?|reminders?|schedules?)|stop reminding (?:me|us)(?: .+)?)$`},
	{schedule, `^(?:please )?remind (?:me|us)$`},
	{schedule, `^(?P<text>(?:.*\W)?remind (?:me|us) (?:to|about|that|of|at|on|in|every|each|tomorrow|today|tonight|next|daily|weekly|by|\d).+)$`},
	{schedule, `^(?P<text>(?:please )?(?:give|send) (?:me|us) (?:an?|my|the|our) (?:\w+ )?briefing (?:every|each|daily|on) .+)$`},
	{schedule, `^(?P<text>(?:every|each) (?:\d+ |other |single |second )?(?:minutes?|hours?|days?|weeks?|months?|quarters?|mornings?|noon|afternoons?|evenings?|nights?|weekdays?|weekends?|workdays?|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)(?:day|nesday|sday|urday)?s?\b.+)$`},

	{lesson, `^remember (?:how (?:to do|we did|you did|(?:this|that|it) (?:is|was) done)|this (?:workflow|procedure|process|way))\b.*$`},
	{lesson, `^(?:make|save|keep) (?:this|that|it) (?:as |into )?a skill$|^do it (?:like this|this way) (?:next time|from now on|every time)$`},
	{remember, `^(?:remember|memori[sz]e|keep in mind|don't forget|do not forget|note(?: down)?|make a note)(?: that| this| of)?[:,]?\s+(?P<text>.+)$`},
	{forget, `^(?:forget|stop remembering)(?: about| that)?[:,]?\s+(?P<text>.+)$`},
	{forget, `^(?:delete|remove|erase) (?P<text>.+?) from (?:your |my |the )?memory$`},
	{about, `^(?:tell me )?(?:what (?:do|did) you (?:know|remember|learn)(?: (?:about|of) (?:me|us|my (?:work|preferences)))?|what have you (?:remembered|learned|learnt|noted)(?: about (?:me|us))?|what you (?:know|remember)(?: about (?:me|us))?|who am i|what(?:'s| is) in your memory)$`},
	{recall, `^(?:tell me )?what (?:do )?you (?:know|remember) about (?P<topic>.+)$`},
	{recall, `^do you (?:still )?(?:know|remember) (?:(?:what|where|who|when|how|which|if|whether) )?(?P<topic>.+)$`},

	{search, `^what (?:did|have|had) (?:we|i|you|they|he|she|\w+) (?:say|said|decided?|discuss(?:ed)?|agreed?|talk(?:ed)?|write|written|wrote|mention(?:ed)?|conclude[d]?)(?: (?:about|on|of|regarding))? (?P<query>.+)$`},
	{search, `^(?:when|where) did (?:we|i|you|\w+) (?:say|decide|discuss|agree|talk|mention|speak)(?: (?:about|on|of))? (?P<query>.+)$`},
	{search, `^(?:search|look|find)(?: (?:for|up|where|when|we|i|talked|spoke|discussed|said|about|on|the|any))* (?P<query>.+?) (?:in|from) (?:the |my |our |all |past |earlier |previous |old )*(?:chats?|conversations?|messages?|history|sessions?)$`},
	{search, `^(?:search|look|find)(?: (?:for|in|through|up|my|our|the|past|earlier|previous|old|chats?|conversations?|messages?|history|sessions?|where|when|we|i|talked|spoke|discussed|said|about|on))+ (?P<query>.+)$`},
	{search, `^search:? (?P<query>.+)$`},

	{use, "^(?:use|call|run|invoke) (?:the )?(?:tool )?`?(?P<tool>[a-z][a-z0-9]*(?:_[a-z0-9]+)+|time|fetch|memory)`?(?: tool)?(?:(?: with| on|:)? (?P<args>.+))?$"},
	{skill, `^(?:use|run|do|apply|follow|start)(?: the| my)? (?:skill:? )?(?P<name>[a-z0-9]+(?:-[a-z0-9]+)+)(?: skill)?(?: .*)?$|^(?:use|run|apply|follow)(?: the| my)? skill:? (?P<name2>[a-z0-9-]+)(?: .*)?$`},

	{write, `^(?:create|make|write|start)(?: me)?(?: an?| the)?(?: new)?(?: text)? file (?:called |named )?(?P<name>\S+?)[,:]? (?:with|containing|that says|saying|and write)(?: the)?(?: text| content| contents| words)?[:,]?\s+(?P<text>.+)$`},
	{write, `^(?:write|save|put|store|create|make)(?: to| into| in)? (?P<name>\S+\.\w+)(?::| with| containing| saying)(?: the)?(?: text| content)?[:,]?\s+(?P<text>.+)$`},
	{extend, `^(?:add|append) (?P<text>.+?) (?:to|into|in)(?: an?| the| my)?(?: file)?(?: called| named)? (?P<name>\S+\.\w+)$`},
	{write, `^(?:write|save|put|store|export|keep) (?P<text>.+?) (?:to|into|in|as|under)(?: an?| the| my)?(?: new)?(?: file)?(?: called| named)? (?P<name>\S+\.\w+)$`},
	{write, `^(?:write|save|store|export) (?:to|into|in|as)(?: an?| the)?(?: file)?(?: called| named)? (?P<name>\S+\.\w+)$`},
	{readFile, `^(?:read|show|open|cat|print|display|view|look at|get)(?: me)?(?: what(?:'s| is) in)?(?: the| my)?(?: file| contents?(?: of)?)*(?: called| named)? (?P<name>\S+\.\w+)(?: file)?(?: to me| again)?$`},
	{readFile, `^what(?:'s| is| does)(?: in| the content of| written in)?(?: the| my)?(?: file)? (?P<name>\S+\.\w+)(?: say| contain)?$`},
	{list, `^(?:list|show|what|which|are there)(?: me| are| all| the| my| our| any| of)*\s*files?\b(?: (?:are|do|is|have|exist|you|i|we|there|here|in|this|our|the|conversation|folder|chat|have))*$`},

	{clock, `^(?:(?:tell me |say |do you know )?(?:what|which)|tell(?: me| us)?|give(?: me| us)?|say|show(?: me| us)?|do you (?:know|have))?(?:'s| is)?\s*(?:the )?(?:current |exact |local )?(?:time|date|day|weekday|date and time|time and date|day of the week)(?: (?:is it|it is|is|do we have|have we got))?(?: (?:right )?now| today| currently)?(?: (?:in|at|for) (?P<zone>[\p{L} ._/+-]{2,40}))?(?: (?:right )?now| today)?(?: please)?$`},
	{clock, `^(?:what(?:'s| is))? ?(?:today(?:'s)? (?:date|day)|today|the time)(?: in (?P<zone>[\p{L} ._/+-]{2,40}))?$`},
	{clock, `^how late is it(?: in (?P<zone>[\p{L} ._/+-]{2,40}))?$`},
	{clock, `^(?:and )?(?:in|at) (?P<zone>[\p{L} ._/+-]{2,40})$`},

	{compute, `^(?:what(?:'s| is)|calculate|compute|evaluate|work out|how much is|solve)?:?\s*(?P<sum>.*\d.*?)\s*=?$`},

	{fetch, `(?P<url>https?://[^\s<>"“”，。；、（）]+)`},
	{fetch, `^(?:fetch|open|get|load|read|visit|download|check|browse|summari[sz]e|look at|look up|go to)(?: me)?(?: the)?(?: page| site| website| url| link| address| homepage)?(?: of| at| from)? (?P<url>[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[:/]\S*)?)$`},

	{remember, `^(?P<text>(?:my (?:full )?name is|call me|i(?:'m| am) called) .+)$`},
	{remember, `^(?P<text>i (?:(?:really|always|never|usually|mostly|only) )?(?:prefer|like|love|hate|dislike|use|work|live|speak|need my|want my|am allergic|drink|eat)\b.+)$`},
	{remember, `^(?P<text>we (?:always |never |usually |now )?(?:use|deploy|release|prefer|decided|agreed|work)\b.+)$`},
	{remember, `^(?P<text>(?:my|our) [\w' -]{2,40}? (?:is|are|runs|lives|happens)\b .+)$`},
	{remember, `^(?P<text>(?:from now on|in future|always|never)\b[, ].+)$`},

	{say, `^(?:just )?say:? (?P<text>.+)$`},
	{say, `^(?:(?:tell|write to) (?:us|everybody|everyone|the (?:team|channel|group|crew))(?: that|:)|wish (?:us|everybody|everyone|the (?:team|channel|group|crew))) (?P<text>.+)$`},

	// A question about oneself that nothing above understood.
	{recall, `^(?P<topic>(?:what|where|who|which|whose|how)\b.*\b(?:i|my|me|mine|we|our|us)\b.*)$`},
}
