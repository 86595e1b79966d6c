package invariant

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

var tools = sync.OnceValues(func() (*toolchain.Tools, error) { return toolchain.Find(context.Background(), nil) })

func compiler(t *testing.T) (*toolchain.Tools, *toolchain.Compiler) {
	t.Helper()
	found, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	c, err := toolchain.NewCompiler(found, compilerDir, compilerDir, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found, c
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// target is the tally library.
func target(t *testing.T) trial.Target {
	return trial.Target{
		Library: "tally", Language: trial.C, Description: "Adds up numbers.", Headers: []string{"tally.h"},
		IncludeDirs: []string{absolute(t, "testdata/include")}, SourceDir: absolute(t, "testdata"), SharedLib: sharedLibrary(t, false),
	}
}

var built sync.Map

// sharedLibrary builds the tally library once.
func sharedLibrary(t *testing.T, sanitize bool) string {
	t.Helper()
	build, _ := built.LoadOrStore(sanitize, sync.OnceValue(func() string {
		lib := filepath.Join(compilerDir, fmt.Sprintf("libtally%v.so", sanitize))
		run(t, append([]string{"-shared", "-fPIC", absolute(t, "testdata/tally.c"), "-o", lib}, sanitizers(sanitize)...)...)
		return lib
	}))
	return build.(func() string)()
}

func sanitizers(on bool) []string {
	if !on {
		return nil
	}
	return []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}
}

func run(t *testing.T, args ...string) {
	t.Helper()
	found, _ := compiler(t)
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: append([]string{found.Clang.Path}, args...)}); err != nil {
		t.Fatal(err)
	}
}

// realBox compiles and runs programs on the tally library, without a sandbox: they are the
// tests' own, and what they do does not change. So each is compiled and run one way once.
type realBox struct{ t *testing.T }

var ran, compiled sync.Map // by program and way

func (b *realBox) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	var all sync.WaitGroup
	for i, p := range programs {
		all.Go(func() { results[i] = b.one(ctx, p, o) })
	}
	all.Wait()
	return results, nil
}

func (b *realBox) one(ctx context.Context, p trial.Program, o trial.ExecOptions) trial.Result {
	o.Runs = 0
	once, _ := ran.LoadOrStore(fmt.Sprintf("%s %+v", p.Source, o), sync.OnceValue(func() trial.Result { return b.execute(ctx, p, o) }))
	r := once.(func() trial.Result)()
	r.ID = p.ID
	return r
}

// compile returns an executable, or the compiler's complaint.
func (b *realBox) compile(ctx context.Context, p trial.Program, sanitize bool) (exe, complaint string) {
	once, _ := compiled.LoadOrStore(fmt.Sprintf("%v %s", sanitize, p.Source), sync.OnceValues(func() (string, string) {
		found, _ := tools()
		exe := filepath.Join(compilerDir, fmt.Sprintf("%x-%v", sha256.Sum256([]byte(p.Source)), sanitize))
		text := p.Source
		if !strings.Contains(text, "int main(") {
			text = standalone(text)
		}
		if err := os.WriteFile(exe+".c", []byte(text), 0o644); err != nil {
			b.t.Error(err)
		}
		args := append([]string{found.Clang.Path, "-std=gnu17", "-fuse-ld=lld", "-I", absolute(b.t, "testdata/include"), exe + ".c", sharedLibrary(b.t, sanitize),
			"-Wl,-rpath," + compilerDir, "-lm", "-o", exe}, sanitizers(sanitize)...)
		_, err := toolchain.Run(ctx, toolchain.Command{Args: args})
		var failed *toolchain.CommandError
		if errors.As(err, &failed) {
			return "", string(failed.Stderr)
		} else if err != nil {
			b.t.Error(err)
		}
		return exe, ""
	}))
	return once.(func() (string, string))()
}

var assertFailed = regexp.MustCompile("(?m)^.*?: .*?:(\\d+): (.*?): Assertion `(.*)' failed\\.$")

func (b *realBox) execute(ctx context.Context, p trial.Program, o trial.ExecOptions) trial.Result {
	exe, complaint := b.compile(ctx, p, o.Sanitize)
	if exe == "" {
		return trial.Result{Outcome: trial.CompileError, Diagnostic: complaint}
	}
	env := []string{"LC_ALL=C.UTF-8", "ASAN_OPTIONS=detect_leaks=0:exitcode=97:symbolize=0"}
	if o.Perturb {
		env = append(env, "MALLOC_PERTURB_=165")
	}
	out, err := toolchain.Run(ctx, toolchain.Command{Args: []string{exe}, Env: env})
	r := trial.Result{Outcome: trial.OK, Stdout: string(out.Stdout)}
	var failed *toolchain.CommandError
	if !errors.As(err, &failed) {
		return r
	}
	stderr := string(failed.Stderr)
	m := assertFailed.FindStringSubmatch(stderr)
	switch {
	case m != nil:
		line, _ := strconv.Atoi(m[1])
		r.Outcome, r.Assertion = trial.Assertion, &trial.AssertionFailure{File: p.ID, Line: line, Func: m[2], Expr: m[3]}
	case o.Sanitize:
		r.Outcome, r.Diagnostic = trial.Crash, stderr
	default:
		r.Outcome, r.Signal = trial.Crash, 11
	}
	return r
}

