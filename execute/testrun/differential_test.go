package testrun

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/sync/errgroup"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// kinds returns the programs of an archive, n variations of each.
func kinds(t testing.TB, file string, n int) []trial.Program {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", file))
	assert.NilError(t, err)
	var programs []trial.Program
	for v := range n {
		for _, f := range archive.Files {
			src := strings.ReplaceAll(string(f.Data), "@N@", fmt.Sprint(v))
			if strings.HasPrefix(f.Name, "ok-crlf") {
				src = strings.ReplaceAll(src, "\n", "\r\n")
			}
			lang := trial.C
			if filepath.Ext(f.Name) != lang.Ext() {
				lang = trial.CXX
			}
			programs = append(programs, trial.Program{
				ID: fmt.Sprintf("%s-%d", strings.TrimSuffix(f.Name, lang.Ext()), v), Lang: lang, Source: src,
			})
		}
	}
	return programs
}

// firstError is the line of a diagnostic by which two compilations are compared.
var firstError = regexp.MustCompile(`(?m)^.*(?:fatal )?error: .*$`)

// essence is what must not depend on how a verdict was reached. Which signal a corrupted
// heap leads to depends on where things lie in memory.
func essence(r trial.Result) string {
	s := fmt.Sprintf("%s signal %d exit %d", r.Outcome, r.Signal, r.ExitCode)
	if strings.HasPrefix(r.ID, "crash-undefined") {
		s = string(r.Outcome)
	}
	if r.Assertion != nil {
		s += fmt.Sprintf(" assert %s:%d %s %q", r.Assertion.File, r.Assertion.Line, r.Assertion.Func, r.Assertion.Expr)
	}
	if r.Outcome == trial.CompileError {
		s += " " + firstError.FindString(r.Diagnostic)
	}
	return s
}

// enough is the wall limit of programs that end by themselves, and endless that of those that do not.
const (
	enough  = 10 * time.Minute
	endless = 2 * time.Second
)

// workload has one C program of each kind, by wall limit.
func workload(t *testing.T) map[time.Duration][]trial.Program {
	t.Helper()
	load := map[time.Duration][]trial.Program{enough: kinds(t, "programs.txtar", 1)}
	for _, p := range kinds(t, "slow.txtar", 1) {
		wall := enough
		if strings.HasPrefix(p.ID, "hang-") {
			wall = endless
		}
		load[wall] = append(load[wall], p)
	}
	return load
}

// tried fails if an outcome has no program.
func tried(t *testing.T, counts map[trial.Outcome]int, outcomes ...trial.Outcome) {
	t.Helper()
	for _, o := range outcomes {
		assert.Check(t, counts[o] != 0, "no program with outcome %s: the set does not try it", o)
	}
}

// TestFastWayGivesThePlainWaysVerdicts classifies the workload both ways.
func TestFastWayGivesThePlainWaysVerdicts(t *testing.T) {
	lib, counts := openLibrary(t, "cJSON"), map[trial.Outcome]int{}
	for wall, programs := range workload(t) {
		for o, n := range sameVerdicts(t, lib, wall, programs) {
			counts[o] += n
		}
	}
	tried(t, counts, trial.OK, trial.CompileError, trial.LinkError, trial.Crash, trial.Assertion, trial.Timeout, trial.NonzeroExit)
}

// sameVerdicts reports every program on which the fast way and the plain way disagree, and
// returns how often the plain way came to each outcome.
func sameVerdicts(t *testing.T, lib *testLibrary, wall time.Duration, programs []trial.Program) map[trial.Outcome]int {
	t.Helper()
	e := newEngine(t, lib, sandbox.Limits{Wall: wall, FileBytes: 16 << 20})
	fast, err := e.Run(t.Context(), lib.plain, programs, Options{})
	assert.NilError(t, err)
	covered, err := e.Run(t.Context(), lib.coverage, programs, Options{Counters: true})
	assert.NilError(t, err)
	plain := make([]trial.Result, len(programs))
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(2)
	for i, p := range programs {
		g.Go(func() error {
			results, err := e.Plain(ctx, lib.plain, p, PlainOptions{})
			if err == nil {
				plain[i] = results[0]
			}
			return err
		})
	}
	assert.NilError(t, g.Wait())
	tests, err := e.compile(t.Context(), lib.coverage, programs)
	assert.NilError(t, err)
	counts := map[trial.Outcome]int{}
	for i, p := range programs {
		counts[plain[i].Outcome]++
		if want := essence(plain[i]); essence(fast[i]) != want {
			t.Errorf("%s:\n fast way  %s\n plain way %s", p.ID, essence(fast[i]), want)
		}
		assert.Check(t, fast[i].Outcome == covered[i].Outcome,
			"%s: %s on the plain build, %s on the coverage build", p.ID, fast[i].Outcome, covered[i].Outcome)
		judgedPlain, err := e.needsPlain(lib.coverage, tests[i])
		assert.NilError(t, err)
		if ran := fast[i].Outcome.Compiled(); ran && covered[i].Counters == nil && !judgedPlain {
			t.Errorf("%s: %s and its coverage is lost", p.ID, covered[i].Outcome)
		}
	}
	t.Logf("%d programs, outcomes %v", len(programs), counts)
	return counts
}
