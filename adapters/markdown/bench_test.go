package markdown_test

import (
	"strings"
	"testing"

	"talaria/adapters/markdown"
)

// answer is what a model typically writes: about a kilobyte with a bit of
// everything.
const answer = `Here is **what happened** last night and what I would do about it.

The nightly job failed at ` + "`02:13`" + ` because the *disk of the build host* was full. Two things add up:

- old artefacts are never deleted (see [the policy](https://ci.example/policy?id=7))
- logs of failed runs are kept for **90 days**
- nobody looks at the alert, it goes to a channel that was archived

1. Free some space now:

` + "```sh\ndf -h /var/builds\nfind /var/builds -mtime +30 -delete\n```" + `

2. Then change the retention in ` + "`retention.yaml`" + ` and restart the service.

| Host | Free | Used |
|------|-----:|-----:|
| build-1 | 2 GB | 98% |
| build-2 | 71 GB | 40% |

> The alert will go to the right channel once the change is in.

Shall I open a pull request with the new retention, and move the alert to the channel of the team that owns the build hosts? It would take about 10 minutes.
`

func BenchmarkAnswer(b *testing.B) {
	for _, platform := range platforms {
		b.Run(platform, func(b *testing.B) { benchmarkRender(b, platform, answer) })
	}
}

func BenchmarkPlainText(b *testing.B) {
	text := strings.Repeat("The build is green again and the release went out at noon. ", 17)
	for _, platform := range platforms {
		b.Run(platform, func(b *testing.B) { benchmarkRender(b, platform, text) })
	}
}

func BenchmarkLongAnswer(b *testing.B) {
	text := strings.Repeat(answer, 20)
	for _, platform := range platforms {
		b.Run(platform, func(b *testing.B) { benchmarkRender(b, platform, text) })
	}
}

func benchmarkRender(b *testing.B, platform, md string) {
	b.ReportAllocs()
	b.SetBytes(int64(len(md)))
	for b.Loop() {
		if _, err := markdown.Render(platform, md); err != nil {
			b.Fatal(err)
		}
	}
}
