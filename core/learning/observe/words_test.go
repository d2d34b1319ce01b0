package observe_test

import (
	"slices"
	"testing"

	"talaria/core/learning/observe"
)

const answer = "Here is the summary that you asked for."

// sayings are messages after an answer, by what they are.
var sayings = map[string][]string{
	"correction": {
		"No, that's wrong.", "no, the meeting is on Tuesday", "That is not what I asked for", "that's not right", "Wrong file!", "I meant the other channel",
		"nope. it's the blue one", "you misunderstood me", "You should have used the staging host", "stop adding the date", "Don't use tabs here", "please never post that in general",
		"actually it's the third quarter", "it should be 42", "fix that", "that doesn't work", "It still fails with the same error", "Try again", "You got the name wrong",
		"hmm that isn't what we need", "this looks wrong to me", "that number is off", "ok but next time ask me first", "almost, but the dates are wrong", "the link is broken", "Oslo, not Bergen",
		"Thanks, but that's the wrong branch", "It's not working", "这不是最新的", "怎么还是旧的", "这样不行", "下次记得先问我", "有个地方不太对",
		"use pnpm, not npm", "that isn't correct", "why did you delete it?", "I didn't ask for a translation", "not that one", "👎", "hmm, this is incorrect", "Sorry, wrong channel",
		"不对", "不对，是周二", "错了", "你理解错了", "我不是这个意思，我要的是上个月的", "不是这个文件", "别再用这个模板了", "不要发到群里", "应该是下午三点", "改成英文的", "还是不对", "我说的是北京", "你怎么删了它", "这个没用", "重新写", "弄错了日期", "不應該是這樣", "答非所问", "换成另一个链接",
	},
	"reasoned": {
		"No, use tabs, because the linter requires them", "don't post there, our policy is to ask first", "That's wrong since the server was moved, it is deprecated", "No, we always send it to the whole team",
		"stop adding the footer, otherwise the parser chokes", "you should have used UTC because people here are spread out",
		"不对，因为我们团队用的是上海时间", "别用这个接口，已经废弃了", "应该用 pnpm，我们一直用它", "不要直接发，否则客户会看到", "错了，公司规定要先审批",
	},
	"form": {
		"can you keep it under 3 lines?", "that's a lot of text", "字数太多", "看不懂",
		"too long", "That's way too wordy", "Shorter please", "be more concise", "stop using emojis", "no bullet points please", "as a table please", "too formal", "Less formal, it's for friends",
		"stop apologizing", "plain English please", "too technical for me", "Skip the preamble", "in bullet points", "wall of text", "get to the point", "answer in Chinese",
		"太长了", "太啰嗦", "简短一点", "说重点", "别用表情", "不要列表", "用表格的形式", "太正式了", "说人话", "语气太生硬", "用中文回答", "太专业了，看不懂",
	},
	"annoyed": {
		"how many times do I have to say it", "I already told you that", "for the third time: metric units", "This is ridiculous", "ugh", "I told you yesterday", "都说了用公制", "说了多少遍了", "真烦", "第三次了，还这样",
	},
	"incomplete": {
		"you forgot the last quarter", "Is that all?", "what about the costs?", "please continue", "the rest?", "more details please", "you didn't mention the deadline", "it was cut off",
		"还有呢，你漏了第三章", "没说完吧", "继续", "不完整", "补充一下背景", "再详细一点", "然后呢？", "少了两个人",
	},
	"thanks": {
		"thanks", "Thank you so much!", "thx", "Perfect", "great, that works", "Awesome", "looks good", "lgtm", "nice one", "exactly", "not bad", "not bad at all", "That's exactly right", "that helped", "cheers", "No problem, thanks", "👍", "🎉", "love it", "works like a charm", "couldn't be better, thanks",
		"谢谢", "多谢了", "太好了", "不错", "没错", "完美", "可以了", "没问题，谢谢", "好的", "对的", "搞定", "辛苦了", "很好，就是这个", "牛", "谢谢，不急", "太棒了", "非常好，正是我要的",
	},
	"nothing": {
		"no thanks", "no, thank you", "no I'm good", "I said hello to Bob", "The customer says this is wrong, draft a reply", "Please summarise the wrong answers in the quiz", "not yet",
		"客户说价格不对，帮我回复", "为什么我的代码不对", "帮我写一封道歉信", "错误代码 500 是什么意思", "别忘了带文件",
		"no problem", "no worries", "No need to hurry", "no idea", "never mind", "don't worry about it", "What's the weather in Paris?", "Book a table for Friday at noon", "What's wrong with my code?", "Is it right that the office is closed?",
		"why not ask the others", "please remind me at 5", "List all open invoices of March", "how do I reset my password?", "Is this wrong?", "Do you know who owns this?", "no rush", "Add a reminder for the standup",
		"不要紧", "没关系", "明天天气怎么样", "帮我订会议室", "对不对？", "今天有没有新邮件", "不客气", "不用担心", "不好意思，帮我查一下航班", "提醒我五点开会", "列出三月的发票", "不过我想问一下考勤", "是不是要先登录",
	},
}

