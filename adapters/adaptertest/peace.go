package adaptertest

import (
	"strings"

	"talaria/core/chat"
)

// notifying are the ways in which a text may try to notify people who are not
// the one that it answers.
var notifying = []string{
	"@everyone", "@here", "@channel", "@all", "＠everyone", "@\u200beveryone", "@every\u200bone", "@\u2060here", "@Everyone!", "hello,@everyone",
	"<!channel>", "<!here>", "<!everyone>", "<!here|here>", "<!channel|the channel>", "<!subteam^S0TEAM|@team>", "&lt;!channel&gt;", "\\<!channel>", "<\u200b!channel>",
	"<@UBEN01> <@UCAT01> <@UDAN01> <@UEVE01>", "<@UBEN01|ben><@UCAT01|cat><@UDAN01|dan><@UEVE01|eve>", "<@W0BEN01>",
	"<@123456789012345678>", "<@!123456789012345678>", "<@&123456789012345678>", "<#C0GENERAL>", "<@everyone>",
	"@durov", "**@durov**", "[@durov](https://t.me/durov)", "[durov](tg://user?id=777000)", "<a href=\"tg://user?id=777000\">durov</a>", "tg://user?id=777000",
	"`@durov` @durov", "> @durov", "- @durov\n- @here", "| who |\n|---|\n| @durov |", "# @everyone", "~~@durov~~", "||@everyone||", "**@every**one",
	"[x]: tg://user?id=777000\n\n[durov][x]", "```\n@durov <!channel>\n```",
}

// showing are texts whose addresses a platform would fetch to show a preview.
var showing = []string{
	"https://example.com/a?b=c", "[a page](https://example.com)", "![a picture](https://example.com/a.png)", "<https://example.com>", "www.example.com",
	"<img src=\"https://example.com/a.png\">", "[![x](https://example.com/a.png)](https://example.com)", "[a][1]\n\n[1]: https://example.com",
}

// peace says all of it, at once and by an edit. What notified anybody, or was
// sent with previews, is a breach.
func peace(b *bench) {
	editor, edits := b.Adapter.(chat.Editor)
	for _, place := range []chat.Address{b.Direct, b.shared()} {
		for _, text := range append(notifying, showing...) {
			receipts := b.post(place, chat.Post{Markdown: text})
			for i, part := range b.Adapter.Render(chat.Post{Markdown: strings.Repeat(text+"\n", 2)}) {
				if !edits || i >= len(receipts) {
					break
				}
				d := chat.Delivery{Key: key(i), Address: place, Message: receipts[i].Message, Payload: part.Payload}
				if _, err := editor.Edit(b.ctx, d); err != nil {
					b.t.Errorf("edit %q: %v", text, b.note(err))
				}
			}
		}
	}
}
