package genloop_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// words is an executor that runs nothing: a program ends as a word in it says.
type words struct{}

func (words) Run(_ context.Context, programs []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		results[i] = trial.Result{ID: p.ID, Outcome: outcome(p.Source)}
	}
	return results, nil
}

func outcome(source string) trial.Outcome {
	switch {
	case strings.Contains(source, "BROKEN"):
		return trial.CompileError
	case strings.Contains(source, "CRASH"):
		return trial.Crash
	}
	return trial.OK
}

// scripted is a job with a model that gives answers in turn.
func scripted(answers ...string) (job trial.Job, models *llm.Models, end func()) {
	dir, err := os.MkdirTemp("", "genloop-")
	if err != nil {
		panic(err)
	}
	models = provider.Scripted(func([]llm.Message) string {
		a := answers[0]
		answers = answers[1:]
		return a
	})
	return newJob(trial.Budget{LLMCalls: 100}, filepath.Join(dir, llm.TranscriptFile)), models, func() { _ = os.RemoveAll(dir) }
}

func newJob(b trial.Budget, transcript string) trial.Job {
	ledger := trial.NewLedger(b, trial.Usage{}, func() time.Time { return time.Time{} })
	return trial.Job{
		Target: trial.Target{Library: "sums", Language: trial.C}, Seed: 7, Exec: words{},
		Suite: &tooltest.Suite{Ledger: ledger}, Ledger: ledger, Log: slog.New(slog.DiscardHandler), Generation: new(trial.Generation),
		Models: trial.ModelAccess{Cell: "c", Transcript: transcript, Fresh: func() {}},
	}
}

// A plan is a generator of the tests: what it asks, and what the model answers.
type plan struct {
	fresh    int                        // new items that a round asks for
	rounds   int                        // that ask for new items; 0: every one
	answer   func(prompt string) string // of the model; nil: "good" for every question
	repairs  int
	barren   int
	opinions bool                                             // ask what to do with what fails, before it is repaired
	excludes bool                                             // take BROKEN out by itself
	check    func(ctx context.Context, l *trial.Ledger) error // beside what the words of programs say
	budget   trial.Budget
	config   *llm.Config // instead of a model
	jobs     int         // requests at once
}

type (
	item     = genloop.Item[state]
	question = genloop.Question[state]
	round    = genloop.Round[state]
)

// state is the plan's own of an item.
type state struct{ opinion string }

// A run is a plan at work, and what is seen of it.
type run struct {
	plan
	job trial.Job

	mu      sync.Mutex
	prompts []string // that reached the model
	groups  []string // that were checked, by their sources
	settled []string // in order
	ended   []string // rounds
	stop    trial.StopReason
	err     error
}

var planPrompts = genloop.ParsePrompts(fstest.MapFS{
	"prompts/system.tmpl": {Data: []byte("{{.LanguageName}}")},
	"prompts/user.tmpl":   {Data: []byte("{{.Text}}")},
})

type planPage struct {
	genloop.Page
	Text string
}

func (r *run) Check(ctx context.Context, items []*item) error {
	var sources []string
	for _, it := range items {
		sources = append(sources, strings.TrimSpace(it.Source))
		it.Outcome = outcome(it.Source)
	}
	r.groups = append(r.groups, strings.Join(sources, ","))
	if r.check != nil {
		return r.check(ctx, r.job.Ledger)
	}
	return nil
}

func (r *run) Ask(_ context.Context, now *round) ([]question, error) {
	var list []question
	ask := func(stage, text string, it *item, read func(llm.Answer) (llm.Outcome, bool)) {
		list = append(list, question{
			ID: fmt.Sprintf("r%02d-%02d-%s", now.N, len(list), stage), Stage: stage, Prompt: "user",
			Page: planPage{genloop.PageOf(r.job.Target), text}, Item: it, Read: read,
		})
	}
	for _, it := range now.Waiting {
		if r.opinions && it.Data.opinion == "" {
			ask("opinion", "opinion of "+it.ID+": "+it.Source, it, func(a llm.Answer) (llm.Outcome, bool) {
				it.Data.opinion = a.Text
				if a.Text == "repair" {
					now.Again(it)
				}
				return a.Outcome, false
			})
			continue
		}
		ask("repair", fmt.Sprintf("repair %d of %s: %s", it.Repairs, it.ID, it.Source), it, nil)
	}
	if r.rounds == 0 || now.N <= r.rounds {
		for i := range now.Room(r.fresh) {
			ask("new", fmt.Sprintf("new %d.%d", now.N, i), &item{}, nil)
		}
	}
	return list, nil
}

