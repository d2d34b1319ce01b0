package markdown_test

import (
	"strings"
	"testing"

	"talaria/adapters/markdown"
)

func FuzzSlack(f *testing.F)    { fuzzRender(f, markdown.PlatformSlack) }
func FuzzDiscord(f *testing.F)  { fuzzRender(f, markdown.PlatformDiscord) }
func FuzzTelegram(f *testing.F) { fuzzRender(f, markdown.PlatformTelegram) }

// fuzzRender checks what holds for any input at all, as an answer and, many
// times over, as a long one.
func fuzzRender(f *testing.F, platform string) {
	for _, md := range hostile(200) {
		f.Add(md)
	}
	f.Add(answer)
	f.Add("<!here> <@U1> &lt;!channel&gt; @everyone [a](javascript:x) [b|c>](https://e.example/|x> \"t\")")
	f.Add("| a | b |\n|---|--:|\n| `x` | [l](u) |\n\n> - > ```\n\n1. ~~**_x_**~~[^1]\n\n[^1]: note")
	f.Add("<b>x <i>y</b> z</i> <a href='https://e.example'>*l*</a><br><summary>s</summary>")
	f.Add("<a href='https:l//e.example'>*l*</a>")
	f.Fuzz(func(t *testing.T, md string) {
		for _, text := range []string{md, strings.Repeat(md+" ", 4200/(len(md)+1)+1)} {
			parts, err := markdown.Render(platform, text)
			if err != nil {
				t.Fatal(err)
			}
			if problem := broken(platform, parts); problem != "" {
				t.Fatalf("%s\nof %+v", problem, parts)
			}
			preview, ok, err := markdown.Preview(platform, text)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			if problem := broken(platform, []markdown.Part{preview}); problem != "" {
				t.Fatalf("preview: %s\nof %q", problem, preview.Text)
			}
		}
	})
}
