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

// success runs every program on the reference build, but for those that their tool refused, and counts how they end. Its
// own assertion that fails there is a false alarm.
func (e *Programs) success(ctx context.Context, s *suite) error {
	runnable := where(s.tests, func(t *test) bool { return t.entry.Refused == "" })
	_, missing, err := try(ctx, e.Log, "reference", func() (none struct{}, err error) {
		for part := range slices.Chunk(runnable, mostResults) {
			endings, err := e.endings(ctx, e.Reference, part, false)
			if err != nil {
				return none, err
			}
			for _, t := range part {
				t.ending = endings[t]
			}
		}
		return none, nil
	})
	if err != nil {
		return err
	}
	if missing != nil {
		s.rec.Lack(trial.PartSuccess, *missing)
		return nil
	}
	s.known = true
	c := &trial.ProgramCounts{Generated: len(s.tests), Outcomes: map[trial.Outcome]int{}}
	s.rec.Programs = c
	for _, t := range s.tests {
		if t.entry.Refused != "" {
			t.ending = ending{Outcome: trial.Policy, Detail: t.entry.Refused}
		}
		c.Outcomes[t.ending.Outcome]++
		if t.ending.Outcome.Compiled() {
			c.Compiled++
		}
		list := &s.rec.Failures
		switch t.ending.Outcome {
		case trial.OK:
			c.Executed++
			continue
		case trial.Assertion:
			c.FalseAlarms++
			list = &s.rec.Alarms
		}
		if len(*list) < mostFailures {
			*list = append(*list, t.reference(t.ending))
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
