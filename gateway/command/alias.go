package command

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"talaria/core/chat"
)

// aliases are commands as people type them in Chinese. No platform's menu has
// them: Telegram's names are ASCII.
var aliases = map[string]string{
	"帮助": "help", "停止": "stop", "状态": "status", "用量": "usage", "重新开始": "new", "新对话": "new", "新": "new",
	"设置": "settings", "记忆": "memory", "搜索": "search", "我是谁": "whoami", "忘记我": "forget me", "导出": "export",
	"技能": "skills", "回顾": "reflect", "反思": "reflect", "复盘": "reflect", "历程": "journey", "旅程": "journey", "进展": "curve", "曲线": "curve", "简报": "brief", "任务": "jobs", "提醒": "jobs add",
	"工具": "tools", "模型": "model", "关联": "link", "配对": "pair", "角色": "role",
}

// Typed is a message as the command that it is in Chinese, such as /帮助, and a
// command that is called by its Chinese name as the one that it is; any other
// event stays as it is, an edited message too: a command is what its author typed
// and sent. Input methods for Chinese write the slash wide.
func Typed(e chat.Event) chat.Event {
	switch {
	case e.Kind == chat.Command && e.Command != nil:
		if name, known := aliases[e.Command.Name]; known {
			e.Command = meant(name, e.Command.Args)
		}
		return e
	case e.Kind != chat.Message || e.Forwarded || e.Edited || e.Origin > chat.Member:
		return e
	}
	words := strings.TrimSpace(e.Text)
	slash, size := utf8.DecodeRuneInString(words)
	if slash != '/' && slash != '／' {
		return e
	}
	if strings.TrimSpace(words[size:]) == "" && e.Addressed != chat.Ambient {
		e.Kind, e.Text, e.Command = chat.Command, "", meant("help", "") // who begins a command looks for one
		return e
	}
	word, rest, _ := strings.Cut(words[size:], " ")
	if line := strings.IndexByte(word, '\n'); line >= 0 {
		word, rest = word[:line], words[size+line:]
	}
	name, ok := aliases[word]
	if !ok && e.Addressed != chat.Ambient && han(word) {
		name, ok = word, true // which is told to be none
	}
	if !ok {
		return e
	}
	e.Kind, e.Text, e.Command = chat.Command, "", meant(name, rest)
	return e
}

// longestName is how many characters a word may have that is a command, and not
// something said without blanks, as in Chinese.
const longestName = 6

// han reports whether a word looks as a command's name would in Chinese.
func han(word string) bool {
	return word != "" && utf8.RuneCountInString(word) <= longestName &&
		!strings.ContainsFunc(word, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
}

// meant is the command that an alias stands for, with what was typed after it.
func meant(alias, rest string) *chat.CommandCall {
	name, verb, _ := strings.Cut(alias, " ")
	return &chat.CommandCall{Name: name, Args: strings.Trim(verb+" "+rest, " ")}
}

// named is the command that a word names, in either language.
func named(word string) string {
	word = strings.TrimLeft(word, "/／")
	if name, ok := aliases[word]; ok {
		word, _, _ = strings.Cut(name, " ")
	}
	return word
}
