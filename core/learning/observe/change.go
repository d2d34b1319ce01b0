package observe

// Adds reports whether a correction asks for something beside what was done. It
// takes nothing back from that.
func Adds(words string) bool {
	s := normal(first(words, maxRead))
	return adding.MatchString(s) || incomplete.MatchString(s)
}

// Changes reports whether a correction says that it is a rule, or that
// something holds now that did not before. So what went well until then is no
// reason to doubt it.
func Changes(words string) bool { return changing.MatchString(normal(first(words, maxRead))) }

var adding = oneOf(
	`\b(?:also|as well|in addition|additionally|besides|on top of (?:that|it))\b`, `\btoo(?:[ ]*[,.;:!?)]| (?:because|since|so)\b|$)`,
	`\badd (?:the|a|an|our|my|some|more)\b`,
	`(?:还|也|另外|再)(?:要|得|需要|应该|应|加|给|把|写|发)|另外|外加|加上|补上|同时也`,
)

var changing = oneOf(
	`\bfrom (?:now|today|tomorrow|this \w+|next \w+|\w+day) on(?:wards?)?\b`, `\b(?:going forward|henceforth|in (?:the )?future|as of (?:now|today|\w+))\b`,
	`\b(?:no longer|any ?more|not any longer)\b`, `\b(?:starting|beginning) (?:now|today|tomorrow|with|from|next|this)\b`,
	`\b(?:has|have|had|was|were|been|is|are|just|we|they) (?:been )?(?:changed|switched|moved|replaced|retired|renamed|migrated)\b`,
	`\b(?:always|never again|every (?:single )?time|each time|whenever|next time)\b`, `\bthe new (?:rule|policy|format|convention|standard|way)\b`,
	`从(?:现在|今天|明天|今|此|下次|这次|本周|下周|本月|下个?月)(?:开始|以后|起|往后)?`, `今后|往后|以后|下次|每次|一律|总是要`,
	`不再|已经(?:改|换|迁|变)|(?:改|换|变)了|新的?(?:规定|规则|格式|标准|做法|流程)`,
)
