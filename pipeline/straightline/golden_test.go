package straightline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// specs are the APIs of the two libraries of testdata/include, by language.
var specs = sync.OnceValues(func() (map[trial.Language]*apispec.Spec, error) {
	dir, err := filepath.Abs("testdata/include")
	if err != nil {
		return nil, err
	}
	compiler, err := newCompiler()
	if err != nil {
		return nil, err
	}
	out := map[trial.Language]*apispec.Spec{}
	for lang, header := range map[trial.Language]string{trial.C: "kv.h", trial.CXX: "shape.hh"} {
		out[lang], err = apispec.Load(context.Background(), compiler, trial.Target{
			Library: header, Language: lang, Headers: []string{header}, IncludeDirs: []string{dir}})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
})

var newCompiler = sync.OnceValues(func() (*toolchain.Compiler, error) {
	tools, err := toolchain.Find(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	return toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
})

// newChecker returns a checker of programs for the library of testdata/include in lang.
func newChecker(t testing.TB, lang trial.Language) *Checker {
	t.Helper()
	apis, err := specs()
	assert.NilError(t, err)
	compiler, err := newCompiler()
	assert.NilError(t, err)
	include, err := filepath.Abs("testdata/include")
	assert.NilError(t, err)
	return &Checker{Compiler: compiler, Flags: toolchain.Flags{IncludeDirs: []string{include}}, API: apis[lang]}
}

func check(t testing.TB, c *Checker, units ...toolchain.Unit) []Report {
	t.Helper()
	reports, err := c.Check(context.Background(), t.TempDir(), units)
	assert.NilError(t, err)
	return reports
}

// programs reads the programs of testdata in one language.
func programs(t testing.TB, lang trial.Language) []toolchain.Unit {
	t.Helper()
	files, err := filepath.Glob("testdata/programs/*" + lang.Ext())
	assert.Assert(t, err == nil && len(files) != 0, "no programs: %v", err)
	var units []toolchain.Unit
	for _, f := range files {
		text, err := os.ReadFile(f)
		assert.NilError(t, err)
		id := strings.TrimSuffix(filepath.Base(f), lang.Ext())
		units = append(units, toolchain.Unit{ID: id, Lang: lang, Source: string(text)})
	}
	return units
}

// shown is how many calls of a test a golden holds.
const shown = 25

// describe writes a report as the goldens hold it.
func describe(r Report) string {
	var b strings.Builder
	if r.Program == nil {
		return "does not compile\n"
	}
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "%-16s %s\n", v.Kind, v)
	}
	calls := r.Calls
	for _, t := range r.Program.Tests() {
		fmt.Fprintf(&b, "%s, lines %d to %d\n", t.Decl.Name, t.FirstLine, t.LastLine)
		n := 0
		for ; n < len(calls) && calls[n].Line <= t.LastLine; n++ {
			if n < shown {
				fmt.Fprintf(&b, "  %3d %s\n", calls[n].Line, calls[n].API)
			}
		}
		if n > shown {
			fmt.Fprintf(&b, "  and %d more\n", n-shown)
		}
		calls = calls[n:]
	}
	return b.String()
}

// TestGolden pins the reports on all programs of testdata, with real clang.
func TestGolden(t *testing.T) {
	for _, lang := range []trial.Language{trial.C, trial.CXX} {
		units := programs(t, lang)
		for i, r := range check(t, newChecker(t, lang), units...) {
			t.Run(units[i].File(), func(t *testing.T) {
				golden.Assert(t, describe(r), filepath.Join("programs", units[i].File()+".golden"))
			})
		}
	}
}
