// Package agentspace is what an agent gets for a cell, whoever drives it: a directory with the task, documents,
// headers and a place for tests, and commands that check tests on the reference build and tell what they
// leave unnoticed.
//
//	work/TASK.md   the task, and what a test is
//	work/docs/     the library's documents
//	work/include/  its public headers
//	work/tests/    where the agent writes
//
// It consumes a trial.Job, by whose executor and runners everything is charged and journalled. It produces the
// suite: a file that passes check is kept as it is then. It refuses names that lead out of tests/, and files that are
// none of C or C++.
package agentspace

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // the task
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// The values of the parameter feedback: what gaps tells. Who takes them from an experiment refuses others.
const (
	FeedbackNone     = "none"     // there is no gaps
	FeedbackCoverage = "coverage" // what no test uses or executes
	FeedbackMutants  = "mutants"  // changes to the library that no test notices
	FeedbackAll      = "all"
)

// Needs are the builds that the commands use.
func Needs(feedback string) trial.Needs {
	return trial.Needs{Sanitizer: true, Coverage: covers(feedback), Mutants: mutates(feedback)}
}

func covers(feedback string) bool  { return feedback == FeedbackCoverage || feedback == FeedbackAll }
func mutates(feedback string) bool { return feedback == FeedbackMutants || feedback == FeedbackAll }

// A Space is the workspace of one cell. Safe for concurrent use: one command runs at a time.
type Space struct {
	dir  string
	text string // of TASK.md

	job       trial.Job
	feedback  string
	spec      *apispec.Spec
	documents knowledge.Documents
	keeper    *suspicion.Keeper
	account   *survivors.Account // nil unless mutants are told

	count   atomic.Int64       // of kept
	mu      sync.Mutex         // of all below
	checked map[string]checked // by the file's name, at its last check
	kept    []trial.Program    // the suite
	learned int                // of kept, how many were run on mutants
	covered trial.Coverage     // of kept
}

// A checked is a file as check saw it.
type checked struct {
	program trial.Program
	result  trial.Result // of the first way of running it that did not pass, else of the last
}

//go:embed task.tmpl
var taskText string

var task = template.Must(template.New("task").Parse(taskText))

// Open furnishes the directory of the job, anew if it was there: a cell that is taken up again starts over and is
// answered from its journal.
func Open(ctx context.Context, c *toolchain.Compiler, job trial.Job, feedback string) (*Space, error) {
	s := &Space{dir: filepath.Join(job.Dir, "space"), job: job, feedback: feedback, keeper: suspicion.New(job, c), checked: map[string]checked{}}
	var err error
	if s.spec, err = apispec.Load(ctx, c, job.Target); err != nil {
		return nil, err
	}
	if s.documents, err = knowledge.ReadDocuments(job.Target); err != nil {
		return nil, err
	}
	if mutates(feedback) {
		if s.account, err = survivors.Open(ctx, job.Mutants); err != nil {
			return nil, err
		}
	}
	return s, s.furnish()
}

// The directories of a space.
const (
	docsDir    = "docs"
	includeDir = "include"
	testsDir   = "tests"
)

func (s *Space) furnish() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	t := s.job.Target
	files := map[string]string{} // from where, by name in the space
	headers, err := apispec.FindHeaders(t)
	if err != nil {
		return err
	}
	for _, name := range t.Documents {
		if !slices.Contains(t.Headers, filepath.Base(name)) {
			files[filepath.Join(docsDir, name)] = filepath.Join(t.SourceDir, name)
		}
	}
	for i, path := range headers {
		files[filepath.Join(includeDir, t.Headers[i])] = path
	}
	for name, from := range files {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := s.write(name, text); err != nil {
			return err
		}
	}
	var b strings.Builder
	const mib = 1 << 20
	limits := sandbox.DefaultLimits
	// A replay has no limits of time, and a cell that is taken up again has other ones: both are to tell the same.
	budget := cmp.Or(s.job.Ledger.Budget().Untimed().String(), "no limit but of time")
	page := map[string]any{
		"Library": t.Library, "Description": t.Description, "Language": map[trial.Language]string{trial.C: "C", trial.CXX: "C++"}[t.Language],
		"Ext": t.Language.Ext(), "MaxBytes": maxSource, "Limits": limits, "MemoryMiB": limits.MemoryBytes / mib,
		"FileMiB": limits.FileBytes / mib, "Commands": s.Commands(), "Budget": budget,
	}
	if err := task.Execute(&b, page); err != nil {
		panic(err) // a programming error
	}
	s.text = b.String()
	// The agent may be another user.
	return errors.Join(s.write("TASK.md", []byte(s.text)), os.MkdirAll(s.tests(), 0o755), os.Chmod(s.tests(), 0o777))
}

