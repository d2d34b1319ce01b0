package text_test

import (
	"fmt"

	"talaria/core/text"
)

func ExampleTerms() {
	fmt.Println(text.Terms("Why did the deployments fail?"))
	fmt.Println(text.Terms("ＧＰＵ部署失敗"))
	// Output:
	// [deploy fail]
	// [gpu 部署 署失 失败]
}

func ExampleQuery_Snippet() {
	q := text.NewQuery("failing disks")
	s := q.Snippet("We looked into it for a while. The disk failed at noon, and nobody had been told.", 40)
	fmt.Println(s.Text)
	for _, m := range s.Marks {
		fmt.Println(s.Text[m.Start:m.End])
	}
	// Output:
	// …The disk failed at noon, and…
	// disk
	// failed
}
