package main

import (
	_ "github.com/alecthomas/kong"
	_ "github.com/anthropics/anthropic-sdk-go/v2"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/peterh/liner"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/redis/go-redis/v9"
	_ "github.com/rivo/uniseg"
	_ "github.com/sashabaranov/go-openai"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/net/html"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/term"
	_ "golang.org/x/text/unicode/norm"
	_ "golang.org/x/text/width"
	_ "golang.org/x/time/rate"
	_ "gopkg.in/telebot.v3"
	_ "modernc.org/sqlite"
)

func main() {}
