package verify

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/run/runner"
	"github.com/lisa-bench/lisa-bench/internal/run/subject"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A measurer evaluates suites on this machine's builds.
type measurer struct {
	log  *slog.Logger
	shop *subject.Workshop
	test experiments.Test
}

func (m *measurer) measure(ctx context.Context, c *checked) (*trial.Record, error) {
	s := runner.Subject{Library: c.Cell.Library, Edition: c.Cell.Edition, Bugs: c.plan.Bugs}
	rec, err := subject.Evaluator{Shop: m.shop}.Evaluate(ctx, runner.Evaluation{
		Cell: c.Cell, Subject: s, Budget: c.plan.Budget, Suite: c.suite,
		SuiteDir: filepath.Join(c.Dir, "suite"), CellDir: c.Dir, Test: m.test, Memo: memory{}, Log: m.log,
	})
	if err != nil {
		return nil, err
	}
	rec.Kind = c.suite.Kind
	return rec, nil
}

// memory keeps the steps of one evaluation that is not to be resumed: a runner.Memo.
type memory map[string]json.RawMessage

func (m memory) Get(key string, v any) (bool, error) {
	text, ok := m[key]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(text, v)
}

func (m memory) Put(key string, v any) (err error) {
	m[key], err = json.Marshal(v)
	return err
}

// otherPrograms says which programs that count coverage or assertions are of another version
// here than in the manifest, "" if none.
func otherPrograms(was, here map[string]string) string {
	for _, name := range []string{"clang", "llvm-cov", "llvm-profdata"} {
		if was[name] != here[name] {
			return fmt.Sprintf("%s is %q there and %q here", name, cmp.Or(was[name], "missing"), cmp.Or(here[name], "missing"))
		}
	}
	return ""
}
