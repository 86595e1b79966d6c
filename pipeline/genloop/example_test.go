package genloop_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// A tester is a whole generator: it asks for a test of each function, runs it, has what fails
// repaired and keeps what passes then.
type tester struct {
	job       trial.Job
	functions []string // still to be asked for
}

// Its prompts; a real generator embeds a directory of files.
var testerPrompts = genloop.ParsePrompts(fstest.MapFS{
	"prompts/system.tmpl": {Data: []byte("You write tests in {{.LanguageName}} for {{.Library}}.\n")},
	"prompts/test.tmpl":   {Data: []byte("Write a test of {{.Function}}.\n")},
	"prompts/repair.tmpl": {Data: []byte("This test ends with {{.Outcome}}. Correct it.\n\n{{.Program | indent}}\n")},
})

type testerPage struct {
	genloop.Page
	Function, Program string
	Outcome           trial.Outcome
}

// Check is its checker.
func (t *tester) Check(ctx context.Context, items []*genloop.Item[string]) error {
	results, err := t.job.Exec.Run(ctx, genloop.Programs(items, t.job.Target.Language), trial.ExecOptions{Runs: 3})
	if err != nil {
		return err
	}
	for i, it := range items {
		it.Outcome = results[i].Outcome
	}
	return nil
}

// Ask, Mend, Settle and End are its policy. The Data of an item is the function that it tests.
func (t *tester) Ask(_ context.Context, r *genloop.Round[string]) ([]genloop.Question[string], error) {
	page := testerPage{Page: genloop.PageOf(t.job.Target)}
	var list []genloop.Question[string]
	for i, it := range r.Waiting {
		page.Function, page.Program, page.Outcome = it.Data, it.Source, it.Outcome
		list = append(list, genloop.Question[string]{ID: fmt.Sprintf("r%04d-a%03d", r.N, i+1), Stage: "repair", Prompt: "repair", Page: page, Item: it})
	}
	n := r.Room(min(3, len(t.functions)))
	for i, f := range t.functions[:n] {
		page.Function = f
		list = append(list, genloop.Question[string]{ID: fmt.Sprintf("r%04d-b%03d", r.N, i+1), Stage: "test", Prompt: "test", Page: page, Item: &genloop.Item[string]{Data: f}})
	}
	t.functions = t.functions[n:]
	return list, nil
}

func (t *tester) Mend(*genloop.Item[string]) (changed bool, err error) { return false, nil }

func (t *tester) Settle(r *genloop.Round[string], it *genloop.Item[string]) error {
	if it.Outcome != trial.OK {
		r.Again(it) // or it is dropped
		return nil
	}
	return r.Keep(it, trial.Program{Lang: t.job.Target.Language, Source: it.Source, Oracle: trial.OracleSpecification})
}

func (t *tester) End(context.Context, *genloop.Round[string]) error { return nil }

// generate is the tool's Generate, with two repairs for a program.
func (t *tester) generate(ctx context.Context, models *llm.Models) (trial.StopReason, error) {
	return genloop.Session(ctx, models, t.job, t.job.Identity("tester", "1"), func(model *llm.Session) (trial.StopReason, error) {
		loop := &genloop.Loop[string]{Job: t.job, Model: model, Prompts: testerPrompts, Checker: t, Policy: t, Stages: []string{"test", "repair"}, Repairs: 2}
		stop, err := loop.Run(ctx)
		*t.job.Generation = loop.Generation()
		return stop, err
	})
}

// A generator is a prompt, a checker and a policy.
func Example() {
	// The model's first test of add fails; asked again it gives a better one.
	job, models, end := scripted("```c\nvoid test_add(void) { CRASH }\n```", "```c\nvoid test_add(void) {}\n```")
	defer end()
	stop, err := (&tester{job: job, functions: []string{"add"}}).generate(context.Background(), models)
	fmt.Println(stop, err)
	for _, p := range job.Suite.(*tooltest.Suite).Programs {
		fmt.Print(p.Source)
	}
	fmt.Println("at first", job.Generation.First.Executed, "of", job.Generation.First.Programs, "run, after", job.Generation.Repairs, "repair", job.Generation.Final.Executed)
	// Output:
	// exhausted <nil>
	// void test_add(void) {}
	// at first 0 of 1 run, after 1 repair 1
}
