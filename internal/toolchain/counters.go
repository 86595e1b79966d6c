package toolchain

import (
	"context"
	"debug/elf"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// CoverageFlags are the compile flags of a library's coverage build.
var CoverageFlags = []string{"-fprofile-instr-generate", "-fcoverage-mapping"}

// counterBytes is the size of one coverage counter.
const counterBytes = 8

const counterSection = "__llvm_prf_cnts"

// The names under which a coverage build exports the bounds of its counters: functions
// without arguments that return a pointer. The range starts and ends at a page boundary and
// holds nothing but counters and zeros, so that a runner can map a shared file over it
// (MAP_SHARED|MAP_FIXED) before it runs a program. The counts then survive any death of
// the process; the profile that the runtime writes at exit would be lost in a crash.
const (
	countersBegin = "lisabench_counters_begin"
	countersEnd   = "lisabench_counters_end"
)

// pageSize is the alignment of the counters; x86-64 has no other small page.
const pageSize = 4096

// The linker keeps the order of its inputs within a section: what is first aligns the
// section's start, what is last its end.
const (
	firstPad = `
__attribute__((section("` + counterSection + `"), aligned(%[1]d), used)) static char first[%[1]d];
extern char begin[] __asm__("__start_` + counterSection + `") __attribute__((visibility("hidden")));
extern char end[] __asm__("__stop_` + counterSection + `") __attribute__((visibility("hidden")));
void *` + countersBegin + `(void) { return begin; }
void *` + countersEnd + `(void) { return end; }
`
	lastPad = `
__attribute__((section("` + counterSection + `"), aligned(%[1]d), used)) static char last[%[1]d];
`
)

// counterPads compiles the objects that go first and last into the link of a coverage
// build.
func (t *Tools) counterPads(ctx context.Context, dir string, log *CommandLog) (first, last string, err error) {
	first, last = filepath.Join(dir, "counters-first.o"), filepath.Join(dir, "counters-last.o")
	for _, pad := range []struct{ object, source string }{{first, firstPad}, {last, lastPad}} {
		source := pad.object + ".c"
		if err := os.WriteFile(source, fmt.Appendf(nil, pad.source, pageSize), 0o666); err != nil {
			return "", "", err
		}
		args := []string{t.Clang.Path, "-O1", "-fPIC", "-c", source, "-o", pad.object}
		if _, err := Run(ctx, Command{Args: args, Log: log}); err != nil {
			return "", "", err
		}
	}
	return first, last, nil
}

// CounterRange returns how many counters a coverage build has, padding included, and
// refuses one whose counters cannot be mapped.
func CounterRange(sharedLib string) (counters int, err error) {
	f, err := elf.Open(sharedLib)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s := f.Section(counterSection)
	switch {
	case s == nil:
		return 0, fmt.Errorf("%s has no coverage counters", sharedLib)
	case s.Addr%pageSize != 0 || s.Size%pageSize != 0:
		return 0, fmt.Errorf("%s: coverage counters at %#x, %d bytes, are not whole pages", sharedLib, s.Addr, s.Size)
	}
	return int(s.Size / counterBytes), nil
}

// Forged reports whether a program has written to a coverage build's counters itself: those of the
// first and the last page are of no code (see firstPad) and stay 0 whatever runs.
func Forged(counters []uint64) bool {
	const page = pageSize / counterBytes
	written := func(part []uint64) bool { return slices.ContainsFunc(part, func(n uint64) bool { return n != 0 }) }
	return len(counters) >= 2*page && (written(counters[:page]) || written(counters[len(counters)-page:]))
}

// AddCounters adds src to dst, saturating as llvm-profdata does. Both are of one build.
func AddCounters(dst, src []uint64) error {
	if len(dst) != len(src) {
		return fmt.Errorf("add counters: %d to %d: not of one build", len(src), len(dst))
	}
	for i, n := range src {
		if dst[i] > math.MaxUint64-n {
			dst[i] = math.MaxUint64
		} else {
			dst[i] += n
		}
	}
	return nil
}
