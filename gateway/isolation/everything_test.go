package isolation_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	fake "talaria/adapters/fake/telegram"
	"talaria/core/chat"
	"talaria/core/model/modeltest"
	"talaria/core/person"
	"talaria/storage"
)

// busy is a model that puts people's words wherever a model can: into files,
// skills and reports.
func busy(r modeltest.Request) modeltest.Answer {
	asked := r.LastUser()
	word := mine
	if strings.Contains(asked, others) {
		word = others // a card that the leaver gave the space may stand beside it
	}
	switch done := len(r.Results()) > 0; {
	case strings.Contains(asked, "<task>"):
		return modeltest.Text(`{"went_well":"` + word + ` was said","rules":[{"if":"tea is made","then":"Say ` + word + ` first.","kind":"work","confidence":0.6}]}`)
	case strings.Contains(asked, "write") && !done:
		return modeltest.Use(modeltest.Call{Name: "files_write", Args: `{"name":"note.txt","text":` + quoted(asked) + `}`})
	case strings.Contains(asked, "procedure") && !done:
		text := "---\nname: steep-" + word + "\ndescription: Use when " + word + " is to be steeped.\n---\n\n1. Steep " + word + " for 3 minutes.\n"
		args, _ := json.Marshal(map[string]any{
			"name": "steep-" + word, "reason": word + " is steeped often", "changes": []map[string]string{{"action": "create", "content": text}},
		})
		return modeltest.Use(modeltest.Call{Name: "skill_manage", Args: string(args)})
	}
	return modeltest.Text("echo: ", asked)
}

// everything has somebody leave a word through every feature that keeps words.
func (w *world) everything(user int64, word string) {
	w.t.Helper()
	w.asks(user, user, "my word is "+word, word)
	w.asks(user, user, "write "+word, "echo")
	w.asks(user, user, "note the procedure of "+word, "(?s)New skill.*steep-"+word)
	w.asks(user, user, "/reflect standard", "(?s)Review of.*"+word+" was said")
	w.asks(user, user, "/memory add my codeword is "+word, "Noted")
	card := regexp.MustCompile(`Noted as (\w+)`).FindStringSubmatch(w.asks(user, user, "/memory add the old codeword was tea, then "+word, "Noted"))
	w.asks(user, user, "/memory delete "+card[1], "old codeword was tea")
	w.asks(user, user, "/whoami language "+word, word)
	w.asks(user, user, "/jobs add 0 9 * * * remind me of "+word, "Job ")
	w.asks(user, user, "/brief new", "1 of 3")
	w.asks(user, group, "@"+fake.BotName+" in public "+word, word)
	w.asks(user, group, "/reflect@"+fake.BotName+" standard", "(?s)Review of.*"+word+" was said")
	w.asks(user, group, "/memory@"+fake.BotName+" add the public codeword is "+word, "Noted")
}

func TestForgettingFindsEveryFeaturesWords(t *testing.T) {
	onBothStores(t, func(t *testing.T, storeURL string) {
		folder := filepath.Join(t.TempDir(), "reports")
		w := newWorld(t, storeURL, busy, "TALARIA_LEARNING_REFLECTION_LOG_PATH="+folder, "TALARIA_LEARNING_REFLECTION_TRIGGER=manual")
		w.telegram.Group(group, admin, leaver, stayer)
		w.asks(admin, group, "/settings here on", "full members")
		w.everything(leaver, mine)
		w.everything(stayer, others)
		w.asks(leaver, leaver, "/export", "Everything that I keep about you")
		if told := string(unzipped(t, w)["everything.json"]); !strings.Contains(told, mine+" was said") {
			t.Error("the person's reports are not in the export")
		}
		s := w.store()
		for what, found := range map[string][]string{"store": spoken(t, s, mine), "report folder": written(t, folder, mine)} {
			if len(found) < 2 {
				t.Fatalf("the test looks in the wrong place: in the %s the word is in %v", what, found)
			}
		}

		code := regexp.MustCompile(`/forget me (\S+?)(?:$|\s|` + "`" + `)`).FindStringSubmatch(w.asks(leaver, leaver, "/forget me", "/forget me [a-z0-9]{8}"))[1]
		began := time.Now()
		w.asks(leaver, leaver, "/forget me "+code, "You are forgotten")
		left := func() []string {
			return slices.Concat(places(t, w, s), spoken(t, s, mine), written(t, folder, mine), named(t, s))
		}
		for found := left(); len(found) > 0; found = left() {
			if time.Since(began) > 3*time.Minute {
				t.Fatalf("three minutes later the word or the person is still in %v", found)
			}
			pause(t)
		}
		w.stop()
		if found := left(); len(found) > 0 {
			t.Errorf("it is back in %v", found)
		}
		// How many reports there are depends on how often the review looked.
		if reports, records := written(t, folder, others), spoken(t, s, others); len(reports) == 0 || len(records) < 5 {
			t.Errorf("what another person said is gone too: left are %v and %v", reports, records)
		}
	})
}

// kept is a record with the partition that it is in.
type kept struct {
	partition string
	storage.Record
}

func (k kept) String() string {
	return k.partition + " " + k.Kind + " " + k.Data["collection"] + " " + k.Key
}

// all is everything in a store.
func all(t *testing.T, s *storage.Store) (records []kept) {
	t.Helper()
	var backup bytes.Buffer
	if _, err := storage.Backup(t.Context(), s, &backup); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&backup)
	if err != nil {
		t.Fatal(err)
	}
	partition := ""
	for lines := json.NewDecoder(z); ; {
		var line struct {
			Partition string
			Record    *storage.Record
		}
		if err := lines.Decode(&line); err == io.EOF {
			return records
		} else if err != nil {
			t.Fatal(err)
		}
		if line.Partition != "" {
			partition = line.Partition
		}
		if line.Record != nil {
			records = append(records, kept{partition, *line.Record})
		}
	}
}

// spoken are the records of a store that hold a word, also in a zip.
func spoken(t *testing.T, s *storage.Store, word string) (found []string) {
	t.Helper()
	for _, k := range all(t, s) {
		text := k.String() + string(k.Blob) + unpacked(t, k.Blob)
		for _, v := range k.Data {
			text += v
		}
		if strings.Contains(text, word) {
			found = append(found, k.String())
		}
	}
	return found
}

// unpacked is what is in a zip, empty for what is none.
func unpacked(t *testing.T, data []byte) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return ""
	}
	var out strings.Builder
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&out, r); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// named are the records of what belongs to the whole installation that name the
// leaver, but for the tombstone, by which no older backup brings them back.
func named(t *testing.T, s *storage.Store) (found []string) {
	t.Helper()
	id := string(person.Home(chat.Identity{Platform: "telegram", ID: "7"}))
	for _, k := range all(t, s) {
		if strings.HasPrefix(k.partition, "x/") && k.partition != "x/tombstones" && strings.Contains(k.String()+string(k.Blob), id) {
			found = append(found, k.String())
		}
	}
	return found
}

// written are the files of a folder that hold a word.
func written(t *testing.T, folder, word string) (found []string) {
	t.Helper()
	for _, f := range files(t, folder) {
		data, err := os.ReadFile(f)
		if err == nil && strings.Contains(string(data), word) {
			found = append(found, f)
		}
	}
	return found
}
