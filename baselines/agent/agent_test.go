package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/toolcall"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// A sandbox runs nothing: a program says in its source how it ends.
type sandbox struct{}

func (sandbox) Run(_ context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	var results []trial.Result
	for _, p := range programs {
		r := trial.Result{ID: p.ID, Outcome: trial.OK, WallMs: 4}
		switch {
		case strings.Contains(p.Source, "nope"):
			r.Outcome, r.Diagnostic = trial.CompileError, p.ID+":7:2: error: call to undeclared function 'nope'\n"
		case strings.Contains(p.Source, "== 4"):
			r.Outcome, r.Assertion = trial.Assertion, &trial.AssertionFailure{Line: 3, Expr: "bell_ring(3) == 4"}
		case strings.Contains(p.Source, "leak") && o.Sanitize:
			r.Outcome, r.Stderr = trial.Crash, "ERROR: LeakSanitizer"
		}
		results = append(results, r)
	}
	return results, nil
}

// feedback covers a line for each program and more, and has a mutant for each, which the next one kills.
type feedback struct{ more int }

func (f feedback) Cover(_ context.Context, programs []trial.Program, all bool) (trial.Covered, error) {
	c := trial.Covered{Coverage: trial.Coverage{LinesCovered: len(programs) + f.more, LinesTotal: 9}}
	if all {
		at := trial.Uncalled{File: "bell.c", Line: 5, Function: "bell_reset"}
		c.Uncovered = &trial.Uncovered{Functions: []trial.Uncalled{at}, Branches: []trial.Untaken{{Uncalled: trial.Uncalled{File: "bell.c", Line: 9, Function: "ring"}}}}
	}
	return c, nil
}

func (feedback) Mutants(context.Context) ([]trial.Mutant, error) {
	return []trial.Mutant{{ID: 1, File: "bell.c", Line: 9, Source: "if (n > 3)", Original: "n > 3", Mutated: "0", Function: "ring", APIs: []string{"bell_ring"}}}, nil
}

func (feedback) RunMutants(_ context.Context, programs []trial.Program, ids []int) (runs trial.MutantRuns, err error) {
	for _, id := range ids {
		runs.Reached = append(runs.Reached, trial.MutantReach{ID: id, Programs: []int{0}, Killed: len(programs) > 1})
	}
	return runs, nil
}

func target(dir string) trial.Target {
	return trial.Target{Library: "bell", Description: "a bell", Language: trial.C, Headers: []string{"bell.h"}, IncludeDirs: []string{dir}, SourceDir: dir,
		Documents: []string{"bell.txt"}}
}

// calls is an answer that calls functions, each with its arguments.
func calls(list ...[2]string) string {
	var all []map[string]any
	for i, c := range list {
		all = append(all, map[string]any{"id": fmt.Sprintf("c%d", i), "function": map[string]string{"name": c[0], "arguments": c[1]}})
	}
	text, err := json.Marshal(map[string]any{"tool_calls": all})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func writing(name, source string) [2]string {
	text, err := json.Marshal(map[string]string{"file": name, "text": source})
	if err != nil {
		panic(err)
	}
	return [2]string{"write", string(text)}
}

func compiler(t *testing.T) *toolchain.Compiler {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return c
}

func TestConformance(t *testing.T) {
	c := compiler(t)
	tooltest.Run(t, tooltest.Subject{
		Source: "testdata", Target: target, Exec: sandbox{}, Params: map[string]any{"feedback": "none"},
		New: func(_ tooltest.T, models *llm.Models) tooltest.Generator { return &Tool{Compiler: c, Models: models} },
		Answer: func(m []llm.Message) string {
			return calls(writing(fmt.Sprintf("t%d.c", len(m)), fmt.Sprintf("int test_%d(void) { return 0; }\n", len(m))), [2]string{"check", ""})
		},
	})
}

// work has one cell's conversation: turns are the model's answers, then it is done. It returns what the model was asked last.
func work(t *testing.T, params map[string]any, turns ...string) (*toolcall.Call, []llm.Message) {
	t.Helper()
	dir := t.TempDir()
	var last []llm.Message
	c, err := toolcall.New(dir, "testdata", target, trial.Budget{LLMCalls: 50}, func(m []llm.Message) string {
		if last = m; len(turns) == 0 {
			return calls([2]string{"done", "{}"})
		}
		answer := turns[0]
		turns = turns[1:]
		return answer
	})
	assert.NilError(t, err)
	c.Job.Params, c.Job.Exec, c.Job.Coverage, c.Job.Mutants = params, sandbox{}, feedback{}, feedback{}
	tool := &Tool{Compiler: compiler(t)}
	c.Run(t.Context(), func(ctx context.Context, job trial.Job, models *llm.Models) (trial.StopReason, error) {
		tool.Models = models
		return tool.Generate(ctx, job)
	})
	assert.Assert(t, c.Err == nil && c.Stop == trial.StopExhausted, "ended with %q, %v", c.Stop, c.Err)
	return c, last
}

func words(messages []llm.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "--- %s %s\n%s\n", m.Role, m.ToolCallID, m.Content)
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&b, "%s: %s(%s)\n", c.ID, c.Function.Name, c.Function.Arguments)
		}
	}
	return b.String()
}

