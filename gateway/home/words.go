package home

import (
	"strings"

	"talaria/core/chat"
)

// words are the texts of pages and prompts in one language.
type words struct {
	requests, noRequests string
	drafts               string
	memory, noMemory     string
	jobs, noJobs         string

	heading string // of the prompts
	prompts []chat.Prompt
}

var english = words{
	requests: "Your requests", noRequests: "Nothing of yours is under way.",
	drafts: "Waiting for your decision",
	memory: "What I remember", noMemory: "Nothing yet. Tell me \"remember that ...\", or use `/memory add TEXT`.",
	jobs: "Your jobs", noJobs: "None. `/jobs add every Friday at 17:00 remind me to send the report` makes one.",

	heading: "Some things to begin with",
	prompts: []chat.Prompt{
		{Label: "What can you do?", Text: "What can you do for me here?"},
		{Label: "What do you remember?", Text: "What do you remember about me and my work?"},
		{Label: "Remind me tomorrow", Text: "Remind me tomorrow at 9:00 to plan the day."},
		{Label: "What have you learned?", Text: "Which skills have you learned, and what are they for?"},
	},
}

var chinese = words{
	requests: "你的请求", noRequests: "目前没有进行中的请求。",
	drafts: "等你决定",
	memory: "我记得的内容", noMemory: "还没有。告诉我“记住……”，或使用 `/memory add TEXT`。",
	jobs: "你的定时任务", noJobs: "还没有。例如 `/jobs add 每周五17:00 提醒我发周报`。",

	heading: "可以这样开始",
	prompts: []chat.Prompt{
		{Label: "你能做什么？", Text: "你在这里能帮我做什么？"},
		{Label: "你记得什么？", Text: "关于我和我的工作，你记得什么？"},
		{Label: "明天提醒我", Text: "明天早上9点提醒我安排当天的工作。"},
		{Label: "你学会了什么？", Text: "你学会了哪些技能，分别有什么用？"},
	},
}

// wordsFor are the texts in a person's language, as their platform tells it.
func wordsFor(language string) words {
	if strings.HasPrefix(strings.ToLower(language), "zh") {
		return chinese
	}
	return english
}
