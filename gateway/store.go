package main

import (
	"context"
	"fmt"

	"talaria/gateway/app"
	"talaria/gateway/backup"
	"talaria/gateway/config"
	"talaria/storage"
)

// storeCommand looks after the store.
type storeCommand struct {
	Check   storeCheckCommand   `cmd:"" help:"Look for damage; exit status 1 where there is some."`
	Backup  storeBackupCommand  `cmd:"" help:"Copy the store into a new file, also while the bot runs."`
	Restore storeRestoreCommand `cmd:"" help:"Fill an empty store from a backup, of either kind of store."`
}

type storeCheckCommand struct{}

type storeBackupCommand struct {
	File string `arg:"" help:"File to write; it must not exist."`
}

type storeRestoreCommand struct {
	File   string `arg:"" help:"File that a backup wrote."`
	Resume bool   `help:"Answer and send what was waiting when the backup was made. Only where nothing has run since."`
}

// Run checks the store.
func (storeCheckCommand) Run(ctx context.Context, p *process) error {
	return p.withStore(ctx, func(c config.Storage, s *storage.Store) error {
		damage, err := s.Check(ctx)
		if err != nil {
			return fmt.Errorf("check %s: %w", c.Shown(), err)
		}
		text, _, err := s.Durability(ctx)
		if err != nil {
			return fmt.Errorf("check %s: %w", c.Shown(), err)
		}
		fmt.Fprintf(p.out, "store       %s\ndurability  %s\n", c.Shown(), text)
		for _, d := range damage {
			fmt.Fprintln(p.out, "damaged     "+d)
		}
		if len(damage) > 0 {
			return errReported
		}
		fmt.Fprintln(p.out, "sound")
		return nil
	})
}

// Run backs the store up.
func (c storeBackupCommand) Run(ctx context.Context, p *process) error {
	return p.withStore(ctx, func(_ config.Storage, s *storage.Store) error {
		sum, err := backup.Write(ctx, s, c.File)
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s: %d records of %d partitions\n", c.File, sum.Records, sum.Partitions)
		return nil
	})
}

// Run restores the store.
func (c storeRestoreCommand) Run(ctx context.Context, p *process) error {
	return p.withStore(ctx, func(cfg config.Storage, s *storage.Store) error {
		done, err := backup.Restore(ctx, s, c.File, backup.Options{Resume: c.Resume})
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s: %d records of %d partitions, as of %s\n", cfg.Shown(), done.Records, done.Partitions, done.At.Format("2006-01-02 15:04:05 MST"))
		if done.Events+done.Messages > 0 {
			fmt.Fprintf(p.out, "%d messages that waited for an answer are left out, and %d answers that waited to be sent will not be\n", done.Events, done.Messages)
		}
		return nil
	})
}

// withStore opens the configured store for the time of a call.
func (p *process) withStore(ctx context.Context, use func(config.Storage, *storage.Store) error) error {
	cfg, err := p.load()
	if err != nil {
		return err
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
