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
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// compilerDir keeps precompiled headers and the test library's objects, which all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }

var tools = sync.OnceValues(func() (*toolchain.Tools, error) { return toolchain.Find(context.Background(), nil) })

func compiler(t *testing.T) (*toolchain.Tools, *toolchain.Compiler) {
	t.Helper()
	found, err := tools()
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(found, compilerDir, testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return found, c
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	assert.NilError(t, err)
	return abs
}

// target is the tally library.
func target(t *testing.T) trial.Target {
	return trial.Target{
		Library: "tally", Language: trial.C, Description: "Adds up numbers.", Headers: []string{"tally.h"},
		IncludeDirs: []string{absolute(t, "testdata/include")}, SourceDir: absolute(t, "testdata"), SharedLib: tallyBox().Shared(t, false),
	}
}

// tallyBox is the tally library for all tests.
var tallyBox = sync.OnceValue(func() *tooltest.Box {
	found, err := tools()
	if err != nil {
		panic(err)
	}
	include, _ := filepath.Abs("testdata/include")
	return &tooltest.Box{Clang: found.Clang.Path, Dir: compilerDir, Name: "tally", Sources: []string{"testdata/tally.c"},
		IncludeDirs: []string{include}, Flags: []string{"-std=gnu17"}}
})

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
	_, c := compiler(t)
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
	suite := &tooltest.Suite{Ledger: ledger}
	g := generated{transcript: s.transcript, dir: filepath.Join(t.TempDir(), "work")}
	if g.transcript == "" {
		g.transcript = filepath.Join(t.TempDir(), llm.TranscriptFile)
	}
	tool := &Tool{Compiler: c, Models: llmtest.Open(t, *config)}
	g.stop, g.err = tool.Generate(t.Context(), trial.Job{
		Target: target(t), Params: params, Seed: 11, Dir: g.dir, Exec: tallyBox().Executor(t), Suite: suite, Ledger: ledger,
		Mutants:    tallyMutants{},
		Models:     trial.ModelAccess{Cell: "c", Transcript: g.transcript, Fresh: func() {}},
		Generation: &g.how, Log: slog.New(slog.DiscardHandler),
	})
	g.programs, g.usage = suite.Programs, ledger.Usage()
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

var seedsMade sync.Map // by directory

// writeSeeds makes a directory of seeds, the same one for the same sources. It is written once: another test
// may be reading it.
func writeSeeds(t *testing.T, sources []string) string {
	t.Helper()
	dir := filepath.Join(compilerDir, fmt.Sprintf("seeds-%x", sha256.Sum256([]byte(strings.Join(sources, "\x00"))))[:40])
	made, _ := seedsMade.LoadOrStore(dir, sync.OnceValue(func() error {
		err := os.MkdirAll(dir, 0o755)
		for i, s := range sources {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%05d.c", i+1)), []byte(s), 0o644))
		}
		return err
	}))
	assert.NilError(t, made.(func() error)())
	return dir
}

// spec is the tally library's API.
func spec(t *testing.T) *apispec.Spec {
	t.Helper()
	_, c := compiler(t)
	s, err := apispec.Load(t.Context(), c, target(t))
	assert.NilError(t, err)
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

// tallyMutants are mutants of the tally: every program comes to both, and one that asserts of the sum kills the
// second.
type tallyMutants struct{}

func (tallyMutants) Mutants(context.Context) ([]trial.Mutant, error) {
	m := trial.Mutant{ID: 1, File: "tally.c", Line: 21, Source: "t->count++;", Original: "t->count++", Mutated: "t->count--", Function: "tally_add", APIs: []string{"tally_add", "tally_inc"}}
	n := m
	n.ID, n.Line, n.APIs = 2, 22, []string{"tally_sum", "tally_add"}
	return []trial.Mutant{m, n}, nil
}

func (tallyMutants) RunMutants(_ context.Context, programs []trial.Program, ids []int) (runs trial.MutantRuns, err error) {
	for _, id := range ids {
		r := trial.MutantReach{ID: id}
		for i, p := range programs {
			r.Programs = append(r.Programs, i)
			r.Killed = r.Killed || id == 2 && strings.Contains(p.Source, "assert(sum")
		}
		runs.Reached = append(runs.Reached, r)
	}
	return runs, nil
}
