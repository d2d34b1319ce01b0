package redis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestURLSaysWhatItMeans(t *testing.T) {
	for text, want := range map[string]target{
		"redis://localhost":                {hosts: []string{"localhost:6379"}, allHostsOnLoopback: true},
		"redis://127.0.0.1:7000/3":         {hosts: []string{"127.0.0.1:7000"}, db: 3, allHostsOnLoopback: true},
		"redis://[::1]:7000/":              {hosts: []string{"[::1]:7000"}, allHostsOnLoopback: true},
		"redis://[::1]":                    {hosts: []string{"[::1]:6379"}, allHostsOnLoopback: true},
		"redis://:p%40ss%2F@db":            {hosts: []string{"db:6379"}, password: "p@ss/"},
		"redis://u:p:q@db:1":               {hosts: []string{"db:1"}, user: "u", password: "p:q"},
		"rediss://u:p@10.0.0.1":            {hosts: []string{"10.0.0.1:6379"}, user: "u", password: "p", tls: true},
		"redis+cluster://a:1,b:2?tls=true": {hosts: []string{"a:1", "b:2"}, cluster: true, tls: true},
		"redis+cluster://127.0.0.1,db":     {hosts: []string{"127.0.0.1:6379", "db:6379"}, cluster: true},
		"redis+sentinel://:p@a,b:2/1?master=m&sentinel_user=s&sentinel_password=q": {
			hosts: []string{"a:26379", "b:2"}, password: "p", db: 1, master: "m", sentinelUser: "s", sentinelPassword: "q",
		},
	} {
		got, err := parseURL(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

func TestURLMistakesAreToldWithoutSecrets(t *testing.T) {
	const secret = "canary"
	for text, want := range map[string]string{
		"":                                  "scheme",
		"canary":                            "scheme",
		"http://:canary@h":                  "redis+sentinel://",
		"redis://:canary@":                  "host",
		"redis://:canary@h:x":               "port",
		"redis://:canary@h:0":               "port",
		"redis://:canary@h:70000":           "port",
		"redis://:canary@a:b:c":             "host",
		"redis://:canary@[::1":              "host",
		"redis://:canary@a,b":               "several hosts",
		"redis://:canary%zz@h":              "%25",
		"redis://canary@h":                  "no password",
		"redis://:canary@h/x":               "database",
		"redis://:canary@h?tls=canary":      `"tls"`,
		"redis://:canary@h?%zz=canary":      "after ?",
		"redis+cluster://:canary@h/1":       "database 0",
		"redis+cluster://h?tls=canary":      "true or false",
		"redis+sentinel://:canary@h":        "master=NAME",
		"redis+sentinel://h?wrong=canary":   `"wrong"`,
		"redis+cluster://:canary@h,,i":      "host",
		"redis+cluster://:canary@h ost?x=1": "host",
	} {
		_, err := parseURL(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error is %v, want one about %s", text, err, want)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%q: the secret is in %v", text, err)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{
		"redis://u:p@h:1/2", "rediss://[::1]", "redis+sentinel://a,b/0?master=m", "redis+cluster://a:1,b?tls=1", "redis://%", "redis://@,:/?&=",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseURL(text)
		if err != nil {
			return
		}
		if len(got.hosts) == 0 {
			t.Fatal("no host")
		}
		for _, h := range got.hosts {
			if again, err := hostPort(h, serverPort); err != nil || again != h {
				t.Fatalf("host %q reads as %q, %v", h, again, err)
			}
		}
	})
}
