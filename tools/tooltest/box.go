package tooltest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Box compiles programs with a small library and runs them, without a sandbox: they are a
// test's own, and what they do does not change. So each is compiled and run once for each way.
type Box struct {
	Clang       string // path of clang, or of clang++ for C++
	Dir         string // for what is compiled
	Name        string // of the library
	Sources     []string
	Built       string // a shared object to use instead of building one
	IncludeDirs []string
	Flags       []string // beside those that a program needs anyway, such as -std=gnu17 or -DBUG

	made sync.Map // what is built or run, by what it is
}

// Main is for a TestMain: it runs the tests with a new directory in *dir that they all share, as
// for precompiled headers and Box.Dir, and removes it afterwards.
func Main(m *testing.M, dir *string) {
	made, err := os.MkdirTemp("", "lisa-bench-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(made)
	*dir = made
	m.Run() // the code that it returns is the one that the test binary exits with
}

// once returns what was made of a name before, or makes it.
func once[V any](b *Box, name string, make func() V) V {
	made, _ := b.made.LoadOrStore(name, sync.OnceValue(make))
	return made.(func() V)()
}

// Shared returns the path of the library's shared object, with or without sanitizers.
func (b *Box) Shared(t testing.TB, sanitize bool) string {
	t.Helper()
	if b.Built != "" {
		return b.Built
	}
	return once(b, fmt.Sprint("library ", sanitize), func() string {
		lib := filepath.Join(b.Dir, fmt.Sprintf("lib%s%v.so", b.Name, sanitize))
		if complaint := b.compile(t.Context(), sanitize, append([]string{"-shared", "-fPIC", "-o", lib}, b.Sources...)...); complaint != "" {
			t.Errorf("build %s: %s", lib, complaint)
		}
		return lib
	})
}

// compile runs the compiler, and returns its complaint if it has one.
func (b *Box) compile(ctx context.Context, sanitize bool, args ...string) (complaint string) {
	all := append([]string{b.Clang, "-fuse-ld=lld"}, b.Flags...)
	for _, dir := range b.IncludeDirs {
		all = append(all, "-I", dir)
	}
	if sanitize {
		all = append(all, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Args: append(all, args...), Env: toolchain.TempIn(b.Dir)})
	var failed *toolchain.CommandError
	switch {
	case errors.As(err, &failed):
		return string(failed.Stderr)
	case err != nil:
		return err.Error()
	}
	return ""
}

// Executor returns an executor for one test, which builds the library if no other did.
func (b *Box) Executor(t testing.TB) trial.Executor { return boxExecutor{b, t} }

type boxExecutor struct {
	*Box
	t testing.TB
}

func (x boxExecutor) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	o.Runs = 0
	ctx = context.WithoutCancel(ctx) // the results are kept for other tests, which were not cancelled
	results := make([]trial.Result, len(programs))
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range programs {
		all.Go(func() error {
			results[i] = once(x.Box, fmt.Sprintf("run %s %+v", p.Source, o), func() trial.Result { return x.execute(ctx, p, o) })
			results[i].ID = p.ID
			return nil
		})
	}
	return results, all.Wait()
}

var (
	testFunction = regexp.MustCompile(`(?m)^\s*(?:extern\s+"C"\s+)?(?:int|void)\s+(test\w*)\s*\(\s*(?:void)?\s*\)\s*\{`)
	assertFailed = regexp.MustCompile("(?m)^.*?: .*?:(\\d+): (.*?): Assertion `(.*)' failed\\.$")
)

// execute compiles a program and runs it. One without a main gets a main that calls its tests.
func (x boxExecutor) execute(ctx context.Context, p trial.Program, o trial.ExecOptions) trial.Result {
	text := p.Source
	if !strings.Contains(text, "int main(") {
		text += "\nint main(void)\n{\n"
		for _, m := range testFunction.FindAllStringSubmatch(p.Source, -1) {
			text += "    " + m[1] + "();\n"
		}
		text += "    return 0;\n}\n"
	}
	exe := filepath.Join(x.Dir, fmt.Sprintf("%x-%v", sha256.Sum256([]byte(p.Source)), o.Sanitize))
	complaint := once(x.Box, "compile "+exe, func() string {
		if err := os.WriteFile(exe+p.Lang.Ext(), []byte(text), 0o644); err != nil {
			x.t.Error(err)
		}
		lib := x.Shared(x.t, o.Sanitize)
		return x.compile(ctx, o.Sanitize, "-w", exe+p.Lang.Ext(), lib, "-Wl,-rpath,"+filepath.Dir(lib), "-lm", "-o", exe)
	})
	if complaint != "" {
		return trial.Result{Outcome: trial.CompileError, Diagnostic: complaint}
	}
	env := []string{"LC_ALL=C.UTF-8", "ASAN_OPTIONS=detect_leaks=0:exitcode=97:symbolize=0"}
	if o.Perturb {
		env = append(env, "MALLOC_PERTURB_=165")
	}
	out, err := toolchain.Run(ctx, toolchain.Command{Args: []string{exe}, Env: env})
	var failed *toolchain.CommandError
	if !errors.As(err, &failed) {
		return trial.Result{Outcome: trial.OK, Stdout: string(out.Stdout), Stderr: string(out.Stderr)}
	}
	r := trial.Result{Outcome: trial.Crash, Stdout: string(failed.Stdout), Stderr: string(failed.Stderr), Diagnostic: string(failed.Stderr)}
	if m := assertFailed.FindStringSubmatch(r.Stderr); m != nil {
		line, _ := strconv.Atoi(m[1])
		r.Outcome, r.Diagnostic = trial.Assertion, ""
		r.Assertion = &trial.AssertionFailure{File: p.ID, Line: line, Func: m[2], Expr: m[3]}
	} else if !o.Sanitize {
		r.Signal = int(failed.Signal)
	}
	return r
}
