package toolchain

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// A watchedUnit is a unit of C with versions, each in a directory of its own, as unit.c.
type watchedUnit struct {
	t     *testing.T
	tools *Tools
	dir   string
}

var unitArgs = []string{"-c", "-O1", "-fPIC"}

func newWatchedUnit(t *testing.T, source string) *watchedUnit {
	u := &watchedUnit{t: t, tools: testTools(t), dir: t.TempDir()}
	u.write("unit", source)
	return u
}

func (u *watchedUnit) write(version, source string) string {
	u.t.Helper()
	dir := filepath.Join(u.dir, version)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		u.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "unit.c"), []byte(source), 0o644); err != nil {
		u.t.Fatal(err)
	}
	return dir
}

// callWork calls work with each of its arguments in a process of its own. For each it writes what that wrote, how it
// ended and, if it lives, REPORT.
const callWork = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int work(int);
int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		int status;
		if (fork() == 0) {
			setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
			setrlimit(RLIMIT_DATA, &(struct rlimit){1 << 28, 1 << 28});
			work(atoi(argv[i]));
			putchar('\0');
			REPORT
			fflush(stdout);
			_exit(0);
		}
		wait(&status);
		printf("%c%d%c", 0, status, 1);
		fflush(stdout);
	}
}
`

// watch links the unit, with watches of its versions, to a main that reports a character for each counter: '-' where
// it is 0, '+' where it is not.
func (u *watchedUnit) watch(versions []string) (program string, why []string) {
	u.t.Helper()
	w, err := u.tools.NewWatcher(u.t.Context(), testcache.Dir("plugins"), nil)
	if err != nil {
		u.t.Fatal(err)
	}
	var list []WatchedVersion
	var declared, report string
	for i, v := range versions {
		list = append(list, WatchedVersion{Dir: u.write(fmt.Sprint("v", i), v), Symbol: fmt.Sprint("watch_test.", i)})
		declared += fmt.Sprintf("extern unsigned long c%[1]d __asm__(\"watch_test.%[1]d\") __attribute__((visibility(\"hidden\"), weak));\n", i)
		report += fmt.Sprintf("putchar(&c%[1]d && c%[1]d ? '+' : '-');", i)
	}
	object := filepath.Join(u.dir, "watched.o")
	args := slices.Concat([]string{u.tools.Clang.Path}, unitArgs, []string{"unit.c"})
	if why, err = w.Compile(u.t.Context(), filepath.Join(u.dir, "unit"), args, list, u.t.TempDir(), object); err != nil {
		u.t.Fatal(err)
	}
	return u.link("watched", declared+strings.Replace(callWork, "REPORT", report, 1), object), why
}

// plain links a version as it is.
func (u *watchedUnit) plain(version string) string {
	u.t.Helper()
	dir := filepath.Join(u.dir, version)
	u.run(slices.Concat([]string{u.tools.Clang.Path, "-w"}, unitArgs, []string{filepath.Join(dir, "unit.c"), "-o", filepath.Join(dir, "unit.o")}))
	return u.link(version, strings.Replace(callWork, "REPORT", "", 1), filepath.Join(dir, "unit.o"))
}

func (u *watchedUnit) link(name, main, object string) string {
	u.t.Helper()
	source, program := filepath.Join(u.dir, name+"-main.c"), filepath.Join(u.dir, name+"-program")
	if err := os.WriteFile(source, []byte(main), 0o644); err != nil {
		u.t.Fatal(err)
	}
	u.run([]string{u.tools.Clang.Path, "-w", "-no-pie", source, object, "-o", program})
	return program
}

func (u *watchedUnit) run(args []string) {
	u.t.Helper()
	if _, err := Run(u.t.Context(), Command{Args: args}); err != nil {
		u.t.Fatal(err)
	}
}

// A called is what became of a call of work: what it wrote with how it ended, and its counters.
type called struct{ said, counters string }

// call calls work with each of some numbers.
func call(t *testing.T, program string, numbers []int) []called {
	t.Helper()
	var args []string
	for _, n := range numbers {
		args = append(args, strconv.Itoa(n))
	}
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var calls []called
	for one := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x01"), "\x01") {
		part := strings.Split(one, "\x00")
		c := called{said: part[0] + "; status " + part[len(part)-1]}
		if len(part) == 3 {
			c.counters = part[1]
		}
		calls = append(calls, c)
	}
	if len(calls) != len(numbers) {
		t.Fatalf("%d calls of %d: %q", len(calls), len(numbers), out)
	}
	return calls
}

// every returns each fourth mutant, each sixteenth in a short test, and all if LISA_BENCH_WATCH is "all".
func every(all []Mutant) (some []Mutant) {
	part := 4
	switch {
	case os.Getenv("LISA_BENCH_WATCH") == "all":
		part = 1
	case testing.Short():
		part = 16
	}
	for i := 0; i < len(all); i += part {
		some = append(some, all[i])
	}
	return some
}

// TestWatchesOfMutants watches many mutants of a unit at a time. A mutant whose counter stays 0 does what the unit does.
func TestWatchesOfMutants(t *testing.T) {
	source, err := os.ReadFile("testdata/watched.c")
	if err != nil {
		t.Fatal(err)
	}
	u := newWatchedUnit(t, string(source))
	lister, err := u.tools.NewMutantLister(t.Context(), testcache.Dir("mutants"), nil)
	if err != nil {
		t.Fatal(err)
	}
	mutants, err := lister.List(t.Context(), filepath.Join(u.dir, "unit"), slices.Concat([]string{u.tools.Clang.Path}, unitArgs, []string{"unit.c"}))
	if err != nil {
		t.Fatal(err)
	}
	mutants = every(mutants)
	var versions []string
	for _, m := range mutants {
		versions = append(versions, string(source[:m.Begin])+m.Mutated+string(source[m.End:]))
	}
	watched, why := u.watch(versions)
	for i, w := range why {
		if w != "" {
			t.Errorf("%s for %s is not watched: %s", mutants[i].Mutated, mutants[i].Original, w)
		}
	}
	inputs := []int{-3, 0, 1, 2, 3, 5, 8, 13, 22, 27, 99, 100}
	reference := call(t, watched, inputs)
	differ, counted, same := 0, 0, 0
	for i, m := range mutants {
		for k, got := range call(t, u.plain(fmt.Sprint("v", i)), inputs) {
			if len(reference[k].counters) != len(mutants) {
				t.Fatalf("work(%d) with watches: %q", inputs[k], reference[k])
			}
			switch counts := reference[k].counters[i] == '+'; {
			case got.said != reference[k].said && !counts:
				t.Errorf("work(%d) says %q with %s for %s in line %d, %q without, and no watch counts", inputs[k], got.said, m.Mutated, m.Original, m.Line, reference[k].said)
			case got.said != reference[k].said:
				differ++
			case counts:
				counted++
			default:
				same++
			}
		}
	}
	t.Logf("%d mutants, %d calls: %d differ, %d do the same and are counted, %d do the same and are not", len(mutants), len(mutants)*len(inputs), differ, counted, same)
	if differ == 0 || same < counted {
		t.Error("watches tell nothing")
	}
}
