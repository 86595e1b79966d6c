package toolcheck

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func newChecker(t *testing.T) Checker {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	box, err := sandbox.NewBwrap(sandbox.Config{Tools: tools, Dir: testcache.Dir("runners"), Limits: sandbox.DefaultLimits})
	assert.NilError(t, err)
	compiler, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 1, nil)
	assert.NilError(t, err)
	return Checker{Sandbox: box, Tools: tools, Compiler: compiler}
}

func TestDialects(t *testing.T) {
	c := &check{Checker: newChecker(t), library: t.TempDir()}
	assert.NilError(t, buildLibrary(t.Context(), c.Tools, c.library))
	const good = "#include \"tally.h\"\nint main(void) { return tally_total(0); }"
	for _, tt := range []struct {
		name     string
		programs []trial.Program
		problems []string
		note     string
	}{
		{"C", []trial.Program{{Lang: trial.C, Source: good, Origin: "a.c"}}, nil, ""},
		{"C++", []trial.Program{{Lang: trial.CXX, Source: good, Origin: "a.cc"}}, nil, ""},
		{"both", []trial.Program{{Lang: trial.C, Source: good, Origin: "a.c"}, {Lang: trial.CXX, Source: good, Origin: "a.cc"}}, nil, ""},
		{"C++ named as C", []trial.Program{{Lang: trial.C, Source: "#include <vector>\nint main() {}", Origin: "a.c"}}, []string{"a.c is C++: name it with .cc"}, ""},
		{"C named as C++", []trial.Program{{Lang: trial.CXX, Source: "int main(void) { int new = 0; return new; }", Origin: "a.cc"}}, []string{"a.cc is C: name it with .c"}, ""},
		{"nothing to run", []trial.Program{{Lang: trial.C, Source: "static int x;", Origin: "a.c"}}, []string{"a.c defines neither main nor a function such as void test_add(void)"}, ""},
		{"one of two broken", []trial.Program{{Lang: trial.C, Source: good, Origin: "a.c"}, {Lang: trial.C, Source: "int main(", Origin: "b.c"}}, nil, "b.c does not compile: expected parameter declarator"},
		{"all broken", []trial.Program{{Lang: trial.C, Source: "int main(", Origin: "b.c"}}, []string{"none of its programs compiles"}, "b.c does not compile"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Finding{}
			c.programs = tt.programs
			err := c.dialects(t.Context(), &f)
			assert.Check(t, err == nil && slices.Equal(f.Problems, tt.problems),
				"problems %q (%v), want %q", f.Problems, err, tt.problems)
			if notes := strings.Join(f.Notes, "\n"); !strings.Contains(notes, tt.note) || (tt.note == "") != (notes == "") {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
		})
	}
}

// TestCheckEndsInTime: a tool that never comes to an end is told so, and a check that is interrupted is no finding.
func TestCheckEndsInTime(t *testing.T) {
	k := newChecker(t)
	path := filepath.Join(t.TempDir(), "sleeps.sh")
	assert.NilError(t, os.WriteFile(path, []byte("#!/bin/sh\nsleep 1000\n"), 0o755))
	spec := experiments.ToolSpec{Name: "sleeps", External: experiments.External{Command: []string{path}, Contract: 1}}
	k.Wall = time.Second
	findings, err := k.Check(t.Context(), spec, nil)
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Problems[0], "it left no program in 1s") {
		t.Errorf("late: %+v, %v", findings, err)
	}
	interrupted, cancelNow := context.WithCancel(t.Context())
	cancelNow()
	if findings, err := k.Check(interrupted, spec, nil); err == nil {
		t.Errorf("interrupted: %+v", findings)
	}
}
