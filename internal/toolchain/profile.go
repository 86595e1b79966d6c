package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Profile says which functions of a coverage build have which counters.
type Profile struct {
	Functions []ProfiledFunction // by Entry
}

// A ProfiledFunction is a function with coverage counters.
type ProfiledFunction struct {
	// Name is the function's symbol, without the file of one that is local to it.
	Name string
	// Entry is the index of the counter of its entries, among those of the whole library; the others follow.
	Entry int
	// Counters is how many it has.
	Counters int

	full, hash string // llvm's name for it, which has the file of a local one, and the hash of its code
}

// profileLoader loads a library, numbers its counters, and exits, so that the library's profile runtime writes the
// profile of a process that called nothing.
const profileLoader = `#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc != 4) return 2;
    struct link_map *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) { fprintf(stderr, "%s\n", dlerror()); return 1; }
    unsigned long *counters = (unsigned long *)(library->l_addr + strtoul(argv[2], NULL, 10));
    unsigned long n = strtoul(argv[3], NULL, 10);
    for (unsigned long i = 0; i < n; i++) counters[i] = i * MARK + MARK / 2;
    return 0;
}
`

// counterMark is how far apart the loader's numbers are: what destructors count on top is less than half of it.
const counterMark = 1 << 24

// Profile returns, as llvm-profdata's text, the profile of a process that loads a coverage build, in which each counter
// has the number that ParseProfile reads. It compiles a small program in work, an empty directory, and runs it.
// The library's constructors run in it.
func (t *Tools) Profile(ctx context.Context, sharedLib, work string, log *CommandLog) ([]byte, error) {
	at, n, err := CounterRange(sharedLib)
	if err != nil {
		return nil, err
	}
	source, loader := filepath.Join(work, "loader.c"), filepath.Join(work, "loader")
	raw, text := filepath.Join(work, "loaded.profraw"), filepath.Join(work, "loaded.proftext")
	if err := os.WriteFile(source, []byte(profileLoader), 0o666); err != nil {
		return nil, err
	}
	env := append([]string{"LLVM_PROFILE_FILE=" + raw}, defaultEnv...)
	for _, c := range []Command{
		{Args: []string{t.Clang.Path, fmt.Sprintf("-DMARK=%dul", counterMark), source, "-o", loader}},
		{Args: []string{loader, sharedLib, fmt.Sprint(at), fmt.Sprint(n)}, Env: env},
		{Args: []string{t.Profdata.Path, "merge", "--text", "-o", text, raw}},
	} {
		c.Log = log
		if _, err := Run(ctx, c); err != nil {
			return nil, fmt.Errorf("profile of %s: %w", sharedLib, err)
		}
	}
	return os.ReadFile(text)
}

// ParseProfile parses what Tools.Profile returned: for each function a line with its name, one with the hash of its
// code, one with the number of its counters, and one for each of them.
func ParseProfile(text []byte) (*Profile, error) {
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	p := &Profile{}
	for len(lines) > 0 {
		if len(lines) < 4 {
			return nil, errors.New("profile: cut off")
		}
		f := ProfiledFunction{full: lines[0], hash: lines[1]}
		f.Name = f.full[strings.LastIndexAny(f.full, ":;")+1:] // "file:symbol"; a symbol has neither
		n, err := strconv.Atoi(lines[2])
		if err != nil || n < 1 || n > len(lines)-3 {
			return nil, fmt.Errorf("profile: function %s has %s counters", f.Name, lines[2])
		}
		for i, number := range lines[3 : 3+n] {
			v, err := strconv.Atoi(number)
			if i == 0 {
				f.Entry = v / counterMark
			}
			// Of two functions of one name llvm-profdata adds the counters up.
			if over := v % counterMark; err != nil || over < counterMark/2 || v/counterMark != f.Entry+i {
				return nil, fmt.Errorf("profile: counter %d of function %s is %s", i, f.Name, number)
			}
		}
		f.Counters = n
		p.Functions = append(p.Functions, f)
		lines = lines[3+n:]
	}
	slices.SortFunc(p.Functions, func(a, b ProfiledFunction) int { return a.Entry - b.Entry })
	return p, nil
}

// withCounters returns the text of the profile of a process that left these counters.
func (p *Profile) withCounters(counters []uint64) (string, error) {
	var b strings.Builder
	for _, f := range p.Functions {
		if f.Entry+f.Counters > len(counters) {
			return "", fmt.Errorf("profile: %d counters are too few", len(counters))
		}
		fmt.Fprintf(&b, "%s\n%s\n%d\n", f.full, f.hash, f.Counters)
		for _, n := range counters[f.Entry : f.Entry+f.Counters] {
			fmt.Fprintln(&b, n)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}
