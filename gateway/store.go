package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"talaria/gateway/app"
	"talaria/gateway/config"
	"talaria/storage"
)

// storeCheckCommand looks for damage.
func storeCheckCommand() command {
	return command{name: "store check", help: "Look for damage in the store; exit status 1 where there is some.", run: checkStore}
}

// storeBackupCommand copies the store into a file.
func storeBackupCommand() command {
	return command{name: "store backup", args: "FILE", help: "Copy the store into a new file, also while the bot runs.", run: backUp}
}

// storeRestoreCommand fills an empty store from a file.
func storeRestoreCommand() command {
	var o restoring
	return command{
		name: "store restore", args: "FILE", help: "Fill an empty store from a backup, of either kind of store.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&o.replaces, "replaces", "",
				"`STORE` that this one replaces, such as sqlite:old.db, or $NAME for the variable that holds it: who was forgotten there since the backup stays forgotten")
			f.BoolVar(&o.again, "again", false, "Begin anew where a restore did not finish, and remove what it left. No other may be running")
		},
		run: func(ctx context.Context, p *process, args []string) error { return restore(ctx, p, args[0], o) },
	}
}

// storeLiveCommand lets a restored store act.
func storeLiveCommand() command {
	return command{name: "store live", help: "Let a restored store send messages, once the one it was copied from is gone.", run: goLive}
}

func checkStore(ctx context.Context, p *process, _ []string) error {
	return p.withStore(ctx, true, func(c config.Storage, s *storage.Store) error {
		fact := func(name, value string) { fmt.Fprintf(p.out, "%-11s %s\n", name, value) }
		report, err := storage.Verify(ctx, s)
		if err != nil {
			return err
		}
		durability, _, err := s.Durability(ctx)
		if err != nil {
			return fmt.Errorf("durability: %w", err)
		}
		live, err := s.Live(ctx)
		if err != nil && !errors.Is(err, storage.ErrUnfinished) {
			return fmt.Errorf("standing: %w", err)
		}
		fact("store", c.Shown())
		fact("holds", contents(report))
		fact("durability", durability)
		for _, f := range report.Findings {
			fact("damaged", f)
		}
		switch {
		case err != nil:
			fact("unfinished", helped(err).Error())
		case !live:
			fact("restored", "it sends nothing yet; once the store that it was copied from is gone: talaria store live")
		}
		if err != nil || len(report.Findings) > 0 {
			return errReported
		}
		fact("state", "sound")
		return nil
	})
}

// contents says how much a report found, and of what.
func contents(r storage.Report) string {
	text := fmt.Sprintf("records: %d, partitions: %d", r.Records, r.Partitions)
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", k, r.Kinds[k]))
	}
	if len(kinds) > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	return text
}

// backUp writes a file for its owner alone. One that is there already is left
// alone, and one that could not be finished is removed.
func backUp(ctx context.Context, p *process, args []string) error {
	return p.withStore(ctx, true, func(_ config.Storage, s *storage.Store) error {
		f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("back up: %s is there already; name a file that is not, or move that one away", args[0])
		case err != nil:
			return fmt.Errorf("back up: %w; name a file in a folder that is there and that you may write to", err)
		}
		report, err := storage.Backup(ctx, s, f)
		if err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return errors.Join(err, os.Remove(args[0]))
		}
		fmt.Fprintf(p.out, "%s: %s\n", args[0], contents(report))
		return nil
	})
}

// restoring says how a backup is restored.
type restoring struct {
	replaces string // address of the store before it, or $NAME; may be empty
	again    bool
}

