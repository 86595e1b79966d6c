package sequence

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
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

// compilerDir keeps precompiled headers, which all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }

// fakeSandbox runs nothing: a program says in a comment how it ends. What clang says of it
// (the policy, the calls) is real.
type fakeSandbox struct {
	mu  sync.Mutex
	ran []string // ids, with " sanitized" for such runs
}

func (f *fakeSandbox) Run(_ context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var results []trial.Result
	for _, p := range programs {
		r := trial.Result{ID: p.ID, Outcome: trial.OK}
		switch {
		case strings.Contains(p.Source, "nope"):
			r.Outcome, r.Diagnostic = trial.CompileError, p.ID+".c:7:2: error: call to undeclared function 'nope'\n"
		case strings.Contains(p.Source, "CRASH") && o.Sanitize:
			r.Outcome, r.Diagnostic = trial.Crash, "==1==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x55 in counter_value counter.c:9\n"
		case strings.Contains(p.Source, "CRASH"):
			r.Outcome, r.Signal = trial.Crash, 11
		}
		id := p.ID
		if o.Sanitize {
			id += " sanitized"
		}
		f.ran = append(f.ran, id)
		results = append(results, r)
	}
	return results, nil
}

// A generated is what one call of Generate left.
type generated struct {
	stop       trial.StopReason
	err        error
	programs   []trial.Program
	how        trial.Generation
	transcript string
	ran        []string
}

// setting is one call of Generate.
type setting struct {
	params     map[string]any
	budget     trial.Budget
	config     llm.Config
	vanilla    bool
	transcript string // "" for a new one
	rules      []trial.Rule
}

func compiler(t *testing.T) (*toolchain.Tools, *toolchain.Compiler) {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, compilerDir, testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return tools, c
}

// generate makes a suite for the counter library.
func generate(t *testing.T, s setting) generated {
	t.Helper()
	include, err := filepath.Abs("testdata/include")
	assert.NilError(t, err)
	_, c := compiler(t)
	ledger := trial.NewLedger(s.budget, trial.Usage{}, time.Now)
	suite, box := &tooltest.Suite{Ledger: ledger}, &fakeSandbox{}
	g := generated{transcript: s.transcript}
	if g.transcript == "" {
		g.transcript = filepath.Join(t.TempDir(), llm.TranscriptFile)
	}
	tool := &Tool{Compiler: c, Models: llmtest.Open(t, s.config), Vanilla: s.vanilla}
	g.stop, g.err = tool.Generate(t.Context(), trial.Job{
		Target: trial.Target{
			Library: "counter", Language: trial.C, Description: "A counter that never goes below zero.",
			Headers: []string{"counter.h"}, IncludeDirs: []string{include}, SourceDir: include, ExcludedAPIs: []string{"counter_dump"},
			Rules: s.rules,
		},
		Params: s.params, Seed: 11, Dir: t.TempDir(), Exec: box, Suite: suite, Ledger: ledger,
		Models:     trial.ModelAccess{Cell: "c", Transcript: g.transcript, Fresh: func() {}},
		Generation: &g.how, Log: slog.New(slog.DiscardHandler),
	})
	g.programs, g.ran = suite.Programs, box.ran
	return g
}

// mustGenerate fails the test on an error.
func mustGenerate(t *testing.T, s setting) generated {
	t.Helper()
	g := generate(t, s)
	if g.err != nil {
		t.Fatal(g.err)
	}
	return g
}

// answer wraps a program as models do.
func answer(code string) string { return "Here it is:\n```c\n" + code + "```\n" }

// body is a program of the counter library with those statements.
func body(statements string) string {
	return "#include <counter.h>\n\nvoid test_sequence(void) {\n    // STEP1\n    counter *c = counter_new(1);\n" + statements + "    counter_free(c);\n}\n"
}

const (
	addsTwice = "    counter_add(c, 2);\n    counter_add(c, 3);\n"
	adds      = "    counter_add(c, 4);\n"
	unknown   = "    nope(c);\n"
	loops     = "    for (int i = 0; i < 3; i++) counter_reset(c);\n"
	crashes   = "    counter_value(0); /* CRASH */\n"
)

// A script answers new prompts with answers in turn, as they arrive, and a repair by what it is
// about. Requests under way together arrive in any order.
type script struct {
	mu      sync.Mutex
	answers []string
	repair  func(program string) string
	rule    string
	prompts []string // in the order of arrival
}

func (s *script) model(messages []llm.Message) string {
	text := messages[len(messages)-1].Content
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts = append(s.prompts, text)
	switch {
	case strings.Contains(text, "keep failing in the same way"):
		return s.rule
	case strings.Contains(text, "fails. Write a corrected version"):
		return s.repair(text)
	}
	a := s.answers[0]
	s.answers = append(s.answers[1:], a) // again from the start when they are used up
	return a
}

// kinds counts the prompts of each kind.
func (s *script) kinds() map[string]int {
	n := map[string]int{}
	for _, p := range s.prompts {
		switch {
		case strings.Contains(p, "keep failing in the same way"):
			n["rule"]++
		case strings.Contains(p, "fails. Write a corrected version"):
			n["repair"]++
		default:
			n["sequence"]++
		}
	}
	return n
}

func serve(t *testing.T, s *script) llm.Config {
	return llmtest.Serve(t, s.model).Config()
}

func outcomes(a trial.Attempts) string {
	return fmt.Sprintf("%d programs, %d refused, %d compiled, %d executed", a.Programs, a.Refused, a.Compiled, a.Executed)
}

func answerCounts(g trial.Generation) string {
	counts := map[string]int{}
	for _, a := range g.Answers {
		counts[a.Stage+" "+a.Outcome] = a.Count
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprint(k, " ", counts[k]))
	}
	return strings.Join(parts, ", ")
}
