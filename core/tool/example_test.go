package tool_test

import (
	"fmt"
	"time"

	"talaria/core/person"
	"talaria/core/tool"
)

func ExampleSet_Bind() {
	set := &tool.Set{
		Policy: tool.Policy{{Scope: tool.InSpace, Tool: "files_write", Decision: tool.Deny}},
		Now:    func() time.Time { return time.Unix(0, 0) },
	}
	who := person.Principal{Person: "p1", Role: person.Member}
	tools, _ := set.Bind(tool.Binding{Principal: who, Files: &tool.Files{}})
	for _, t := range tools {
		fmt.Println(t.Spec().Name)
	}
	// Output:
	// time
	// files_list
	// files_read
}
