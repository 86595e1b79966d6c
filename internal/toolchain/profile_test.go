package toolchain

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// coverageBuild returns the coverage build of the tests' library and its profile.
func coverageBuild(t testing.TB) (so string, profile *Profile) {
	t.Helper()
	ctx := context.Background()
	flags := Flags{IncludeDirs: []string{shapesInclude(t)}, Extra: CoverageFlags}
	so = filepath.Join(t.TempDir(), "libshapes.so")
	link := LibraryLink{Lang: trial.C, Objects: []string{compileOne(t, trial.C, flags, shapesSource)},
		SONAME: "libshapes.so.1", Out: so, Coverage: true}
	assert.NilError(t, testLinker(t).tools.LinkLibrary(ctx, link, nil))
	text, err := testTools(t).Profile(ctx, so, t.TempDir(), nil)
	assert.NilError(t, err)
	if profile, err = ParseProfile(text); err != nil {
		t.Fatal(err)
	}
	return so, profile
}

// countersProgram maps a file over the library's counters, calls the library and dies by
// a signal, as a crashing test does.
const countersProgram = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "shapes.h"
int main(void) {
    Dl_info library;
    if (!dladdr((void *)shape_new, &library)) return 3;
    char *begin = (char *)library.dli_fbase + AT;
    size_t size = 8 * COUNTERS;
    int fd = open("counters", O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, size) != 0) return 1;
    if (mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != begin) return 2;
    shape *s = shape_new(4);
    shape_scale(s, 2);
    shape_free(s);
    shape_new(99);
    raise(SIGKILL);
    return 0;
}`

// TestCoverageOfKilledProcess reads the counters that a killed process left in shared
// memory, and compares the figures with llvm's own way for a process that lives.
func TestCoverageOfKilledProcess(t *testing.T) {
	ctx := context.Background()
	tools := testTools(t)
	so, profile := coverageBuild(t)
	at, n, err := CounterRange(so)
	assert.NilError(t, err)
	dir := t.TempDir()
	run := func(source, profile string) error {
		exe := filepath.Join(dir, "exe")
		object := compileOne(t, trial.C, Flags{IncludeDirs: []string{shapesInclude(t)}}, source)
		args := []string{tools.Clang.Path, object, so, "-Wl,-rpath," + filepath.Dir(so), "-o", exe}
		if _, err := Run(ctx, Command{Args: args}); err != nil {
			t.Fatal(err)
		}
		// The loader looks for the SONAME.
		if err := os.Link(so, filepath.Join(filepath.Dir(so), "libshapes.so.1")); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		_, err := Run(ctx, Command{Args: []string{exe}, Dir: dir, Env: []string{"LLVM_PROFILE_FILE=" + profile}})
		return err
	}
	if err := run(fmt.Sprintf("#define AT %d\n#define COUNTERS %d\n", at, n)+countersProgram, "/dev/null"); err == nil {
		t.Fatal("the program was to be killed")
	}
	left, err := os.ReadFile(filepath.Join(dir, "counters"))
	assert.NilError(t, err)
	counters := make([]uint64, len(left)/counterBytes)
	for i := range counters {
		counters[i] = binary.LittleEndian.Uint64(left[i*counterBytes:])
	}
	got, err := tools.ExportCoverage(ctx, so, profile, counters, t.TempDir())
	assert.NilError(t, err)

	raw, merged := filepath.Join(dir, "lived.profraw"), filepath.Join(dir, "lived.profdata")
	if err := run(`#include "shapes.h"
int main(void) { shape *s = shape_new(4); shape_scale(s, 2); shape_free(s); shape_new(99); return 0; }`, raw); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, Command{Args: []string{tools.Profdata.Path, "merge", "-o", merged, raw}}); err != nil {
		t.Fatal(err)
	}
	out, err := Run(ctx, Command{Args: []string{tools.Cov.Path, "export", "--summary-only", "-instr-profile", merged, so}})
	assert.NilError(t, err)
	want, err := parseCoverage(out.Stdout)
	assert.NilError(t, err)
	assert.Check(t, got == want && got.LinesCovered != 0 && got.LinesCovered < got.LinesTotal,
		"killed: %+v, lived: %+v", got, want)
	missed, err := tools.ExportUncovered(ctx, so, profile, counters, t.TempDir())
	assert.NilError(t, err)
	var names []string
	for _, f := range missed.Functions {
		names = append(names, f.Function)
	}
	assert.Check(t, slices.Equal(names, []string{"shape_is_square", "shape_name"}), "uncovered functions: %v", names)
	for _, b := range missed.Branches {
		if b.Function != "shape_new" && b.Function != "shape_scale" || b.Line == 0 || b.Column == 0 {
			t.Errorf("uncovered branch: %+v", b)
		}
	}
	if len(missed.Branches) != got.BranchesTotal-got.BranchesCovered-2 { // a condition of shape_is_square
		t.Errorf("%d uncovered branches of %+v: %+v", len(missed.Branches), got, missed.Branches)
	}
	entered := map[string]uint64{}
	for _, f := range profile.Functions {
		entered[f.Name] = counters[f.Entry]
	}
	assert.Check(t, entered["shape_new"] == 2 && entered["shape_scale"] == 1 && entered["shape_free"] == 1,
		"entries of functions: %v", entered)
}

func TestParseProfileRefuses(t *testing.T) {
	const at = counterMark + counterMark/2 // counter 1
	good := fmt.Sprintf("a.c:f\n# Func Hash:\n7\n# Num Counters:\n2\n# Counter Values:\n%d\n%d\n", at, at+counterMark+3)
	p, err := ParseProfile([]byte(good))
	if err != nil || len(p.Functions) != 1 || p.Functions[0] != (ProfiledFunction{"f", 1, 2, "a.c:f", "7"}) {
		t.Fatalf("%+v, %v", p, err)
	}
	for name, text := range map[string]string{
		"cut off":                   good[:30],
		"too few counters":          fmt.Sprintf("f\n7\n2\n%d\n", at),
		"counters of two functions": fmt.Sprintf("f\n7\n1\n%d\n", 2*at),
		"counters with gaps":        fmt.Sprintf("f\n7\n2\n%d\n%d\n", at, at+2*counterMark),
		"no number":                 "f\n7\n1\nx\n",
	} {
		if p, err := ParseProfile([]byte(text)); err == nil {
			t.Errorf("%s: no error, %+v", name, p)
		}
	}
}
