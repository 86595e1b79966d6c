package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// PlainOptions says how Plain runs a program.
type PlainOptions struct {
	Runs    int           // 0 means 1
	Timeout time.Duration // 0 means the engine's limit
	Stdout  bool          // keep standard output
}

// Plain compiles one program stand-alone with one call of the compiler driver and the
// static library, and runs the executable in the sandbox. One result per run; a program
// that does not compile or link has one result in all.
func (e *Engine) Plain(ctx context.Context, b *libbuild.Build, p trial.Program, o PlainOptions) ([]trial.Result, error) {
	dir, err := os.MkdirTemp(e.cfg.Dir, ".plain-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // the program, of another user, is read from it
		return nil, err
	}
	exe := filepath.Join(dir, "test")
	failed, err := e.compilePlain(ctx, dir, exe, b, p)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", p.ID, err)
	}
	if failed != nil {
		return []trial.Result{*failed}, nil
	}
	limits := e.cfg.Limits
	if o.Timeout > 0 {
		limits.Wall = o.Timeout
	}
	var results []trial.Result
	for range max(o.Runs, 1) {
		v, err := e.cfg.Sandbox.Exec(ctx, sandbox.Command{Args: []string{exe}, ReadOnly: []string{dir}, Stdout: o.Stdout, Limits: limits, Flavour: flavourOf(b)})
		if err != nil {
			return nil, fmt.Errorf("program %s: %w", p.ID, err)
		}
		results = append(results, named(sandbox.Classify(v), p, plainName+p.Lang.Ext()))
	}
	return results, nil
}

// compilePlain returns the result of a program that does not compile or link, or nil.
func (e *Engine) compilePlain(ctx context.Context, dir, exe string, b *libbuild.Build, p trial.Program) (*trial.Result, error) {
	src := plainName + p.Lang.Ext()
	if err := os.WriteFile(filepath.Join(dir, src), []byte(p.Source), 0o644); err != nil {
		return nil, err
	}
	inputs := []string{src}
	if entries := Entries(p); len(entries) > 0 && entries[0].Name != "main" {
		caller := "caller" + p.Lang.Ext()
		if err := os.WriteFile(filepath.Join(dir, caller), []byte(callerOf(entries)), 0o644); err != nil {
			return nil, err
		}
		inputs = append(inputs, caller)
	}
	flags := e.flags(b)
	flags.Extra = append(flags.Extra, "-fPIE")
	clang := e.cfg.Tools.Clang.Path
	if p.Lang == trial.CXX {
		clang = e.cfg.Tools.ClangXX.Path
	}
	args := append([]string{clang}, flags.Args()...)
	args = append(args, inputs...)
	args = append(args, b.StaticLib)
	args = append(args, b.LinkLibs...)
	args = append(args, "-lm", "-o", exe)
	if b.Variant == libbuild.Coverage {
		args = append(args, "-fprofile-instr-generate")
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir, Repeatable: true})
	var failed *toolchain.CommandError
	switch {
	case err == nil:
		return nil, nil
	case !errors.As(err, &failed) || failed.DiskFull():
		return nil, err
	}
	outcome := trial.CompileError
	if strings.Contains(string(failed.Stderr), "linker command failed") {
		outcome = trial.LinkError
	}
	res := named(trial.Result{Outcome: outcome, Diagnostic: string(failed.Stderr)}, p, plainName+p.Lang.Ext())
	return &res, nil
}

// plainName is the name of a program's file on the plain way, without its extension.
const plainName = "plain-test"

// callerOf is the main of a program that has only test functions.
func callerOf(entries []Entry) string {
	var decls, calls strings.Builder
	for _, en := range entries {
		if en.ExternC {
			decls.WriteString("#ifdef __cplusplus\nextern \"C\"\n#endif\n")
		}
		if en.ReturnsInt {
			fmt.Fprintf(&decls, "int %s(void);\n", en.Name)
			fmt.Fprintf(&calls, "    if ((status = %s()) != 0) return status;\n", en.Name)
		} else {
			fmt.Fprintf(&decls, "void %s(void);\n", en.Name)
			fmt.Fprintf(&calls, "    %s();\n", en.Name)
		}
	}
	return decls.String() + "int main(void)\n{\n    int status = 0;\n" + calls.String() + "    return status;\n}\n"
}
