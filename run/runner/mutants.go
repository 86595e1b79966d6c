package runner

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A replayMutants runs programs on mutants as a replayExecutor runs them on the reference: what earlier
// sessions did is answered from the journal. It charges the CPU time either way.
type replayMutants struct {
	trial.MutantRunner
	store  *results.Cell
	fresh  func() // called before anything is run
	ledger *trial.Ledger
	known  map[string]trial.MutantRuns
}

func newReplayMutants(inner trial.MutantRunner, store *results.Cell, fresh func(), ledger *trial.Ledger) (*replayMutants, error) {
	m := &replayMutants{MutantRunner: inner, store: store, fresh: fresh, ledger: ledger, known: map[string]trial.MutantRuns{}}
	for _, e := range store.Events {
		if e.Kind != eventMutants {
			continue
		}
		var runs trial.MutantRuns
		if err := store.Decode(e, &runs); err != nil {
			return nil, err
		}
		m.known[e.Key] = runs
	}
	return m, nil
}

// RunMutants implements trial.MutantRunner. One call is one event.
func (m *replayMutants) RunMutants(ctx context.Context, programs []trial.Program, ids []int) (trial.MutantRuns, error) {
	var sources []string
	for _, p := range programs {
		sources = append(sources, string(p.Lang), p.Source)
	}
	key := trial.Key(sources, ids)[:32]
	runs, ok := m.known[key]
	if !ok {
		m.fresh()
		var err error
		if runs, err = m.MutantRunner.RunMutants(ctx, programs, ids); err != nil {
			return runs, fmt.Errorf("mutants for feedback: %w", err)
		}
		if err := m.store.Journal.Append(eventMutants, key, m.ledger.Elapsed(), runs); err != nil {
			return runs, err
		}
		m.known[key] = runs
	}
	m.ledger.Charge(trial.Usage{CPU: runs.CPU})
	return runs, nil
}
