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
func (c *check) dialects(ctx context.Context, f *Finding) error {
	dir, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	languages, broken := map[trial.Language]bool{}, 0
	for _, p := range c.programs {
		languages[p.Lang] = true
		read, err := c.read(ctx, dir, p, p.Lang)
		if err != nil {
			return err
		}
		if read.OK {
			program, err := read.Program()
			if err != nil {
				return err
			}
			if len(program.Entries()) == 0 {
				f.problemf("%s defines neither main nor a function such as void test_add(void)", p.Origin)
			}
			continue
		}
		otherwise := map[trial.Language]trial.Language{trial.C: trial.CXX, trial.CXX: trial.C}[p.Lang]
		other, err := c.read(ctx, dir, p, otherwise)
		switch {
		case err != nil:
			return err
		case other.OK:
			f.problemf("%s is %s: name it with %s", p.Origin, strings.ToUpper(string(otherwise)), otherwise.Ext())
		default:
			broken++
			f.Notes = append(f.Notes, fmt.Sprintf("%s does not compile: %s", p.Origin, firstError(read)))
		}
	}
	if broken == len(c.programs) {
		f.problemf("none of its programs compiles")
		f.Change = append(f.Change, "compile each as the manifest says before you list it: $LISA_BENCH_CC $LISA_BENCH_CFLAGS x.c $LISA_BENCH_LDLIBS; x.cc with $LISA_BENCH_CXX")
	}
	if len(languages) > 1 {
		f.Notes = append(f.Notes, "programs in C and in C++: both are taken, each by the extension of its name")
	}
	return nil
}

// read reads a program as it is compiled for the library in a language.
func (c *check) read(ctx context.Context, dir string, p trial.Program, lang trial.Language) (toolchain.Compiled, error) {
	flags := toolchain.Flags{IncludeDirs: []string{c.library}, Extra: []string{"-w"}}
	all, err := c.Compiler.Read(ctx, dir, flags, []toolchain.Unit{{ID: "p", Lang: lang, Source: p.Source}})
	if err != nil {
		return toolchain.Compiled{}, err
	}
	return all[0], nil
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
