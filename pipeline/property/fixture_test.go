package property

import (
	"context"
	"fmt"
	"log/slog"
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
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// compilerDir is for what all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }

var tools = sync.OnceValues(func() (*toolchain.Tools, error) { return toolchain.Find(context.Background(), nil) })

var sharedCompiler = sync.OnceValues(func() (*toolchain.Compiler, error) {
	found, err := tools()
	if err != nil {
		return nil, err
	}
	return toolchain.NewCompiler(found, compilerDir, testcache.Dir("plugins"), 2, nil)
})

func compiler(t testing.TB) *toolchain.Compiler {
	t.Helper()
	c, err := sharedCompiler()
	assert.NilError(t, err)
	return c
}

// ringBox is the ring library for all tests.
var ringBox = sync.OnceValue(func() *tooltest.Box {
	found, err := tools()
	if err != nil {
		panic(err)
	}
	include, _ := filepath.Abs("testdata/include")
	return &tooltest.Box{Clang: found.Clang.Path, Dir: compilerDir, Name: "ring", Sources: []string{"testdata/ring.c"},
		IncludeDirs: []string{include}, Flags: []string{"-std=gnu17"}}
})

func ringTarget(t testing.TB) trial.Target {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	assert.NilError(t, err)
	return trial.Target{
		Library: "ring", Language: trial.C, Description: "A ring of bytes.", Headers: []string{"ring.h"}, Documents: []string{"include/ring.h"},
		IncludeDirs: []string{filepath.Join(dir, "include")}, SourceDir: dir, SharedLib: ringBox().Shared(t, false),
	}
}

// ringExecutor runs programs on the ring library. The box finds tests by their text, and so what
// the compiler makes of a test that is left out is done to the text first. Programs with an endless loop say so.
type ringExecutor struct{ exec trial.Executor }

var leftOut = regexp.MustCompile(`(?m)^#define (test\w*) left_out_test\w*\n`)

func (x ringExecutor) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	texts := make([]trial.Program, len(programs))
	for i, p := range programs {
		for _, m := range leftOut.FindAllStringSubmatch(p.Source, -1) {
			p.Source = regexp.MustCompile(`\b`+m[1]+`\b`).ReplaceAllString(strings.Replace(p.Source, m[0], "", 1), "left_out_"+m[1])
		}
		texts[i] = p
	}
	results, err := x.exec.Run(ctx, texts, o)
	for i := range results {
		if strings.Contains(programs[i].Source, "ENDLESS") {
			results[i] = trial.Result{ID: programs[i].ID, Outcome: trial.Timeout}
		}
	}
	return results, err
}

// A made suite is what one call of Generate left.
type made struct {
	stop     trial.StopReason
	programs []trial.Program
	how      trial.Generation
	prompts  []string
	dir      string
}

// generate runs the tool on the ring library, with a model that answers prompts.
func generate(t *testing.T, calls int64, params map[string]any, model func(prompt string) string) made {
	t.Helper()
	c := compiler(t)
	m := made{dir: t.TempDir()}
	var mu sync.Mutex
	endpoint := llmtest.Serve(t, func(messages []llm.Message) string {
		text := messages[len(messages)-1].Content
		mu.Lock()
		m.prompts = append(m.prompts, text)
		mu.Unlock()
		return model(text)
	})
	ledger := trial.NewLedger(trial.Budget{LLMCalls: calls}, trial.Usage{}, time.Now)
	suite := &tooltest.Suite{Ledger: ledger}
	tool := &Tool{Compiler: c, Models: llmtest.Open(t, endpoint.Config())}
	stop, err := tool.Generate(t.Context(), trial.Job{
		Target: ringTarget(t), Params: params, Seed: 7, Dir: m.dir, Exec: ringExecutor{ringBox().Executor(t)}, Suite: suite, Ledger: ledger,
		Mutants:    ringMutants{},
		Models:     trial.ModelAccess{Cell: "c", Transcript: filepath.Join(t.TempDir(), llm.TranscriptFile), Fresh: func() {}},
		Generation: &m.how, Log: slog.New(slog.DiscardHandler),
	})
	assert.NilError(t, err)
	m.stop, m.programs = stop, suite.Programs
	return m
}

// code wraps a program as models do.
func code(program string) string { return "Here it is:\n```c\n" + program + "\n```\n" }

// tests is a program with a test for each body, in the order of a, b, c.
func tests(bodies ...string) string {
	var b strings.Builder
	b.WriteString("#include <ring.h>\n#include \"lisa_prop.h\"\n")
	for i, body := range bodies {
		fmt.Fprintf(&b, "static void body_%[1]c(void)\n{\n    size_t size = lisa_size(\"size\", RING_MAX), n = lisa_size(\"n\", 300), i;\n    ring *r = ring_new(size);\n%[2]s    ring_free(r);\n}\nvoid test_%[1]c(void) { lisa_check(body_%[1]c, 100); }\n", 'a'+i, body)
	}
	return b.String()
}

// Bodies of tests of the ring.
const (
	countHolds = `    for (i = 0; i < n; i++) ring_put(r, (unsigned char)i);
    PROPERTY("The count is never more than the size.", ring_count(r) == (n < size ? n : size));
`
	sumFails = `    int sum = 0;
    for (i = 0; i < n; i++) if (ring_put(r, (unsigned char)i)) sum = (sum + (int)i % 256) % 256;
    PROPERTY("ring_sum returns the sum of all bytes modulo 256.", ring_sum(r) == sum);
`
	sumExcluded = `    int sum = 0;
    for (i = 0; i < n; i++) if (ring_put(r, (unsigned char)i)) sum = (sum + (int)i % 256) % 256;
    EXCLUDE("the sum is not taken modulo 256", ring_sum(r) > 255);
    PROPERTY("ring_sum returns the sum of all bytes modulo 256.", ring_sum(r) == sum);
`
	misread = `    PROPERTY("It returns -1 if the ring is empty.", ring_get(r) == 0);
    (void)n; (void)i;
`
	corrected = `    PROPERTY("It returns -1 if the ring is empty.", ring_get(r) == -1);
    (void)n; (void)i;
`
	ownJudgement = `    for (i = 0; i < n; i++) ring_put(r, 1);
    PROPERTY("by meaning: what goes in comes out", n == 0 || size == 0 || ring_get(r) == 1);
`
	cannotFail = `    for (i = 0; i < n; i++) ring_put(r, 1);
    PROPERTY("ring_free ends a ring; NULL is allowed.", ring_count(r) <= RING_MAX);
`
)

// ringMutants are mutants of the ring: every program comes to both, and one that adds zero kills the second.
type ringMutants struct{}

func (ringMutants) Mutants(context.Context) ([]trial.Mutant, error) {
	m := trial.Mutant{ID: 1, File: "ring.c", Line: 7, Source: "return r->count;", Original: "r->count", Mutated: "0", Function: "ring_count", APIs: []string{"ring_count"}}
	n := m
	n.ID, n.Line, n.Mutated = 2, 8, "(r->count) + 1"
	return []trial.Mutant{m, n}, nil
}

func (ringMutants) RunMutants(_ context.Context, programs []trial.Program, ids []int) (runs trial.MutantRuns, err error) {
	for _, id := range ids {
		r := trial.MutantReach{ID: id}
		for i, p := range programs {
			r.Programs = append(r.Programs, i)
			r.Killed = r.Killed || id == 2 && strings.Contains(p.Source, "0 + (n")
		}
		runs.Reached = append(runs.Reached, r)
	}
	return runs, nil
}
