package discord_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"talaria/adapters/fake/discord"

	"github.com/bwmarrin/discordgo"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The people and places of the tests.
const (
	ada    = "510000000000000001"
	guild  = "520000000000000001"
	lobby  = "530000000000000001"
	direct = "530000000000000003"
)

// patience bounds each wait. It is far above what anything takes.
const patience = 3 * time.Minute

func newServer(t *testing.T, o discord.Options) (*discord.Server, context.Context) {
	t.Helper()
	s, err := discord.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(func() { cancel(); s.Close() })
	s.Guild(guild, ada)
	s.Channel(guild, lobby)
	s.Direct(direct, ada)
	return s, ctx
}

// elsewhere sends a library's requests to the simulator.
type elsewhere struct {
	host string
	to   http.RoundTripper
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", e.host
	return e.to.RoundTrip(r)
}

// newSession is discordgo as anybody would use it: a client that was not
// written with the simulator in mind.
func newSession(t *testing.T, s *discord.Server) *discordgo.Session {
	t.Helper()
	session, err := discordgo.New("Bot " + s.Token())
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	session.Client = &http.Client{Transport: elsewhere{strings.TrimPrefix(s.URL(), "http://"), transport}}
	session.Compress = false
	session.Identify.Intents = discordgo.IntentsAll
	return session
}

func TestTheUsualLibrarySpeaksWithIt(t *testing.T) {
	s, ctx := newServer(t, discord.Options{NoRates: true})
	session := newSession(t, s)
	got := make(chan *discordgo.MessageCreate, 9)
	session.AddHandler(func(_ *discordgo.Session, m *discordgo.MessageCreate) { got <- m })
	pressed := make(chan error, 1)
	session.AddHandler(func(bot *discordgo.Session, i *discordgo.InteractionCreate) {
		pressed <- bot.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate})
	})
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	s.Say(ada, lobby, "hello")
	m := <-got
	if m.Content != "hello" || m.Author.ID != ada || m.GuildID != guild || m.ChannelID != lobby {
		t.Errorf("came as %+v", m.Message)
	}
	sent, err := session.ChannelMessageSendComplex(lobby, &discordgo.MessageSend{
		Content: "which?", Reference: m.Reference(), AllowedMentions: &discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}},
		Flags: discordgo.MessageFlagsSuppressEmbeds,
		Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.Button{Label: "This", CustomID: "pick:1", Style: discordgo.PrimaryButton},
		}}},
	})
	if err != nil || sent.Content != "which?" || sent.Author.ID != discord.BotID {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	token := s.Press(ada, lobby, sent.ID, "pick:1")
	if err := <-pressed; err != nil {
		t.Error(err)
	}
	if err := s.Await(ctx, func() bool { return s.Answered(token) }); err != nil {
		t.Error(err)
	}
	read, err := session.ChannelMessages(lobby, 10, "", "", "")
	if err != nil || len(read) != 2 || read[0].ID != sent.ID || read[0].ReferencedMessage.Content != "hello" {
		t.Errorf("read %+v, %v", read, err)
	}
	if tally := s.Tally(nil); tally.Said != 1 || tally.Answered != 1 {
		t.Errorf("tally %+v", tally)
	}
	if all := s.Breaches(); len(all) > 0 {
		t.Errorf("breaches %v", all)
	}
}
