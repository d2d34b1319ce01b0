// Package zz holds modules in go.mod until their users are there.
package zz

import (
	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/goccy/go-yaml"
	_ "github.com/landlock-lsm/go-landlock/landlock"
	_ "github.com/robfig/cron/v3"
	_ "mvdan.cc/sh/v3/syntax"
)
