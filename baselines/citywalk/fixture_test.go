package citywalk

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

// targets are the libraries of the tests, as the harness would show them to a tool.
func target(t *testing.T, name string) trial.Target {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", name))
	assert.NilError(t, err)
	out := trial.Target{Library: name, Language: trial.C, Description: "A stack of integers.", Headers: []string{"stack.h"},
		IncludeDirs: []string{filepath.Join(dir, "include")}, SourceDir: dir, Documents: []string{"README.md"}}
	if name == "text" {
		out.Language, out.Description, out.Headers = trial.CXX, "Trims texts.", []string{"text/trim.h"}
	}
	return out
}

func tools(t *testing.T) (*toolchain.Tools, *toolchain.Compiler) {
	t.Helper()
	found, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(found, compilerDir, testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return found, c
}

// books are the libraries as the tool reads them, which takes seconds in C++; all tests share them.
var books sync.Map

// book reads one of the libraries.
func book(t *testing.T, name string) *workbook {
	t.Helper()
	if known, ok := books.Load(name); ok {
		w := *known.(*workbook)
		return &w
	}
	_, c := tools(t)
	w, missing, err := (&Tool{Compiler: c}).read(t.Context(), target(t, name), defaultOptions())
	assert.Assert(t, err == nil && len(missing) == 0, "%v, without a definition: %v", err, missing)
	w.config.Standard, w.config.Libraries = "C++14", nil
	if name == "stack" {
		w.config.Standard, w.config.Libraries = "C99", []string{"ZLIB"}
	}
	books.Store(name, w)
	again := *w
	return &again
}

// A compilingSandbox compiles with the real compiler and runs nothing: a program says in a comment
// how it ends.
type compilingSandbox struct {
	compiler *toolchain.Compiler
	flags    toolchain.Flags
	dir      string

	mu  sync.Mutex
	ran []string
}

// compiledBefore keeps the compiler's verdicts, which all tests share, by language and source.
var compiledBefore sync.Map

// compile returns the compiler's verdict on one program.
func (b *compilingSandbox) compile(ctx context.Context, p trial.Program) (toolchain.Compiled, error) {
	key := [2]string{string(p.Lang), p.Source}
	if known, ok := compiledBefore.Load(key); ok {
		return known.(toolchain.Compiled), nil
	}
	c, err := b.compiler.Compile(ctx, b.dir, b.flags, []toolchain.Unit{{ID: p.ID, Lang: p.Lang, Source: p.Source}})
	if err != nil {
		return toolchain.Compiled{}, err
	}
	compiledBefore.Store(key, c[0])
	return c[0], nil
}

func (b *compilingSandbox) Run(ctx context.Context, programs []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	var compiled []toolchain.Compiled
	for _, p := range programs {
		c, err := b.compile(ctx, p)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, c)
	}
	var results []trial.Result
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, p := range programs {
		b.ran = append(b.ran, p.ID)
		r := trial.Result{ID: p.ID, Outcome: trial.OK}
		read, err := compiled[i].Program()
		if err != nil {
			return nil, err
		}
		switch {
		case !compiled[i].OK:
			r.Outcome, r.Diagnostic = trial.CompileError, compiled[i].Diagnostics
		case len(read.Entries()) == 0:
			r.Outcome, r.Diagnostic = trial.LinkError, "the program defines neither main nor a test function"
		case strings.Contains(p.Source, "FAILS"):
			r.Outcome = trial.Assertion
		}
		results = append(results, r)
	}
	return results, nil
}

