package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version that a release build is stamped with, by
// -ldflags "-X main.release=1.2.3".
var release string

// versionCommand prints the version.
func versionCommand() command {
	return command{
		name: "version", help: "Print the version.",
		run: func(_ context.Context, p *process, _ []string) error {
			fmt.Fprintf(p.out, "talaria %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}

// version is the release, or what the build knows of its source.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	return cmp.Or(revision+changed, "development")
}
