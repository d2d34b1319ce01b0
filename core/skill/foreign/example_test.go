package foreign_test

import (
	"fmt"
	"testing/fstest"

	"talaria/core/skill/foreign"
)

func ExampleRead() {
	home := foreign.Read(fstest.MapFS{
		"skills/kitchen/kettle/SKILL.md": {Data: []byte("---\nname: kettle\ndescription: Boil water.\n---\n\nBoil.\n")},
		"memories/USER.md":               {Data: []byte("Likes green tea.\n§\nRises early.\n")},
		"state.db":                       {Data: []byte("...")},
	})
	for _, f := range home.Skills {
		fmt.Println(f.Manifest.Name, "of", f.Category)
	}
	for _, c := range home.Cards {
		fmt.Println(c.Kind, c.Text)
	}
	fmt.Println(home.Odd)
	// Output:
	// kettle of kitchen
	// profile Likes green tea.
	// profile Rises early.
	// [These were not looked into: state.db]
}
