package metrics

import (
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mostResults is of how many programs the results are in memory at a time: enough to balance long ones over the
// processors.
const mostResults = 1000

// success runs every program on the reference build and counts how they end.
func (e *Programs) success(ctx context.Context, s *suite) error {
	_, missing, err := try(ctx, e.Log, "reference", func() (none struct{}, err error) { return none, e.reference(ctx, s.tests) })
	if err != nil {
		return err
	}
	if missing != nil {
		s.rec.Lack(trial.PartSuccess, *missing)
		return nil
	}
	s.known = true
	s.rec.Programs = &trial.ProgramCounts{Generated: len(s.tests), Outcomes: map[trial.Outcome]int{}}
	for _, t := range s.tests {
		countIn(s.rec, t)
	}
	return nil
}

// countIn counts a test. Its own assertion that fails on the reference build is a false alarm.
func countIn(rec *trial.Record, t *test) {
	c, list := rec.Programs, &rec.Failures
	c.Outcomes[t.ending.Outcome]++
	if t.ending.Outcome.Compiled() {
		c.Compiled++
	}
	switch t.ending.Outcome {
	case trial.OK:
		c.Executed++
		return
	case trial.Assertion:
		c.FalseAlarms++
		list = &rec.Alarms
	}
	if len(*list) < mostFailures {
		*list = append(*list, t.reference(t.ending))
	}
}

// reference runs the tests on the reference build, but for those that their tool refused.
func (e *Programs) reference(ctx context.Context, tests []*test) error {
	var runnable []*test
	for _, t := range tests {
		if t.entry.Refused == "" {
			runnable = append(runnable, t)
		} else {
			t.ending = ending{Outcome: trial.Policy, Detail: t.entry.Refused}
		}
	}
	for part := range slices.Chunk(runnable, mostResults) {
		endings, err := e.endings(ctx, e.Reference, part, false)
		if err != nil {
			return err
		}
		for _, t := range part {
			t.ending = endings[t]
		}
	}
	return nil
}

// again runs tests that failed on the reference build once more for each repeat, and notes in their endings which end
// otherwise.
func (e *Programs) again(ctx context.Context, tests []*test, endings []ending) error {
	var failing []*test
	var at []*ending
	for i, t := range tests {
		if failed(endings[i].Outcome) {
			failing, at = append(failing, t), append(at, &endings[i])
		}
	}
	for n := 1; n < e.Repeats && len(failing) > 0; n++ {
		again, err := e.Runner.Run(ctx, e.Reference, programsOf(failing), testrun.Options{})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		for i, first := range at {
			if again[i].Outcome != first.Outcome && first.Outcome != trial.Flaky {
				first.Detail = fmt.Sprintf("%s, then %s", first.Outcome, again[i].Outcome)
				first.Outcome, first.Chance = trial.Flaky, true
			}
		}
	}
	return nil
}
