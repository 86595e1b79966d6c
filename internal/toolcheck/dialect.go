package toolcheck

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/tooltest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// dialects looks whether programs are in the language that their names say, and define something to run.
// A program that does not compile is the tool's result and no breach of the contract, unless none does.
func (c *check) dialects(ctx context.Context, programs []trial.Program) (tooltest.Finding, error) {
	f := tooltest.Finding{Check: "programs in C or C++"}
	dir, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	languages, broken := map[trial.Language]bool{}, 0
	for _, p := range programs {
		languages[p.Lang] = true
		words, err := c.compiles(ctx, dir, p)
		if err != nil {
			return f, err
		}
		if words == "" {
			if len(testrun.Entries(p)) == 0 {
				f.Problems = append(f.Problems, fmt.Sprintf("%s defines neither main nor a function such as void test_add(void)", p.Origin))
			}
			continue
		}
		other := p
		other.Lang = map[trial.Language]trial.Language{trial.C: trial.CXX, trial.CXX: trial.C}[p.Lang]
		otherWords, err := c.compiles(ctx, dir, other)
		if err != nil {
			return f, err
		}
		if otherWords == "" {
			f.Problems = append(f.Problems, fmt.Sprintf("%s is %s: name it with %s", p.Origin, strings.ToUpper(string(other.Lang)), other.Lang.Ext()))
			continue
		}
		broken++
		f.Notes = append(f.Notes, fmt.Sprintf("%s does not compile: %s", p.Origin, words))
	}
	if broken == len(programs) {
		f.Problems = append(f.Problems, "none of its programs compiles")
	}
	if len(languages) > 1 {
		f.Notes = append(f.Notes, "programs in C and in C++: both are taken, each by the extension of its name")
	}
	return f, nil
}

// compiles returns the compiler's first error; "" if there is none.
func (c *check) compiles(ctx context.Context, dir string, p trial.Program) (string, error) {
	compiler := c.Tools.Clang.Path
	if p.Lang == trial.CXX {
		compiler = c.Tools.ClangXX.Path
	}
	file := filepath.Join(dir, "program"+p.Lang.Ext())
	if err := os.WriteFile(file, []byte(p.Source), 0o644); err != nil {
		return "", err
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Args: []string{compiler, "-w", "-fsyntax-only", "-I" + c.library, file}, Dir: dir})
	var failed *toolchain.CommandError
	if !errors.As(err, &failed) {
		return "", err
	}
	for line := range strings.Lines(string(failed.Stderr)) {
		if _, words, is := strings.Cut(line, "error: "); is {
			return strings.TrimSpace(words), nil
		}
	}
	return failed.Error(), nil
}
