package discord

import (
	"encoding/json"
	"slices"
	"strings"

	"talaria/adapters/inbound"
	"talaria/core/chat"
)

// The types of interactions
// (discord.com/developers/docs/interactions/receiving-and-responding).
const (
	pingInteraction = 1 + iota
	commandInteraction
	componentInteraction
	completionInteraction
	formInteraction
)

// amongPeople is the context of an interaction in a direct conversation that
// the bot is no part of.
const amongPeople = 2

// answerWithin is how long Discord waits for the first response, in
// milliseconds.
const answerWithin = 3000

// freeArguments is the option of our own commands that holds what would be
// typed after the command.
const freeArguments = "arguments"

// fromInteraction makes a command, a press, a form or a query. Whatever it is, it must
// be answered, or the person's client shows a failure.
func (s scene) fromInteraction(i interaction) inbound.Item {
	if i.Type == pingInteraction {
		return inbound.Item{Reason: inbound.Ping, Effects: []inbound.Effect{inbound.Pong()}}
	}
	item := inbound.Item{Effects: []inbound.Effect{inbound.DeferWithin(answerWithin)}}
	e, by := s.interacted(i)
	switch {
	case i.ID == "" || by.ID == "" || e.Address.Chat == "":
		item.Reason = inbound.Unsupported
	case i.Type == commandInteraction:
		item.Reason = i.command(&e, s.commands)
	case i.Type == componentInteraction:
		item.Effects = append(item.Effects, inbound.AnswerCallback(i.ID.String()))
		item.Reason = i.press(&e)
	case i.Type == formInteraction:
		item.Reason = i.form(&e)
	case i.Type == completionInteraction:
		item.Reason = i.query(&e)
	default:
		item.Reason = inbound.Unsupported
	}
	item.Event = e
	return item
}

// interacted fills in what all interactions have in common. In a direct
// conversation the person is told at the top, in a server inside the member.
func (s scene) interacted(i interaction) (chat.Event, user) {
	where := i.Where.Or()
	id := i.Channel
	if id == "" {
		id = where.ID
	}
	facts, _ := s.channel(id.String())
	if facts.Type.Is == nil { // an interaction tells of its channel, also of one that the bot can't see
		facts = where
	}
	facts.ID, facts.Guild = id, i.Guild
	by := i.Member.Or().User.Or()
	if by.ID == "" {
		by = i.User.Or()
	}
	e := facts.place()
	e.Direct = e.Direct && i.Context.Or() != amongPeople
	e.Keys = []string{Platform + ":interaction:" + i.ID.String()}
	e.Author = s.author(by, i.Member.Or())
	e.Author.Language = i.Locale.Or()
	e.Origin = chat.Member
	e.Message = i.Message.Or().ID.String()
	if t := i.Token.Or(); t != "" {
		e.Interaction = &chat.Interaction{ID: i.ID.String(), Token: t}
	}
	return e, by
}

// chatInput is the type of a command that is typed.
const chatInput = 1

func (i interaction) command(e *chat.Event, menu map[string]chat.MenuCommand) inbound.Reason {
	name := strings.ToLower(i.Data.Name.Or())
	if name == "" || i.Data.Type.Is != nil && i.Data.Type.Or() != chatInput {
		return inbound.Unsupported
	}
	e.Kind, e.Addressed = chat.Command, chat.ByCommand
	words, declared := typed(i.Data.Options.Or(), menu[name])
	if !declared {
		words = arguments(i.Data.Options.Or(), 0)
	}
	e.Command = &chat.CommandCall{Name: name, Args: strings.Join(words, " ")}
	return ""
}

// query makes the question for completions of the option that is being typed.
func (i interaction) query(e *chat.Event) inbound.Reason {
	q := &chat.QueryData{Command: strings.ToLower(i.Data.Name.Or())}
	options := i.Data.Options.Or()
	if len(options) == 1 && options[0].Type == subCommand {
		q.Verb, options = options[0].Name, options[0].Options.Or()
	}
	n := slices.IndexFunc(options, func(o option) bool { return o.Focused.Or() })
	if n < 0 || q.Command == "" {
		return inbound.Unsupported
	}
	q.Option, q.Typed = options[n].Name, options[n].value()
	e.Kind, e.Addressed, e.Query = chat.Query, chat.ByCommand, q
	return ""
}

// typed writes options as a command of ours would be typed: the verb, unless it
// is unsaid, then the values in the order of the menu. It reports false where
// the menu doesn't know them, as that of an earlier version may not.
func typed(options []option, c chat.MenuCommand) (words []string, declared bool) {
	takes := c.Options
	if len(c.Verbs) > 0 {
		if len(options) != 1 {
			return nil, false
		}
		n := slices.IndexFunc(c.Verbs, func(v chat.MenuVerb) bool { return v.Name == options[0].Name })
		if n < 0 {
			return nil, false
		}
		if !c.Verbs[n].Unsaid {
			words = append(words, c.Verbs[n].Name)
		}
		takes, options = c.Verbs[n].Options, options[0].Options.Or()
	}
	known := 0
	for _, t := range takes {
		if n := slices.IndexFunc(options, func(o option) bool { return o.Name == t.Name }); n >= 0 {
			words = append(words, options[n].value())
			known++
		}
	}
	return words, known == len(options)
}

// The types of options that hold options.
const (
	subCommand      = 1
	subCommandGroup = 2
)

// maxNesting is how deep options nest: group, sub-command, option.
const maxNesting = 3

// arguments writes options as they would be typed: sub-commands by their name,
// values as name=value.
func arguments(options []option, depth int) []string {
	var words []string
	for _, o := range options {
		switch {
		case o.Type == subCommand || o.Type == subCommandGroup:
			words = append(words, o.Name)
			if depth < maxNesting {
				words = append(words, arguments(o.Options.Or(), depth+1)...)
			}
		case o.Name == freeArguments:
			words = append(words, o.value())
		default:
			words = append(words, o.Name+"="+o.value())
		}
	}
	return words
}

// press makes a press. An id that no button of ours can have is rejected,
// never taken as text.
func (i interaction) press(e *chat.Event) inbound.Reason {
	id, chosen := i.Data.CustomID.Or(), i.Data.Values.Or()
	if id == selectID && len(chosen) == 1 { // a button that found no room as such
		id, chosen = chosen[0], nil
	}
	press, ok := inbound.ParseReference(id)
	if !ok {
		return inbound.UnknownPress
	}
	if len(chosen) > 0 {
		press.Value = chosen[0]
	}
	e.Kind, e.Press = chat.Press, &press
	return ""
}

func (i interaction) form(e *chat.Event) inbound.Reason {
	press, ok := inbound.ParseReference(i.Data.CustomID.Or())
	if !ok {
		return inbound.UnknownPress
	}
	e.Kind = chat.Form
	e.Form = &chat.FormData{Action: press.Action, Token: press.Token, Values: inputs(i.Data.Components.Or())}
	return ""
}

// inputs collects what was entered, whatever the fields are nested in: the
// sorts of fields and frames grow, and the library knows only the first.
func inputs(raw json.RawMessage) map[string]string {
	all := map[string]string{}
	walk(raw, func(part map[string]json.RawMessage) {
		var name, value string
		if json.Unmarshal(part["custom_id"], &name) != nil || name == "" {
			return
		}
		var many []string
		switch {
		case json.Unmarshal(part["value"], &value) == nil && part["value"] != nil:
			all[name] = value
		case json.Unmarshal(part["values"], &many) == nil && part["values"] != nil:
			all[name] = strings.Join(many, ",")
		}
	})
	return all
}
