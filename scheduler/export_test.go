package scheduler

import "context"

// Round is one look at the timers, for tests that hold the clock themselves.
func (s *Scheduler) Round(ctx context.Context) error {
	_, err := s.round(ctx)
	return err
}