// TestConversation holds a conversation that uses everything against what it was told, which is what recorded ones depend on.
func TestConversation(t *testing.T) {
	c, last := work(t, nil,
		calls([2]string{"read", `{"file":"docs/bell.txt"}`}, [2]string{"search", `{"pattern":"RINGS"}`}),
		calls(writing("good.c", "int main(void) { return 0; }\n"), writing("bad.c", "nope();\n"), writing("tests/wrong.c", "assert(bell_ring(3) == 4);\n"),
			writing("leak.c", "leak();\n"), [2]string{"check", ""}),
		calls([2]string{"suspect", `{"file":"wrong.c","sentence":"It returns how often it has rung since bell_reset."}`}, [2]string{"gaps", `{"number":3}`}),
		"I think.",
		calls(writing("more.c", "int main(void) { return bell_ring(0); }\n"), [2]string{"check", `{"files":["more.c","good.c"]}`}, [2]string{"gaps", ""}),
		calls([2]string{"check", ""}, [2]string{"check", "{"}, [2]string{"fly", "{}"}, writing("../x.c", ""), [2]string{"read", `{"file":"../../bugs.yaml"}`},
			[2]string{"check", `{"files":["../x.c","none.c"]}`}),
	)
	golden.Assert(t, words(last), "conversation.golden")
	var names []string
	for _, p := range c.Suite.Programs {
		names = append(names, p.ID+" "+p.Origin)
	}
	if want := []string{"p00001 tests/good.c", "p00002 tests/more.c"}; !slices.Equal(names, want) {
		t.Errorf("the suite is %q, want %q", names, want)
	}
	g := c.Job.Generation
	if len(g.Suspicions) != 1 || g.Suspicions[0].Document == "" || g.Mutants == nil || len(g.Answers) == 0 || c.Peeked() || len(c.Touched) > 0 {
		t.Errorf("generation %+v, peeked %v, touched %q", g, c.Peeked(), c.Touched)
	}

	sameReplay(t, c, trial.Budget{LLMCalls: 50})
}

// sameReplay wants a replay to make the same suite, and to ask for nothing else, also where other code is covered.
func sameReplay(t *testing.T, c *toolcall.Call, budget trial.Budget) {
	t.Helper()
	transcript, err := os.ReadFile(c.Job.Models.Transcript)
	assert.NilError(t, err)
	again, err := toolcall.New(t.TempDir(), "testdata", target, budget, nil)
	assert.NilError(t, err)
	again.Job.Exec, again.Job.Coverage, again.Job.Mutants = sandbox{}, feedback{more: 1}, feedback{}
	again.Run(t.Context(), func(ctx context.Context, job trial.Job, _ *llm.Models) (trial.StopReason, error) {
		return (&Tool{Compiler: compiler(t), Models: llmtest.Replay(t, string(transcript))}).Generate(ctx, job)
	})
	replayed, err := os.ReadFile(again.Job.Models.Transcript)
	if again.Err != nil || err != nil || again.Suite.Text() != c.Suite.Text() || string(replayed) != string(transcript) {
		t.Errorf("the replay ended with %v, %v; same suite %v", again.Err, err, again.Suite.Text() == c.Suite.Text())
	}
}

