package testrun

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestFastWayGivesThePlainWaysVerdictsCXX is the differential test for C++. Most
// programs share their preamble with others, so that it is precompiled.
func TestFastWayGivesThePlainWaysVerdictsCXX(t *testing.T) {
	if testing.Short() {
		t.Skip("builds RE2 and compiles some sixty programs one by one")
	}
	counts := sameVerdicts(t, openLibrary(t, "re2"), enough, kinds(t, "cxx.txtar", 1))
	tried(t, counts, trial.OK, trial.CompileError, trial.LinkError, trial.Crash, trial.Assertion, trial.NonzeroExit)
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
	assert.NilError(t, err)
	assert.Check(t, results[0].Outcome == trial.OK, "%+v", results[0])
}
