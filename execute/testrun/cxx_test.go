package testrun

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The tables that Debian's build generates from its Unicode data are replaced by small
// ones, so that the tests need no other package.
const (
	re2CaseFolding = `#include "re2/unicode_casefold.h"
namespace re2 {
const CaseFold unicode_casefold[] = {{'A', 'Z', 32}, {'a', 'z', -32}};
const int num_unicode_casefold = 2;
const CaseFold unicode_tolower[] = {{'A', 'Z', 32}};
const int num_unicode_tolower = 1;
}
`
	re2Groups = `#include "re2/unicode_groups.h"
namespace re2 {
static const URange16 Greek[] = {{0x370, 0x3ff}};
static const URange16 L[] = {{'A', 'Z'}, {'a', 'z'}, {0xc0, 0x24f}, {0x370, 0x3ff}};
static const URange16 Nd[] = {{'0', '9'}}, Pc[] = {{'_', '_'}};
#define GROUP(name, ranges, n) {name, +1, ranges, n, 0, 0}
const UGroup unicode_groups[] = {
  GROUP("Greek", Greek, 1), GROUP("L", L, 4), GROUP("Ll", L, 4), GROUP("Lm", L, 0), GROUP("Lo", L, 0), GROUP("Lt", L, 0),
  GROUP("Lu", L, 4), GROUP("Mc", L, 0), GROUP("Mn", L, 0), GROUP("Nd", Nd, 1), GROUP("Nl", L, 0), GROUP("Pc", Pc, 1),
};
const int num_unicode_groups = 12;
}
`
)

var re2Headers = []string{"re2/filtered_re2.h", "re2/re2.h", "re2/set.h", "re2/stringpiece.h"}

// openRE2 builds RE2 from its Debian source.
func openRE2(t testing.TB) *testLibrary {
	t.Helper()
	spec := &lisabench.Library{
		Name: "re2", Language: trial.CXX, Headers: re2Headers,
		Debian: &lisabench.DebianPin{Package: "re2", Version: "20220601+dfsg-1",
			DscSHA256: "e0d2eab89a0312e9a0ba4e9a6fb18b081764d6776a28496d389aa3831d970940"},
		Recipe: lisabench.Recipe{
			Sources: []string{"re2/*.cc", "util/rune.cc", "util/strutil.cc"}, Includes: []string{"."},
			Configure: [][]string{{"sh", "-c", "perl re2/make_perl_groups.pl > re2/perl_groups.cc"}},
			Write: []lisabench.WriteStep{
				{To: "re2/unicode_casefold.cc", Text: re2CaseFolding}, {To: "re2/unicode_groups.cc", Text: re2Groups},
			},
			CFlags: []string{"-pthread"}, Link: []string{"-pthread"}, SONAME: "libre2.so.9",
		},
	}
	lib := newLibrary(t, spec, readableTempDir(t), func(string) source.Tree {
		tree, err := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler)).Reference(t.Context(), spec, lisabench.Debian)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	})
	// Builds have their headers side by side; these include each other as re2/….
	for _, b := range []*libbuild.Build{lib.plain, lib.coverage} {
		for _, h := range re2Headers {
			copyFile(t, filepath.Join(lib.tree.Dir, h), filepath.Join(b.IncludeDir, h))
		}
	}
	return lib
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFastWayGivesThePlainWaysVerdictsCXX is the differential test for C++. Most
// programs share their preamble with others, so that it is precompiled.
func TestFastWayGivesThePlainWaysVerdictsCXX(t *testing.T) {
	if testing.Short() {
		t.Skip("builds RE2 and compiles some sixty programs one by one")
	}
	counts := sameVerdicts(t, openRE2(t), enough, kinds(t, "cxx.txtar", 1))
	tried(t, counts, trial.OK, trial.CompileError, trial.LinkError, trial.Crash, trial.Assertion, trial.NonzeroExit)
}

// BenchmarkInnerLoopCXX is BenchmarkInnerLoop for a C++ library: programs over three
// preambles, a sixth of them wrong. A preamble costs as much as one program the plain way
// and is kept for all later programs, so both are measured: the first suite, which makes
// the preambles, and one that finds them.
func BenchmarkInnerLoopCXX(b *testing.B) {
	lib := openRE2(b)
	all := kinds(b, "bench-re2.txtar", 27) // two suites of about the size of those in C
	first, later := all[:len(all)/2], all[len(all)/2:]
	madeOnce(b, lib, trial.CXX)
	var plain, cold, warm cost
	alone := withMain(b, lib, later[:30])
	for b.Loop() {
		plain.add(b, func() []trial.Result { return plainWay(b, lib, alone) })
		e := newEngine(b, lib, sandbox.DefaultLimits)
		cold.add(b, func() []trial.Result { return ourWay(b, e, lib, first) })
		if err := e.closeRunners(); err != nil {
			b.Fatal(err)
		}
		warm.add(b, func() []trial.Result { return ourWay(b, e, lib, later) })
	}
	perTest := func(c cost, n int) float64 { return c.cpu.Seconds() * 1000 / float64(b.N*n) }
	p, c, w := perTest(plain, 30), perTest(cold, len(first)), perTest(warm, len(later))
	b.ReportMetric(0, "ns/op") // all ways together: says nothing
	b.ReportMetric(p, "plain-cpu-ms/test")
	b.ReportMetric(c, "first-cpu-ms/test")
	b.ReportMetric(p/c, "first-x-cpu")
	b.ReportMetric(w, "later-cpu-ms/test")
	b.ReportMetric(p/w, "later-x-cpu")
}

// TestCXXProgramOfACLibrary: a C library does not bring the C++ library along; the program does.
func TestCXXProgramOfACLibrary(t *testing.T) {
	zlib := openLibrary(t, "zlib")
	p := trial.Program{ID: "p", Lang: trial.CXX, Source: `#include <iostream>
#include <sstream>
#include <zlib.h>
int main() {
	std::ostringstream text;
	text << zlibVersion();
	try { throw text.str(); } catch (const std::string &s) { std::cout << s << "\n"; return s.empty(); }
}
`}
	results, err := newEngine(t, zlib, sandbox.DefaultLimits).Run(t.Context(), zlib.plain, []trial.Program{p}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Outcome != trial.OK {
		t.Errorf("%+v", results[0])
	}
}
