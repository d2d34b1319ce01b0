package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
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
	var replaced string
	return command{
		name: "store restore", args: "FILE", help: "Fill an empty store from a backup, of either kind of store.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&replaced, "replaces", "",
				"`STORE` that this one replaces, such as sqlite:old.db, or $NAME for the variable that holds it: who was forgotten there since the backup stays forgotten")
		},
		run: func(ctx context.Context, p *process, args []string) error { return restore(ctx, p, args[0], replaced) },
	}
}

// storeLiveCommand lets a restored store act.
func storeLiveCommand() command {
	return command{name: "store live", help: "Let a restored store send messages, once the one it was copied from is gone.", run: goLive}
}

func checkStore(ctx context.Context, p *process, _ []string) error {
	return p.withStore(ctx, true, func(c config.Storage, s *storage.Store) error {
		report, err := storage.Verify(ctx, s)
		if err != nil {
			return err
		}
		durability, _, err := s.Durability(ctx)
		if err != nil {
			return fmt.Errorf("durability: %w", err)
		}
		fmt.Fprintf(p.out, "store       %s\nholds       %s\ndurability  %s\n", c.Shown(), contents(report), durability)
		for _, f := range report.Findings {
			fmt.Fprintln(p.out, "damaged     "+f)
		}
		if len(report.Findings) > 0 {
			return errReported
		}
		fmt.Fprintln(p.out, "sound")
		return nil
	})
}

// contents says how much a report found, and of what.
func contents(r storage.Report) string {
	text := fmt.Sprintf("%d records in %d partitions", r.Records, r.Partitions)
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
		if err != nil {
			return fmt.Errorf("back up: %w", err)
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

// restore looks at the whole file before it makes a store of it.
func restore(ctx context.Context, p *process, file, replaced string) error {
	f, err := os.Open(file)
	if err != nil {
		return usageError{fmt.Errorf("restore: %w", err)}
	}
	defer f.Close()
	if _, err := storage.VerifyBackup(ctx, f); err != nil {
		return usageError{fmt.Errorf("restore %s: %w", file, err)}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return p.withStore(ctx, false, func(cfg config.Storage, s *storage.Store) error {
		if replaced != "" {
			if err := p.takeTombstones(ctx, replaced, cfg, s); err != nil {
				return err
			}
		}
		forgotten := 0
		report, err := storage.RestoreWith(ctx, s, f, func(r storage.Report) (err error) {
			forgotten, err = app.ForgetAgain(ctx, s, r)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s: %s, as of %s\n", cfg.Shown(), contents(report), report.At.Format("2006-01-02 15:04:05 MST"))
		tellForgotten(p.out, len(report.Buried), forgotten)
		if replaced == "" {
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
			return err
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
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("open %s: %w", cfg.Shown(), err)
		}
	}
	s, err := app.OpenStore(ctx, cfg)
	if err != nil {
		return fmt.Errorf("open %s: %w", cfg.Shown(), err)
	}
	err = use(s)
	if closeErr := s.Close(); err == nil && closeErr != nil {
		return fmt.Errorf("close %s: %w", cfg.Shown(), closeErr)
	}
	return err
}
