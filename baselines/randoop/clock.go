package randoop

import (
	"context"
	"debug/elf"
	"slices"
	"time"
)

// clocks are the functions of libc that tell the time of day.
var clocks = []string{"time", "gettimeofday", "clock_gettime", "timespec_get", "ftime"}

// tick is more than the shortest time that a date in text shows.
const tick = 1100 * time.Millisecond

// readsClock reports whether a shared library calls a function that tells the time.
func readsClock(sharedLib string) bool {
	f, err := elf.Open(sharedLib)
	if err != nil {
		return false
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	return err == nil && slices.ContainsFunc(symbols, func(s elf.ImportedSymbol) bool { return slices.Contains(clocks, s.Name) })
}

// afterTick waits until the clock has gone on since a moment, so that a date is not taken for a stable value by a machine
// that makes all runs within its second.
func (s *session) afterTick(ctx context.Context, since time.Time) {
	if !s.clock {
		return
	}
	select {
	case <-time.After(time.Until(since.Add(tick))):
	case <-ctx.Done():
	}
}
