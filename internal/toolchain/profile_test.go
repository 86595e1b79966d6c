package toolchain

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// coverageBuild returns the coverage build of the tests' library and its profile.
func coverageBuild(t testing.TB) (so string, template *RawProfile) {
	t.Helper()
	ctx := context.Background()
	flags := Flags{IncludeDirs: []string{shapesInclude(t)}, Extra: CoverageFlags}
	so = filepath.Join(t.TempDir(), "libshapes.so")
	link := LibraryLink{Lang: trial.C, Objects: []string{compileOne(t, trial.C, flags, shapesSource)},
		SONAME: "libshapes.so.1", Out: so, Coverage: true}
	if err := testLinker(t).tools.LinkLibrary(ctx, link, nil); err != nil {
		t.Fatal(err)
	}
	template, err := testTools(t).ProfileTemplate(ctx, so, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return so, template
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
	so, template := coverageBuild(t)
	at, n, err := CounterRange(so)
	if err != nil {
		t.Fatal(err)
	}
	if n != template.n {
		t.Fatalf("the section has %d counters, the profile %d", n, template.n)
	}
	if !slices.Equal(template.Counters(), make([]uint64, n)) {
		t.Error("the template's counters are not 0")
	}
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
	if err != nil {
		t.Fatal(err)
	}
	counters := make([]uint64, len(left)/counterBytes)
	for i := range counters {
		counters[i] = binary.LittleEndian.Uint64(left[i*counterBytes:])
	}
	got, files, err := tools.ExportCoverage(ctx, so, template, counters, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}

	profile := filepath.Join(dir, "lived.profraw")
	if err := run(`#include "shapes.h"
int main(void) { shape *s = shape_new(4); shape_scale(s, 2); shape_free(s); shape_new(99); return 0; }`, profile); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	lived, err := ParseRawProfile(raw)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := tools.ExportCoverage(ctx, so, lived, lived.Counters(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got != want || got.LinesCovered == 0 || got.LinesCovered >= got.LinesTotal {
		t.Errorf("killed: %+v, lived: %+v", got, want)
	}
	functions, err := lived.Functions()
	if err != nil {
		t.Fatal(err)
	}
	entered := map[string]uint64{}
	for _, f := range functions {
		entered[f.Name] = counters[f.Entry]
	}
	if entered["shape_new"] != 2 || entered["shape_scale"] != 1 || entered["shape_free"] != 1 {
		t.Errorf("entries of functions: %v", entered)
	}
	lines := 0
	for _, f := range files {
		lines += f.LinesCovered
	}
	if len(files) != 2 || lines != got.LinesCovered { // the header has an inline function
		t.Errorf("by file: %+v, want two with %d lines covered", files, got.LinesCovered)
	}
}

func TestAddCounters(t *testing.T) {
	dst := []uint64{1, math.MaxUint64 - 1, math.MaxUint64}
	if err := AddCounters(dst, []uint64{2, 5, 0}); err != nil {
		t.Fatal(err)
	}
	if want := []uint64{3, math.MaxUint64, math.MaxUint64}; !slices.Equal(dst, want) {
		t.Errorf("got %v, want %v", dst, want)
	}
	if AddCounters(dst, []uint64{1}) == nil {
		t.Error("counters of different builds were added")
	}
}

func rawProfile(version, ids, data, pad, counters uint64, rest int) []byte {
	raw := make([]byte, rawHeaderSize+rest)
	for i, w := range []uint64{rawMagic, version, ids, data, pad, counters} {
		binary.LittleEndian.PutUint64(raw[8*i:], w)
	}
	return raw
}

func TestParseRawProfileRefuses(t *testing.T) {
	tests := []struct {
		name string
		raw  []byte
	}{
		{"empty", nil},
		{"other magic", make([]byte, 200)},
		{"older version", rawProfile(9, 0, 0, 0, 0, 0)},
		{"IR instrumentation", rawProfile(10|1<<56, 0, 0, 0, 0, 0)},
		{"single-byte counters", rawProfile(10|1<<60, 0, 0, 0, 0, 0)},
		{"truncated counters", rawProfile(10, 0, 1, 0, 2, rawDataSize+counterBytes)},
		{"sizes that overflow", rawProfile(10, math.MaxUint64, 1<<60, 0, 1<<61, 8)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p, err := ParseRawProfile(tt.raw); err == nil {
				t.Errorf("accepted: %d counters", p.n)
			}
		})
	}
}

func FuzzParseRawProfile(f *testing.F) {
	f.Add(rawProfile(10, 8, 1, 0, 2, 8+rawDataSize+16))
	f.Add(rawProfile(10, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := ParseRawProfile(raw)
		if err != nil {
			return
		}
		back, err := p.withCounters(p.Counters())
		if err != nil || !slices.Equal(back, raw) {
			t.Errorf("writing back the same counters changed the profile: %v", err)
		}
		functions, err := p.Functions()
		for _, f := range functions {
			if err == nil && f.Entry >= p.n {
				t.Errorf("function %s has counter %d of %d", f.Name, f.Entry, p.n)
			}
		}
	})
}

func FuzzParseCoverage(f *testing.F) {
	f.Add([]byte(`{"type":"llvm.coverage.json.export","data":[{"files":[{"filename":"a.c","summary":{"lines":{"count":2,"covered":1}}}],"totals":{"lines":{"count":2,"covered":1}}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		total, _, err := parseCoverage(text)
		if err == nil && total.LinesTotal == 0 {
			t.Error("coverage without lines was accepted")
		}
	})
}
