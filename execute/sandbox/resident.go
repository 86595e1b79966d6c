package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errResident is the cause of a command that had more in memory than it may.
var errResident = errors.New("its processes had more in memory together than they may")

// residentEvery is how often somebody looks.
const residentEvery = 200 * time.Millisecond

// guard ends the context that it returns when the processes below pid have more than most bytes in memory.
func guard(ctx context.Context, pid int, most int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for ctx.Err() == nil {
			if resident(pid) > most {
				cancel(errResident)
			}
			select {
			case <-ctx.Done():
			case <-time.After(residentEvery):
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// resident is what the descendants of a process have in memory, in bytes (proc(5), stat).
func resident(pid int) int64 {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	parent, pages := map[int]int{}, map[int]int64{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		own, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // from the state, the third
		if len(fields) > 21 {
			parent[own], _ = strconv.Atoi(fields[1])
			pages[own], _ = strconv.ParseInt(fields[21], 10, 64)
		}
	}
	var sum int64
	for p := range pages {
		for up := p; up > 1; up = parent[up] {
			if up == pid {
				sum += pages[p]
				break
			}
		}
	}
	return sum * int64(os.Getpagesize())
}
