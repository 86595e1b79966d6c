package toolchain

import (
	"context"
	"debug/elf"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// CoverageFlags are the compile flags of a library's coverage build.
var CoverageFlags = []string{"-fprofile-instr-generate", "-fcoverage-mapping"}

// counterBytes is the size of one coverage counter.
const counterBytes = 8

const counterSection = "__llvm_prf_cnts"

// pageSize is the alignment of the counters; x86-64 has no other small page.
const pageSize = 4096

// decoys is how many counters of no code lie among those of the functions.
const decoys = 256

// CounterLayout is how the linker lays the counters out. The range starts and ends at a page boundary and holds
// nothing but counters and zeros. So a runner can map a shared file over it (MAP_SHARED|MAP_FIXED) before it
// runs a program. The counts then survive any death of the process; the profile that the runtime writes at exit
// would be lost in a crash. No symbol says where the range is. Its first and last page belong to no code, and
// functions and decoys are shuffled between them. A program that writes there without knowing the layout hits
// some of these (touched.Selector.Trace).
const CounterLayout = `SECTIONS {
  ` + counterSection + ` : ALIGN(%[1]d) {
    *(` + counterSection + `.first)
    *(` + counterSection + `)
    . = ALIGN(%[1]d);
    *(` + counterSection + `.last)
  }
} INSERT AFTER .data;
`

// counterFlags makes what lays the counters of a coverage build out, in dir: an object and flags of the link.
func (t *Tools) counterFlags(ctx context.Context, dir string, log *CommandLog) ([]string, error) {
	var pads strings.Builder
	for _, name := range []string{"first", "last"} {
		fmt.Fprintf(&pads, ".section %s.%s,\"aw\"\n.zero %d\n", counterSection, name, pageSize)
	}
	for i := range decoys {
		fmt.Fprintf(&pads, ".section %s,\"aw\",@progbits,unique,%d\n.zero %d\n", counterSection, i, counterBytes)
	}
	source, object, layout := filepath.Join(dir, "counters.s"), filepath.Join(dir, "counters.o"), filepath.Join(dir, "counters.ld")
	if err := os.WriteFile(source, []byte(pads.String()), 0o666); err != nil {
		return nil, err
	}
	if err := os.WriteFile(layout, fmt.Appendf(nil, CounterLayout, pageSize), 0o666); err != nil {
		return nil, err
	}
	if _, err := Run(ctx, Command{Args: []string{t.Clang.Path, "-c", source, "-o", object}, Log: log}); err != nil {
		return nil, err
	}
	return []string{object, "-Wl,-T," + layout, "-Wl,--shuffle-sections=" + counterSection + "=1"}, nil
}

// CounterRange returns where in its memory a coverage build has its counters, and how many, padding
// included. It refuses one whose counters cannot be mapped.
func CounterRange(sharedLib string) (at uint64, counters int, err error) {
	f, err := elf.Open(sharedLib)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	s := f.Section(counterSection)
	switch {
	case s == nil:
		return 0, 0, fmt.Errorf("%s has no coverage counters", sharedLib)
	case s.Addr%pageSize != 0 || s.Size%pageSize != 0:
		return 0, 0, fmt.Errorf("%s: coverage counters at %#x, %d bytes, are not whole pages", sharedLib, s.Addr, s.Size)
	}
	return s.Addr, int(s.Size / counterBytes), nil
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