// setting is one call of Generate.
type setting struct {
	library    string // stack or text
	params     map[string]any
	budget     trial.Budget
	config     llm.Config
	transcript string // "" for a new one
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

// sources are the suite's programs in one text.
func (g generated) sources() string {
	var b strings.Builder
	for _, p := range g.programs {
		b.WriteString(p.Source + "\f")
	}
	return b.String()
}

func generate(t *testing.T, s setting) generated {
	t.Helper()
	_, c := tools(t)
	ledger := trial.NewLedger(s.budget, trial.Usage{}, time.Now)
	suite, to := &tooltest.Suite{Ledger: ledger}, target(t, s.library)
	box := &compilingSandbox{compiler: c, dir: t.TempDir(), flags: toolchain.Flags{IncludeDirs: to.IncludeDirs}}
	g := generated{transcript: s.transcript}
	if g.transcript == "" {
		g.transcript = filepath.Join(t.TempDir(), llm.TranscriptFile)
	}
	tool := &Tool{Compiler: c, Models: llmtest.Open(t, s.config)}
	g.stop, g.err = tool.Generate(t.Context(), trial.Job{
		Target: to, Params: s.params, Seed: 11, Dir: t.TempDir(), Exec: box, Suite: suite, Ledger: ledger,
		Models:     trial.ModelAccess{Cell: "c", Transcript: g.transcript, Fresh: func() {}},
		Generation: &g.how, Log: slog.New(slog.DiscardHandler),
	})
	g.programs, g.ran = suite.Programs, box.ran
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

// A script answers a request for a test by the function that it is about, and one for a correction
// by what it is about. Requests under way together arrive in any order.
type script struct {
	mu      sync.Mutex
	tests   map[string]string // by the function's name
	fix     func(prompt string) string
	prompts []string
}

var askedFor = regexp.MustCompile("(?m)^Write one complete unit test file for the (?:function|method) `([^`]+)`")

func (s *script) model(messages []llm.Message) string {
	text := messages[len(messages)-1].Content
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts = append(s.prompts, text)
	if m := askedFor.FindStringSubmatch(text); m != nil {
		return s.tests[m[1]]
	}
	if s.fix == nil {
		return ""
	}
	return s.fix(text)
}

func (s *script) count(part string) (n int) {
	for _, p := range s.prompts {
		if strings.Contains(p, part) {
			n++
		}
	}
	return n
}

// serve is the configuration that asks the script, some requests at a time.
func serve(t *testing.T, s *script) llm.Config {
	c := llmtest.Serve(t, s.model).Config()
	c.Limits.Concurrency = 3
	return c
}

// answer wraps a program as models do.
func answer(code string) string { return "Here it is:\n```c\n" + code + "```\n" }

// The answers for the stack library: one that is right, one that the first pass mends, one for the
// second, and one for the third.
const (
	rightNew   = "#include <assert.h>\n#include <stack.h>\n\nstatic void test_zero(void)\n{\n    assert(stack_new(0) == NULL);\n}\n\nint main(void)\n{\n    test_zero();\n    return 0;\n}\n"
	openFree   = "#include <stack.h>\n#include \"src/internal.h\"\n\nvoid test_null(void)\n{\n    stack_free(NULL);\n}\n\nvoid test_twice(void)\n{\n    stack *s = stack_new(1);\n    stack_free(s);\n    stack_fr"
	wrongPush  = "#include <stack.h>\n#include <stack_extra.h>\n\nint main(void)\n{\n    stack *s = stack_new(1);\n    if (stack_push(s, 1) != STACK_OK) abort();\n    stack_free(s);\n    return 0;\n}\n"
	brokenPop  = "#include <assert.h>\n#include <stack.h>\n\nint main(void)\n{\n    int v;\n    assert(stack_pop(stack_top(), &v) == STACK_EMPTY);\n    return 0;\n}\n"
	mendedPop  = "#include <assert.h>\n#include <stack.h>\n\nint main(void)\n{\n    int v;\n    assert(stack_pop(stack_new(1), &v) == STACK_EMPTY);\n    return 0;\n}\n"
	failingPop = "#include <assert.h>\n#include <stack.h>\n\nint main(void) /* FAILS */\n{\n    int v;\n    assert(stack_pop(stack_new(1), &v) == STACK_OK);\n    return 0;\n}\n"
)

func stackScript() *script {
	return &script{
		tests: map[string]string{"stack_new": answer(rightNew), "stack_free": answer(openFree), "stack_push": answer(wrongPush), "stack_pop": answer(brokenPop)},
		fix:   func(string) string { return answer(mendedPop) },
	}
}

func passes(g trial.Generation) string {
	var parts []string
	for _, p := range g.Passes {
		parts = append(parts, fmt.Sprintf("%s %d/%d", p.Name, p.Compiled, p.Programs))
	}
	return strings.Join(parts, ", ")
}
