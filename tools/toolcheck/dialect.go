package toolcheck

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// dialects looks whether programs are in the language that their names say, and define something to run.
// A program that does not compile is the tool's result and no breach of the contract, unless none does.
func (c *check) dialects(ctx context.Context, programs []trial.Program) (Finding, error) {
	f := Finding{Check: "programs in C or C++"}
	dir, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	read, err := c.read(ctx, dir, programs)
	if err != nil {
		return f, err
	}
	languages, broken := map[trial.Language]bool{}, 0
	for i, p := range programs {
		languages[p.Lang] = true
		if read[i].OK {
			program, err := read[i].Program()
			if err != nil {
				return f, err
			}
			if len(program.Entries()) == 0 {
				f.Problems = append(f.Problems, fmt.Sprintf("%s defines neither main nor a function such as void test_add(void)", p.Origin))
			}
			continue
		}
		swapped := p
		swapped.Lang = map[trial.Language]trial.Language{trial.C: trial.CXX, trial.CXX: trial.C}[p.Lang]
		other, err := c.read(ctx, dir, []trial.Program{swapped})
		if err != nil {
			return f, err
		}
		if other[0].OK {
			f.Problems = append(f.Problems, fmt.Sprintf("%s is %s: name it with %s", p.Origin, strings.ToUpper(string(swapped.Lang)), swapped.Lang.Ext()))
			continue
		}
		broken++
		f.Notes = append(f.Notes, fmt.Sprintf("%s does not compile: %s", p.Origin, firstError(read[i])))
	}
	if broken == len(programs) {
		f.Problems = append(f.Problems, "none of its programs compiles")
		f.Change = append(f.Change, "compile each as the manifest says before you list it: $LISA_BENCH_CC $LISA_BENCH_CFLAGS x.c $LISA_BENCH_LDLIBS; x.cc with $LISA_BENCH_CXX")
	}
	if len(languages) > 1 {
		f.Notes = append(f.Notes, "programs in C and in C++: both are taken, each by the extension of its name")
	}
	return f, nil
}

// read reads programs as they are compiled for the library.
func (c *check) read(ctx context.Context, dir string, programs []trial.Program) ([]toolchain.Compiled, error) {
	units := make([]toolchain.Unit, len(programs))
	for i, p := range programs {
		units[i] = toolchain.Unit{ID: fmt.Sprintf("p%d", i), Lang: p.Lang, Source: p.Source}
	}
	return c.Compiler.Read(ctx, dir, toolchain.Flags{IncludeDirs: []string{c.library}, Extra: []string{"-w"}}, units)
}

// firstError returns the first of the compiler's errors on a program.
func firstError(r toolchain.Compiled) string {
	for line := range strings.Lines(r.Diagnostics) {
		if _, words, is := strings.Cut(line, "error: "); is {
			return strings.TrimSpace(words)
		}
	}
	return strings.TrimSpace(r.Diagnostics)
}
