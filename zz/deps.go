package main
import (
 _ "github.com/bwmarrin/discordgo"
 _ "github.com/slack-go/slack"
 _ "github.com/robfig/cron/v3"
 _ "github.com/goccy/go-yaml"
 _ "github.com/gorilla/websocket"
 _ "pgregory.net/rapid"
 _ "github.com/anishathalye/porcupine"
 _ "go.uber.org/goleak"
 _ "github.com/google/go-cmp/cmp"
)
