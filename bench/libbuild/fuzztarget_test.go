package libbuild

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const counterHarness = `#include "counter.h"
#include <stddef.h>
#ifndef OPTION
#error "the target's define is missing"
#endif
#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
	return counter_next((int)size) > 1000 ? data[0] : 0;
}
`

func TestFuzzTarget(t *testing.T) {
	b := newBuilder(t, t.TempDir())
	for _, name := range []string{"harness.c", "harness.cc"} {
		t.Run(name, func(t *testing.T) {
			files := changed(counterLibrary, "fuzz/"+name, "", counterHarness)
			if strings.HasSuffix(name, ".cc") {
				files["counter.h"] = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + files["counter.h"] + "#ifdef __cplusplus\n}\n#endif\n"
			}
			tr := tree(t, name, files)
			target := trial.FuzzTarget{Name: "target", Source: filepath.Join(tr.Dir, "fuzz", name), Defines: []string{"OPTION"}}
			r := Request{Library: library(), Tree: tr, Variant: Plain}
			build, err := b.FuzzTarget(t.Context(), r, target)
			assert.NilError(t, err)
			out, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{build.Executable, "-runs=100"}})
			assert.Check(t, err == nil && strings.Contains(string(out.Stderr), "Done 100 runs"),
				"%v, %s", err, out.Stderr)
			defined, _, needed, err := toolchain.Symbols(build.Replay)
			assert.Check(t, err == nil && slices.Contains(defined, "main") && slices.Contains(needed, "counter_next"),
				"replay object defines %v and needs %v, %v; want main and counter_next", defined, needed, err)
			stat, err := os.Stat(build.Executable)
			assert.NilError(t, err)
			again, err := b.FuzzTarget(t.Context(), r, target)
			assert.NilError(t, err)
			if now, err := os.Stat(again.Executable); err != nil || !now.ModTime().Equal(stat.ModTime()) {
				t.Errorf("built again instead of taken from the cache: %v", err)
			}
		})
	}
}

func TestFuzzTargetRefuses(t *testing.T) {
	cache := t.TempDir()
	b := newBuilder(t, cache)
	tr := tree(t, "tree", changed(counterLibrary, "fuzz/bad.c", "", "int LLVMFuzzerTestOneInput(void) { return nothing; }\n"))
	r := Request{Library: library(), Tree: tr}
	tests := []struct {
		name   string
		target trial.FuzzTarget
		want   string
	}{
		{"missing", trial.FuzzTarget{Name: "m", Missing: "not in this tree"}, "not in this tree"},
		{"no source", trial.FuzzTarget{Name: "n", Source: filepath.Join(tr.Dir, "none.c")}, "no such file"},
		{"does not compile", trial.FuzzTarget{Name: "b", Source: filepath.Join(tr.Dir, "fuzz/bad.c")}, "use of undeclared identifier 'nothing'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := b.FuzzTarget(t.Context(), r, tt.target)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "fuzz target "+tt.target.Name) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			var command *toolchain.CommandError
			assert.Check(t, errors.As(err, &command) == (tt.name == "does not compile"), "error %#v", err)
		})
	}
	left, err := os.ReadDir(filepath.Join(cache, "fuzz"))
	assert.Check(t, err == nil && len(left) == 0, "a failed build left %v, %v", left, err)
}