// TestInterrupted: a cell that is ended at any request to its model and taken up again makes the same suite, and pays
// for no answer twice. It has a limit of time, which its replay has not.
func TestInterrupted(t *testing.T) {
	turns := []string{
		calls(writing("good.c", "int main(void) { return 0; }\n"), [2]string{"check", ""}),
		calls([2]string{"gaps", ""}),
		calls(writing("wrong.c", "assert(bell_ring(3) == 4);\n"), [2]string{"check", ""}),
		calls(writing("more.c", "int main(void) { return bell_ring(0); }\n"), [2]string{"check", ""}),
		calls([2]string{"done", "{}"}),
	}
	answer := func(messages []llm.Message) string {
		n := 0
		for _, m := range messages {
			if m.Role == "assistant" {
				n++
			}
		}
		return turns[n]
	}
	budget := trial.Budget{LLMCalls: 50, Wall: time.Hour}
	tool := &Tool{Compiler: compiler(t)}
	want := ""
	for at := range len(turns) + 1 { // the first run is not ended
		c, err := toolcall.New(t.TempDir(), "testdata", target, budget, answer)
		assert.NilError(t, err)
		c.Job.Exec, c.Job.Coverage, c.Job.Mutants, tool.Models = sandbox{}, feedback{}, feedback{}, c.Models
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		c.Asked = func() {
			if asked++; asked == at {
				cancel()
			}
		}
		c.Run(ctx, func(ctx context.Context, job trial.Job, _ *llm.Models) (trial.StopReason, error) {
			return tool.Generate(ctx, job)
		})
		cancel()
		if at == 0 {
			want = c.Suite.Text()
			assert.Assert(t, c.Err == nil && len(c.Suite.Programs) == 2, "ended with %v, suite %q", c.Err, want)
			sameReplay(t, c, budget.Untimed())
			continue
		}
		ledger := trial.NewLedger(budget, trial.Usage{}, time.Now)
		suite := &toolcall.Suite{Ledger: ledger}
		job := c.Job
		job.Ledger, job.Suite, job.Generation = ledger, suite, new(trial.Generation)
		if _, err := tool.Generate(t.Context(), job); err != nil || suite.Text() != want || asked > len(turns)+1 {
			t.Errorf("ended at request %d (%v) and taken up: %v, asked %d times, suite %q", at, c.Err, err, asked, suite.Text())
		}
	}
}

// TestFull: when a conversation is full, old results go first; if that is not enough, the model's summary begins a new one.
func TestFull(t *testing.T) {
	read := calls([2]string{"read", `{"file":"docs/bell.txt"}`})
	long := calls(writing("long.c", "/* "+strings.Repeat("x", 20_000)+" */ nope();\n"))
	var turns []string
	for range 12 {
		turns = append(turns, long, read)
	}
	_, last := work(t, map[string]any{"context": 8000}, append(turns, "My notes: the bell rings.", "My notes: the bell rings.")...)
	text := words(last)
	if size := len(text); size > 60_000 || !strings.Contains(text, "My notes: the bell rings.") {
		t.Errorf("the last request has %d bytes:\n%.3000s", size, text)
	}
	_, last = work(t, map[string]any{"context": 8000}, slices.Repeat([]string{calls(slices.Repeat([][2]string{{"read", `{"file":"include/bell.h"}`}}, 12)...)}, 12)...)
	if text := words(last); !strings.Contains(text, cutMark) || strings.Contains(text, "begins") || !strings.HasSuffix(strings.TrimSpace(last[len(last)-1].Content), "]") {
		t.Errorf("results were not cut:\n%.3000s", text)
	}
}

func TestSettings(t *testing.T) {
	for _, params := range []map[string]any{{"feedback": "some"}, {"context": 5}, {"turns": 3}} {
		if _, err := (&Tool{}).Settings(params); err == nil {
			t.Errorf("%v was taken", params)
		}
	}
	if n := (&Tool{}).Needs(map[string]any{"feedback": "coverage"}); n.Mutants || !n.Coverage || !n.Sanitizer {
		t.Errorf("needs %+v", n)
	}
}
