package agentspace

import (
	"fmt"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// suspect implements the command.
func (s *Space) suspect(name, sentence string) (string, error) {
	path, err := s.Path(name)
	if err != nil {
		return err.Error(), nil
	}
	c, known := s.checked[filepath.Base(path)]
	if !known || c.result.Outcome != trial.Assertion || c.result.Assertion == nil {
		return fmt.Sprintf("No assertion failed at the last check of %s: there is nothing to keep.", filepath.Base(path)), nil
	}
	of := trial.Suspicion{
		Place: c.program.Origin, Assertion: c.result.Assertion.Expr, Argument: sentence,
		Opinion: trial.Opinion{Verdict: trial.Unasked, Why: "an agent is not asked twice"},
	}
	told := "The sentence is in none of the documents, and is kept as your argument."
	if place, why := s.documents.Find(sentence); why == "" {
		of.Sentence, of.Document, of.Argument = sentence, place, ""
		told = "The sentence is at " + place + "."
	}
	kept := s.keeper.Keep(of, c.program)
	if kept == nil {
		return "That assertion is kept already.", nil
	}
	return fmt.Sprintf("Kept as %s: assert(%s). %s Take it out of the test and check that again.", kept.ID, kept.Assertion, told), nil
}