func (s *Space) write(name string, text []byte) error {
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// Version is that of what an agent is told: a hash of the task's text.
func Version() string {
	sum := sha256.Sum256([]byte(taskText))
	return hex.EncodeToString(sum[:8])
}

func (s *Space) tests() string { return filepath.Join(s.dir, testsDir) }

// Root is the directory of the space, with TASK.md.
func (s *Space) Root() string { return s.dir }

// Text is that of TASK.md.
func (s *Space) Text() string { return s.text }

// Kept is how many programs are in the suite.
func (s *Space) Kept() int { return int(s.count.Load()) }

// Arguments makes the arguments of a command of the words of a shell. ok is false if there is no such command.
func (s *Space) Arguments(command string, words []string) (args string, ok bool) {
	var a arguments
	switch command {
	case "check":
		a.Files = words
	case "gaps":
		if len(words) > 0 {
			a.Number, _ = strconv.Atoi(words[0]) // what is no number is as none
		}
	case "suspect":
		if len(words) > 0 {
			a.File, a.Sentence = words[0], strings.Join(words[1:], " ")
		}
	}
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // texts and a number
	}
	return string(text), slices.ContainsFunc(s.Commands(), func(c Command) bool { return c.Name == command })
}

// A Command is what an agent may call, of the same name in a shell, as a function of a model, and over MCP.
type Command struct {
	Name, Usage, Description string
	Parameters               json.RawMessage // JSON schema of its arguments
	run                      func(context.Context, arguments) (string, error)
}

// arguments are those of all commands.
type arguments struct {
	Files    []string `json:"files"`
	Number   int      `json:"number"`
	File     string   `json:"file"`
	Sentence string   `json:"sentence"`
}

// Commands are those of the space.
func (s *Space) Commands() []Command {
	all := []Command{{
		Name: "check", Usage: "check [FILE…]",
		Description: "compile and run files of tests/ on this build; without names, all that changed since they passed. " +
			"Tells of each whether it passes or why not, and what the suite covers now. What passes is kept.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"files":{"type":"array","items":{"type":"string"},"description":"names of files in tests/; none: all that changed"}}}`),
		run:        func(ctx context.Context, a arguments) (string, error) { return s.check(ctx, a.Files) },
	}}
	if s.feedback != FeedbackNone {
		what := map[string]string{
			FeedbackCoverage: "functions and constants that no kept test uses, and code that none executes",
			FeedbackMutants:  "small changes to the library that kept tests execute and do not notice",
			FeedbackAll: "functions and constants that no kept test uses, code that none executes, and small changes to the library that " +
				"kept tests execute and do not notice",
		}[s.feedback]
		all = append(all, Command{
			Name: "gaps", Usage: "gaps [NUMBER]", Description: "list " + what + ", at most NUMBER of each kind (20 if none is given).",
			Parameters: json.RawMessage(`{"type":"object","properties":{"number":{"type":"integer","minimum":1,"maximum":100,"description":"the most of each kind; 20 if none is given"}}}`),
			run:        func(ctx context.Context, a arguments) (string, error) { return s.gaps(ctx, a.Number) },
		})
	}
	return append(all, Command{
		Name: "suspect", Usage: "suspect FILE SENTENCE",
		Description: "keep the assertion that failed at the last check of FILE for a person to look at, with the sentence of the documents that " +
			"promises what it expects, if you hold the library to be wrong. Then take it out of the test and go on.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"file":{"type":"string","description":"name of the file in tests/"},"sentence":{"type":"string","description":"the sentence, word for word"}},"required":["file","sentence"]}`),
		run:        func(ctx context.Context, a arguments) (string, error) { return s.suspect(a.File, a.Sentence) },
	})
}

// Functions are the commands as a model calls them.
func (s *Space) Functions() (list []llm.Tool) {
	for _, c := range s.Commands() {
		list = append(list, llm.NewTool(c.Name, c.Description, string(c.Parameters)))
	}
	return list
}

// Call runs a command with its arguments in JSON and returns what the agent is told. An error is of the harness or the
// end of the budget; a wrong use is told to the agent.
func (s *Space) Call(ctx context.Context, name, args string) (string, error) {
	i := slices.IndexFunc(s.Commands(), func(c Command) bool { return c.Name == name })
	if i < 0 {
		return fmt.Sprintf("there is no command %q", name), nil
	}
	var a arguments
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		return fmt.Sprintf("the arguments are not those of %s: %v", name, err), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Commands()[i].run(ctx, a)
}

// Finish checks what changed since it passed, writes the suspicions' files, and says in the job what came of the work. When
// the time is up it does the last only.
func (s *Space) Finish(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() == nil {
		if _, err = s.check(ctx, nil); err == nil {
			err = s.keeper.Shorten(ctx)
		}
	}
	if g := s.job.Generation; g != nil {
		g.Suspicions, g.Mutants = s.keeper.Suspicions(), s.account.Counts()
	}
	return err
}
