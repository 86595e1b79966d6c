package randoop

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const clang = "/usr/lib/llvm-19/bin/clang"

// compiler reads headers.
func compiler(t testing.TB) *toolchain.Compiler {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// plainExec is the simplest executor: one compiler and one process for each program. It
// is what the generator is tested with, apart from the harness's own executor.
type plainExec struct {
	dir       string
	includes  []string
	lib, asan string // shared objects
	timeout   time.Duration
	runs      atomic.Int64
}

// buildLib compiles a library plainly and with sanitizers.
func buildLib(t testing.TB, name string, sources, flags []string) *plainExec {
	t.Helper()
	dir := t.TempDir()
	x := &plainExec{dir: dir, timeout: time.Minute,
		lib: filepath.Join(dir, "lib"+name+".so"), asan: filepath.Join(dir, "asan", "lib"+name+".so")}
	if err := os.Mkdir(filepath.Join(dir, "asan"), 0o755); err != nil {
		t.Fatal(err)
	}
	for lib, extra := range map[string][]string{x.lib: {"-O1"}, x.asan: {"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}} {
		args := append(append(append([]string{"-shared", "-fPIC", "-g", "-o", lib}, extra...), flags...), sources...)
		if out, err := exec.Command(clang, append(args, "-lm")...).CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", lib, err, out)
		}
	}
	for _, f := range flags {
		if inc, ok := strings.CutPrefix(f, "-I"); ok {
			x.includes = append(x.includes, inc)
		}
	}
	return x
}

func (x *plainExec) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 2)
	for i, p := range programs {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() == nil {
				results[i] = x.one(ctx, p, o)
			}
		})
	}
	wg.Wait()
	x.runs.Add(int64(len(programs)))
	return results, ctx.Err()
}

func (x *plainExec) one(ctx context.Context, p trial.Program, o trial.ExecOptions) trial.Result {
	r := trial.Result{ID: p.ID}
	lib, flags := x.lib, []string{"-O0", "-w"}
	if o.Sanitize {
		lib, flags = x.asan, []string{"-O0", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}
	}
	exe := filepath.Join(x.dir, fmt.Sprintf("%x-%v", sha256.Sum256([]byte(p.Source)), o.Sanitize))
	if _, err := os.Stat(exe); err != nil {
		args := slices.Concat(flags, []string{"-fuse-ld=lld", "-x", "c", "-", "-x", "none", lib, "-Wl,-rpath," + filepath.Dir(lib), "-lm", "-o", exe})
		for _, inc := range x.includes {
			args = append(args, "-I"+inc)
		}
		cmd := exec.CommandContext(ctx, clang, args...)
		cmd.Stdin = strings.NewReader(p.Source)
		if out, err := cmd.CombinedOutput(); err != nil {
			r.Outcome, r.Diagnostic = trial.CompileError, string(out)
			if strings.Contains(r.Diagnostic, "undefined symbol") {
				r.Outcome = trial.LinkError
			}
			return r
		}
	}
	for range max(o.Runs, 1) {
		if r = x.execute(ctx, p, exe, o); r.Outcome != trial.OK {
			break
		}
	}
	return r
}

var assertPattern = regexp.MustCompile(`(?m)^.*?: ([^\s:]+):(\d+): (.*?): Assertion .(.*)' failed`)

func (x *plainExec) execute(ctx context.Context, p trial.Program, exe string, o trial.ExecOptions) trial.Result {
	r := trial.Result{ID: p.ID, Outcome: trial.OK}
	work, err := os.MkdirTemp(x.dir, "work")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(work)
	ctx, cancel := context.WithTimeout(ctx, x.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	cmd.Dir = work
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC", "ASAN_OPTIONS=detect_leaks=0"}
	if o.Perturb {
		cmd.Env = append(cmd.Env, "MALLOC_PERTURB_=165", "PADDING="+strings.Repeat("x", 4321))
	}
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	r.Stdout, r.Stderr = stdout.String()[:min(stdout.Len(), 64<<10)], stderr.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.Outcome = trial.Timeout
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled():
		r.Outcome, r.Signal = trial.Crash, int(exit.Sys().(syscall.WaitStatus).Signal())
		if m := assertPattern.FindStringSubmatch(r.Stderr); m != nil {
			line, _ := strconv.Atoi(m[2])
			r.Outcome, r.Assertion = trial.Assertion, &trial.AssertionFailure{File: m[1], Line: line, Func: m[3], Expr: m[4]}
		}
	case err != nil && strings.Contains(r.Stderr, "Sanitizer"):
		r.Outcome, r.Diagnostic = trial.Crash, r.Stderr
	case err != nil:
		r.Outcome = trial.NonzeroExit
	}
	return r
}