// restore looks at the whole file before it makes a store of it.
func restore(ctx context.Context, p *process, file string, o restoring) error {
	f, err := os.Open(file)
	if err != nil {
		return usageError{fmt.Errorf("restore: %w; name a file that talaria store backup wrote", err)}
	}
	defer f.Close()
	if _, err := storage.VerifyBackup(ctx, f); err != nil {
		return usageError{fmt.Errorf("restore %s: %w", file, err)}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return p.withStore(ctx, false, func(cfg config.Storage, s *storage.Store) error {
		if o.again {
			if err := s.AbandonRestore(ctx); err != nil {
				return err
			}
		}
		if o.replaces != "" {
			if err := p.takeTombstones(ctx, o.replaces, cfg, s); err != nil {
				return err
			}
		}
		forgotten := 0
		report, err := storage.Restore(ctx, s, f, func(r storage.Report) (err error) {
			forgotten, err = app.ForgetAgain(ctx, s, r)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", cfg.Shown(), err)
		}
		fmt.Fprintf(p.out, "%s: %s, as of %s\n", cfg.Shown(), contents(report), report.At.Format("2006-01-02 15:04:05 MST"))
		tellForgotten(p.out, len(report.Buried), forgotten)
		if o.replaces == "" {
			fmt.Fprintln(p.out, "People who were forgotten after the backup are back. Where the store it was made of still exists, restore into a new one with --replaces STORE")
		}
		fmt.Fprintln(p.out, "It sends nothing until you say that it is the live one: talaria store live")
		return nil
	})
}

// takeTombstones tells a store that is to be filled what was erased in the one
// whose place it takes. One with a password is rather named by a variable, as
// others on the machine can read command lines.
func (p *process) takeTombstones(ctx context.Context, replaced string, cfg config.Storage, s *storage.Store) error {
	if name, ok := strings.CutPrefix(replaced, "$"); ok {
		replaced = config.Variable(name, p.environ)
	}
	old, err := cfg.At(replaced)
	if err == nil && old.URL.Reveal() == cfg.URL.Reveal() {
		err = errors.New("that is the store to restore into; name the one before it")
	}
	if err != nil {
		return usageError{fmt.Errorf("store restore: --replaces: %w", err)}
	}
	return useStore(ctx, old, true, func(from *storage.Store) error { return storage.CopyTombstones(ctx, from, s) })
}

// tellForgotten says what a backup would have brought back of people who were
// forgotten.
func tellForgotten(out io.Writer, partitions, people int) {
	if partitions > 0 {
		fmt.Fprintf(out, "partitions that were erased since and stay so: %d\n", partitions)
	}
	if people > 0 {
		fmt.Fprintf(out, "people who were forgotten since and stay so: %d\n", people)
	}
}

func goLive(ctx context.Context, p *process, _ []string) error {
	return p.withStore(ctx, true, func(cfg config.Storage, s *storage.Store) error {
		if err := s.SetLive(ctx); err != nil {
			return fmt.Errorf("%s: %w", cfg.Shown(), err)
		}
		fmt.Fprintf(p.out, "%s is the live one\n", cfg.Shown())
		return nil
	})
}

// withStore opens the configured store for the time of a call. An embedded one
// that must be there already is not made.
func (p *process) withStore(ctx context.Context, existing bool, use func(config.Storage, *storage.Store) error) error {
	cfg, err := p.load()
	if err != nil {
		return err
	}
	return useStore(ctx, cfg.Storage, existing, func(s *storage.Store) error { return use(cfg.Storage, s) })
}

func useStore(ctx context.Context, cfg config.Storage, existing bool, use func(*storage.Store) error) error {
	if path, embedded := cfg.SQLite(); embedded && existing {
		if err := mustExist(path); err != nil {
			return err
		}
	}
	s, err := app.OpenStore(ctx, cfg)
	if err != nil {
		return err
	}
	err = use(s)
	if closeErr := s.Close(); err == nil && closeErr != nil {
		return fmt.Errorf("close %s: %w", cfg.Shown(), closeErr)
	}
	return err
}

// mustExist is for a store that is to be looked at, and not made by that. Its
// whole path is told: one that is not absolute depends on where talaria is run.
func mustExist(path string) error {
	_, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return nil // other errors are told by opening it
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return fmt.Errorf("there is no store at %s; name the bot's in [storage] url or TALARIA_STORAGE_URL, or run talaria in the folder where the bot runs", path)
}

// helped adds the remedy, a command, to an error that has one.
func helped(err error) error {
	if errors.Is(err, storage.ErrUnfinished) {
		return fmt.Errorf("%w; if none is running, begin anew: talaria store restore FILE --again", err)
	}
	return err
}
