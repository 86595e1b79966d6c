package tooltest

import (
	"fmt"
	"os"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Suite keeps programs and inputs in memory, and holds a tool to the ledger as the runner's
// suite does (results.SuiteWriter). It refuses a program once the budget is at its end. It is
// not safe for concurrent use.
type Suite struct {
	Ledger   *trial.Ledger
	Programs []trial.Program // in the order in which they were added
	inputs   []string
	added    func() // called after each program; may be nil
}

// Add is trial.SuiteWriter's.
func (s *Suite) Add(p trial.Program) error {
	if stop := s.Ledger.Closed(); stop != "" {
		return fmt.Errorf("%w: %s", trial.ErrBudget, stop)
	}
	s.Programs = append(s.Programs, p)
	s.Ledger.Charge(trial.Usage{Programs: 1})
	if s.added != nil {
		s.added()
	}
	return nil
}

// AddInput is trial.CorpusWriter's, without the time, which no two runs share.
func (s *Suite) AddInput(target, path string, _ time.Duration, crash bool) error {
	data, err := os.ReadFile(path)
	s.inputs = append(s.inputs, fmt.Sprintf("%s crash=%v %q", target, crash, data))
	return err
}