func (r *run) Mend(it *item) (bool, error) {
	before := it.Source
	if r.excludes {
		it.Source = strings.Replace(it.Source, "BROKEN", "", 1)
	}
	return it.Source != before, nil
}

func (r *run) Settle(now *round, it *item) error {
	r.settled = append(r.settled, fmt.Sprintf("%s %s last=%v", it.ID, it.Outcome, now.Last))
	if it.Outcome != trial.OK {
		switch {
		case r.opinions && it.Data.opinion == "" && !now.Last:
			now.Wait(it)
			return nil
		case now.Again(it):
			return nil
		}
	}
	return now.Keep(it, trial.Program{Lang: trial.C, Source: it.ID + " " + it.Source})
}

func (r *run) End(_ context.Context, now *round) error {
	r.ended = append(r.ended, fmt.Sprintf("%d last=%v first=%d final=%d kept=%d", now.N, now.Last, now.First.Programs, now.Final.Programs, now.Programs))
	return nil
}

// code is an answer with a program.
func code(text string) string { return "```c\n" + text + "\n```" }

// start does a plan.
func start(t *testing.T, ctx context.Context, p plan) *run {
	t.Helper()
	if p.budget == (trial.Budget{}) {
		p.budget.LLMCalls = 1000
	}
	r := &run{plan: p, job: newJob(p.budget, filepath.Join(t.TempDir(), llm.TranscriptFile))}
	config := p.config
	if config == nil {
		served := llmtest.Serve(t, func(m []llm.Message) string {
			text := m[len(m)-1].Content
			r.mu.Lock()
			r.prompts = append(r.prompts, text)
			r.mu.Unlock()
			if p.answer == nil {
				return code("good")
			}
			return p.answer(text)
		}).Config()
		served.Limits.Concurrency = max(p.jobs, 1)
		config = &served
	}
	r.stop, r.err = genloop.Session(ctx, llmtest.Open(t, *config), r.job, r.job.Identity("plan", "1"), func(model *llm.Session) (trial.StopReason, error) {
		loop := &genloop.Loop[state]{Job: r.job, Model: model, Prompts: planPrompts, Checker: r, Policy: r,
			Stages: []string{"new", "repair", "opinion"}, Repairs: p.repairs, Barren: p.barren}
		stop, err := loop.Run(ctx)
		*r.job.Generation = loop.Generation()
		return stop, err
	})
	return r
}

// programs are those of the suite.
func (r *run) programs() []string {
	var list []string
	for _, p := range r.job.Suite.(*tooltest.Suite).Programs {
		list = append(list, strings.TrimSpace(p.Source))
	}
	return list
}

// told is the record but for the notes.
func (r *run) told() string {
	g := r.job.Generation
	var answers []string
	for _, a := range g.Answers {
		answers = append(answers, fmt.Sprintf("%s %s %d", a.Stage, a.Outcome, a.Count))
	}
	return fmt.Sprintf("first %d/%d, final %d/%d, %d repairs; %s", g.First.Executed, g.First.Programs, g.Final.Executed, g.Final.Programs, g.Repairs, strings.Join(answers, ", "))
}

// replay is the configuration that answers from the run's transcript.
func (r *run) replay(t *testing.T) *llm.Config {
	t.Helper()
	dir := t.TempDir()
	assert.NilError(t, os.CopyFS(filepath.Join(dir, "c"), os.DirFS(filepath.Dir(r.job.Models.Transcript))))
	return &llm.Config{Provider: llm.ProviderReplay, Dir: dir, Settings: llm.Settings{Model: llmtest.ModelName},
		Prices: []llm.Price{{Model: llmtest.ModelName, Input: new(1.0), Output: new(1.0)}}}
}

// clock is what of a transcript no two runs have in common.
var clock = regexp.MustCompile(`"wall_ms": ?[0-9.e+-]+`)

func (r *run) transcript(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(r.job.Models.Transcript)
	assert.NilError(t, err)
	return clock.ReplaceAllString(string(text), "")
}