// memorySuite keeps programs in memory.
type memorySuite struct {
	ledger   *trial.Ledger
	programs []trial.Program
}

func (m *memorySuite) Add(p trial.Program) error {
	if stop := m.ledger.Closed(); stop != "" {
		return fmt.Errorf("%w: %s", trial.ErrBudget, stop)
	}
	m.programs = append(m.programs, p)
	m.ledger.Charge(trial.Usage{Programs: 1})
	return nil
}

// setting is one call of Generate.
type setting struct {
	model      llmtest.Model
	config     *llm.Config // instead of model
	params     map[string]any
	seeds      []string // sources for the parameter seeds
	budget     trial.Budget
	transcript string // "" for a new one
}

// A generated is what one call of Generate left.
type generated struct {
	stop       trial.StopReason
	err        error
	programs   []trial.Program
	how        trial.Generation
	transcript string
	dir        string
	usage      trial.Usage
}

func generate(t *testing.T, s setting) generated {
	t.Helper()
	found, c := compiler(t)
	if s.budget == (trial.Budget{}) {
		s.budget.LLMCalls = 1000
	}
	params := map[string]any{}
	for name, v := range s.params {
		params[name] = v
	}
	if len(s.seeds) > 0 {
		params["seeds"] = writeSeeds(t, s.seeds)
	}
	config := s.config
	if config == nil {
		served := llmtest.Serve(t, s.model).Config()
		config = &served
	}
	ledger := trial.NewLedger(s.budget, trial.Usage{}, time.Now)
	suite := &memorySuite{ledger: ledger}
	g := generated{transcript: s.transcript, dir: filepath.Join(t.TempDir(), "work")}
	if g.transcript == "" {
		g.transcript = filepath.Join(t.TempDir(), llm.TranscriptFile)
	}
	tool := &Tool{Clang: found.Clang.Path, Compiler: c, Models: llmtest.Open(t, *config)}
	g.stop, g.err = tool.Generate(t.Context(), trial.Job{
		Target: target(t), Params: params, Seed: 11, Dir: g.dir, Exec: &realBox{t}, Suite: suite, Ledger: ledger,
		Models:     trial.ModelAccess{Cell: "c", Transcript: g.transcript, Fresh: func() {}},
		Generation: &g.how, Log: slog.New(slog.DiscardHandler),
	})
	g.programs, g.usage = suite.programs, ledger.Usage()
	return g
}

func mustGenerate(t *testing.T, s setting) generated {
	t.Helper()
	g := generate(t, s)
	if g.err != nil {
		t.Fatal(g.err)
	}
	return g
}

// writeSeeds makes a directory of seeds, the same one for the same sources.
func writeSeeds(t *testing.T, sources []string) string {
	t.Helper()
	dir := filepath.Join(compilerDir, fmt.Sprintf("seeds-%x", sha256.Sum256([]byte(strings.Join(sources, "\x00"))))[:40])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, s := range sources {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%05d.c", i+1)), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// spec is the tally library's API.
func spec(t *testing.T) *apispec.Spec {
	t.Helper()
	found, _ := compiler(t)
	s, err := apispec.Load(t.Context(), found.Clang.Path, target(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// code wraps a program or step as models do.
func code(text string) string {
	return "Here it is:\n```c\n" + strings.TrimRight(text, "\n") + "\n```\n"
}

var stepBlock = regexp.MustCompile("(?s)# (?:Step|Program)\n\n```c\n(.*?\n)```")

// asked returns the step or program that a prompt shows.
func asked(messages []llm.Message) string {
	m := stepBlock.FindStringSubmatch(messages[len(messages)-1].Content)
	if m == nil {
		return ""
	}
	return m[1]
}

// isRepair reports whether a prompt asks for a repair of assertions.
func isRepair(messages []llm.Message) bool {
	return strings.Contains(messages[len(messages)-1].Content, "# What is wrong")
}

// sums is a seed of three steps.
const sums = `#include <tally.h>

void test_sequence(void)
{
    // STEP1
    tally t;
    tally_open(&t, 2);
    // STEP2
    int rc = tally_add(&t, 5);
    tally_inc(&t);
    // STEP3
    long sum = tally_sum(&t);
    (void)rc;
    (void)sum;
}
`
