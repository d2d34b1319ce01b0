package main

import (
	"context"
	"errors"
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
	return command{name: "store restore", args: "FILE", help: "Fill an empty store from a backup, of either kind of store.", run: restore}
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
func restore(ctx context.Context, p *process, args []string) error {
	f, err := os.Open(args[0])
	if err != nil {
		return usageError{fmt.Errorf("restore: %w", err)}
	}
	defer f.Close()
	if _, err := storage.VerifyBackup(ctx, f); err != nil {
		return usageError{fmt.Errorf("restore %s: %w", args[0], err)}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return p.withStore(ctx, false, func(cfg config.Storage, s *storage.Store) error {
		report, err := storage.Restore(ctx, s, f)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s: %s, as of %s\n", cfg.Shown(), contents(report), report.At.Format("2006-01-02 15:04:05 MST"))
		if len(report.Buried) > 0 {
			fmt.Fprintf(p.out, "%d partitions that were erased since stay erased\n", len(report.Buried))
		}
		forgotten, err := app.ForgetAgain(ctx, s, report)
		if err != nil {
			return err
		}
		if forgotten > 0 {
			fmt.Fprintf(p.out, "%d people who were forgotten since stay forgotten\n", forgotten)
		}
		fmt.Fprintln(p.out, "It sends nothing until you say that it is the live one: talaria store live")
		return nil
	})
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
	if path, embedded := cfg.Storage.SQLite(); embedded && existing {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("open %s: %w", cfg.Storage.Shown(), err)
		}
	}
	s, err := app.OpenStore(ctx, cfg.Storage)
	if err != nil {
		return fmt.Errorf("open %s: %w", cfg.Storage.Shown(), err)
	}
	err = use(cfg.Storage, s)
	if closeErr := s.Close(); err == nil && closeErr != nil {
		return fmt.Errorf("close %s: %w", cfg.Storage.Shown(), closeErr)
	}
	return err
}
