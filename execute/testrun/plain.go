package testrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// PlainOptions says how Plain runs a program.
type PlainOptions struct {
	Runs    int           // 0 means 1
	Timeout time.Duration // wall time; 0 means the engine's limit
	CPU     time.Duration // 0 and what is above the engine's limit mean that one
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
	limits.CPU = lower(limits.CPU, o.CPU)
	var results []trial.Result
	for range max(o.Runs, 1) {
		v, err := e.cfg.Sandbox.Exec(ctx, sandbox.Command{Program: exe, Args: []string{"test"}, Stdout: o.Stdout, Limits: limits, Flavour: flavourOf(b)})
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
	if err := os.WriteFile(filepath.Join(dir, "clock.c"), []byte(sandbox.Clock), 0o644); err != nil {
		return nil, err
	}
	inputs := []string{src, "-x", "c", "clock.c"}
	read, err := e.entries(ctx, dir, b, p)
	if err != nil {
		return nil, err
	}
	if len(read.Entries) > 0 && read.Entries[0] != mainEntry {
		if err := os.WriteFile(filepath.Join(dir, "caller.c"), []byte(callerOf(read.Entries)), 0o644); err != nil {
			return nil, err
		}
		inputs = append(inputs, "caller.c")
	}
	inputs = append(inputs, "-x", "none")
	flags := e.flags(b)
	if len(flags.Std) > 0 { // which is not for our own part in C
		objects := []string{"-c", "clock.c"}
		if slices.Contains(inputs, "caller.c") {
			objects = append(objects, "caller.c")
		}
		if err := e.cfg.Compiler.Executable(ctx, dir, trial.C, toolchain.Flags{}, objects); err != nil {
			return nil, err
		}
		inputs = []string{src}
		for _, name := range objects[1:] {
			inputs = append(inputs, strings.TrimSuffix(name, ".c")+".o")
		}
	}
	flags.Extra = append(flags.Extra, "-fPIE")
	static, err := b.Static()
	if err != nil {
		return nil, err
	}
	h, err := e.helpers(ctx, b)
	if err != nil {
		return nil, err
	}
	var with, readable []string
	if h.archive != "" {
		with, readable = append(with, h.archive), append(readable, h.archive)
	}
	if f := read.Framework; f != nil {
		if f.Main != "" && slices.Contains(read.Entries, mainEntry) { // of which nothing is taken where the program has a main
			with = append(with, f.Main)
		}
		with = append(with, f.Libs...)
	}
	args := slices.Concat(inputs, with, []string{static}, b.LinkLibs, []string{"-lm", "-o", exe})
	if b.Variant == libbuild.Coverage {
		args = append(args, "-fprofile-instr-generate")
	}
	err = e.cfg.Compiler.Executable(ctx, dir, p.Lang, flags, args, append(readable, static)...)
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
	res := named(trial.Result{Outcome: outcome, Diagnostic: toolchain.Shortened(string(failed.Stderr))}, p, plainName+p.Lang.Ext())
	return &res, nil
}

// plainName is the name of a program's file on the plain way, without its extension.
const plainName = "plain-test"

// entries returns a program with what to call in it, that is compiled the plain way: as it was compiled
// before, or as it is read now. A program that does not compile has nothing.
func (e *Engine) entries(ctx context.Context, dir string, b *libbuild.Build, p trial.Program) (*test, error) {
	flags := e.flags(b)
	flags.Sanitize = false // the same entries: one reading does for all builds with these headers
	key := testKey(e.cfg.Tools.Clang.Version, b.HeadersHash, flags, p)
	e.mu.Lock()
	t := e.read[key]
	e.mu.Unlock()
	if t != nil {
		return t, nil
	}
	if t := e.store.get(key); t != nil {
		return t, nil
	}
	r, err := e.cfg.Compiler.Read(ctx, dir, flags, []toolchain.Unit{{ID: unitName(key), Lang: p.Lang, Source: p.Source}})
	if err != nil {
		return nil, err
	}
	t = &test{}
	if r[0].OK {
		read, err := r[0].Program()
		if err != nil {
			return nil, err
		}
		t.Entries = readEntries(read)
		if len(read.TestBodies()) > 0 {
			if t.Framework = e.framework([]string{"_ZN7testing"}); len(t.Entries) == 0 {
				t.Entries = []sandbox.Entry{mainEntry}
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.read[key] = t
	return t, nil
}

// callerOf is the main, in C, of a program that has only test functions.
func callerOf(entries []sandbox.Entry) string {
	var decls, calls strings.Builder
	for _, en := range entries {
		if en.ReturnsInt {
			fmt.Fprintf(&decls, "int %s(void);\n", en.Symbol)
			fmt.Fprintf(&calls, "    if ((status = %s()) != 0) return status;\n", en.Symbol)
		} else {
			fmt.Fprintf(&decls, "void %s(void);\n", en.Symbol)
			fmt.Fprintf(&calls, "    %s();\n", en.Symbol)
		}
	}
	return decls.String() + "int main(void)\n{\n    int status = 0;\n" + calls.String() + "    return status;\n}\n"
}