func TestWhatPeopleSayOfAnAnswer(t *testing.T) {
	for kind, messages := range sayings {
		for _, m := range messages {
			w := observe.Read(m, answer)
			var ok bool
			switch kind {
			case "correction":
				ok = w.Correction && !w.Reason && !w.Thanks
			case "reasoned":
				ok = w.Negative() && w.Reason && !w.Thanks
			case "form":
				ok = len(w.Aspects) > 0 && !w.Thanks
			case "annoyed":
				ok = w.Annoyed && !w.Thanks
			case "incomplete":
				ok = w.Incomplete && !w.Thanks && !w.Negative()
			case "thanks":
				ok = w.Thanks && !w.Negative() && !w.Incomplete
			case "nothing":
				ok = !w.Thanks && !w.Negative() && !w.Incomplete
			}
			if !ok {
				t.Errorf("%s: %q is read as %+v", kind, m, w)
			}
		}
	}
}

func TestWhatGoesOnWithATask(t *testing.T) {
	for m, want := range map[string]bool{
		"and for tomorrow?": true, "make it shorter": true, "Also add Bob": true, "what about Paris": true, "translate that": true, "why?": true, "yes please": true,
		"再加一行": true, "那明天呢": true, "把它翻译成英文": true, "还有小王": true, "为什么": true, "No, the other one": true, "继续": true, "thanks": true,
		"What's the weather in Paris tomorrow evening?": false, "Book a meeting room for the whole team on Friday": false, "请帮我预订周五下午的会议室": false,
		"Write a release note for version two of the mobile app": false,
	} {
		if got := observe.Read(m, answer).Continues(); got != want {
			t.Errorf("%q goes on: %t", m, got)
		}
	}
}

func TestANoToAQuestionIsAnAnswer(t *testing.T) {
	for _, c := range []struct{ question, words string }{{"Shall I send it?", "no"}, {"要发送吗？", "不"}, {"Do you want **all** of them?", "No."}} {
		if w := observe.Read(c.words, c.question); w.Correction || !w.Continues() {
			t.Errorf("%q after %q is read as %+v", c.words, c.question, w)
		}
	}
	if w := observe.Read("no, that's wrong, use the new one", "Shall I send it?"); !w.Correction {
		t.Error("a correction after a question is none")
	}
}

func TestAspectsOfForm(t *testing.T) {
	for m, want := range map[string]observe.Aspect{
		"keep answers short please": observe.Length, "please keep it brief": observe.Length,
		"too long": observe.Length, "太啰嗦了": observe.Length, "too formal": observe.Tone, "语气不好": observe.Tone,
		"no emojis": observe.Format, "别用表格": observe.Format, "too technical": observe.Style, "说人话": observe.Style,
	} {
		if got := observe.Read(m, answer).Aspects; !slices.Equal(got, []observe.Aspect{want}) {
			t.Errorf("%q is about %v, want %s", m, got, want)
		}
	}
}

func TestAskedToRemember(t *testing.T) {
	for m, want := range map[string]bool{
		"Remember how to do this": true, "remember how this is done": true, "please remember this workflow": true, "save this as a skill": true, "do it like this next time": true, "learn this procedure": true,
		"记住这个流程": true, "把这个做法记下来": true, "以后都这样做": true, "做成一个技能": true,
		"记住这是怎么做的": true, "记住怎么做的": true, "把这个过程记下来": true, "请把刚才的步骤都记住": true, "我不知道怎么做": false,
		"remember that the launch is on May 4": false, "do you remember what we said?": false, "记住我喜欢喝茶": false, "the process is slow": false,
	} {
		if got := observe.Read(m, "").Remember; got != want {
			t.Errorf("%q asks to remember: %t", m, got)
		}
	}
}

func TestAFirstMessageIsNoFeedback(t *testing.T) {
	for _, m := range []string{"no, that's wrong", "thanks", "不对"} {
		if w := observe.Read(m, ""); w.Negative() || w.Thanks {
			t.Errorf("%q before any answer is read as %+v", m, w)
		}
	}
}

func TestEmojiOfEveryPlatform(t *testing.T) {
	for name, want := range map[string]observe.Sign{
		"+1": observe.Liked, ":thumbsup:": observe.Liked, "thumbsup::skin-tone-3": observe.Liked, "👍🏽": observe.Liked, "❤️": observe.Liked, "white_check_mark": observe.Liked,
		"-1": observe.Disliked, "👎": observe.Disliked, "👎🏿": observe.Disliked, "x": observe.Disliked, "🤦‍♂️": observe.Disliked, "face_palm": observe.Disliked,
		"eyes": "", "👀": "", "joy": "", "😂": "", "thinking_face": "", "": "", "party_parrot": "",
	} {
		if got, ok := observe.Emoji(name); got != want || ok != (want != "") {
			t.Errorf("%q is %q", name, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, messages := range sayings {
		for _, m := range messages {
			f.Add(m)
		}
	}
	f.Fuzz(func(t *testing.T, m string) {
		if w := observe.Read(m, answer); w.Thanks && w.Negative() {
			t.Errorf("%q is both praise and complaint: %+v", m, w)
		}
	})
}
