package egress_test

import (
	"fmt"
	"net/http"
	"net/netip"

	"talaria/core/tool/egress"
)

func ExamplePublic() {
	for _, a := range []string{"93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"} {
		fmt.Println(a, egress.Public(netip.MustParseAddr(a)))
	}
	// Output:
	// 93.184.215.14 true
	// 10.0.0.1 false
	// ::ffff:127.0.0.1 false
	// 64:ff9b::7f00:1 false
}

func ExampleGuest() {
	client := egress.Guest(egress.GuestOptions{})
	r, err := http.NewRequest(http.MethodGet, "http://169.254.169.254/latest/meta-data/", nil)
	if err != nil {
		panic(err)
	}
	_, err = client.Do(r)
	fmt.Println(egress.Reason(err))
	// Output: this address is not allowed
}
