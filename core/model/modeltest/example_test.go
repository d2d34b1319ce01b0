package modeltest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"talaria/core/model/modeltest"
)

func Example() {
	server := modeltest.Start(modeltest.Steps(
		modeltest.Use(modeltest.Call{ID: "call_1", Name: "time", Args: `{"zone":"UTC"}`}),
		modeltest.Text("It is ", "noon."),
	), modeltest.Options{})
	defer server.Close()

	body := `{"model":"m","messages":[{"role":"user","content":"What time is it?"}]}`
	resp, err := server.Client().Post(server.URL()+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode == http.StatusOK, strings.Contains(string(answer), `"finish_reason":"tool_calls"`))
	fmt.Println(server.Requests()[0].LastUser())
	// Output:
	// true true
	// What time is it?
}
