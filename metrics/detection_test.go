package metrics

import (
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestJudge changes one thing of what is seen of a test that detects a bug in three of three runs.
func TestJudge(t *testing.T) {
	ok, crash, hang := trial.OK, trial.Crash, trial.Timeout
	for _, tt := range []struct {
		name    string
		change  func(s *sighting)
		detects bool
		why     trial.Exclusion
	}{
		{"nothing", func(*sighting) {}, true, ""},
		{"it fails without the bug", func(s *sighting) { s.without = []trial.Outcome{crash} }, false, ""},
		{"it passes with the bug", func(s *sighting) { s.with = []trial.Outcome{ok} }, false, ""},
		{"it does not compile with the bug", func(s *sighting) { s.with = []trial.Outcome{trial.CompileError} }, false, ""},
		{"it failed without the bug once", func(s *sighting) { s.without[1] = crash }, false, trial.IsFlaky},
		{"it passed with the bug once", func(s *sighting) { s.with = append(s.with, ok) }, false, trial.IsFlaky},
		{"it fails in several ways", func(s *sighting) { s.with = append(s.with, hang) }, true, ""},
		{"it wrote to the counters", func(s *sighting) { s.forged = true }, false, trial.ForgedCoverage},
		{"it executes nothing of it", func(s *sighting) { s.reaches = false }, false, trial.DoesNotReach},
		{"it notices another build", func(s *sighting) { s.asWithout[0] = crash }, false, trial.DependsOnBuild},
		{"it notices another build, and is flaky", func(s *sighting) { s.asWithout[0], s.without[1] = crash, crash }, false, trial.IsFlaky},
		{"it misses a disguised bug", func(s *sighting) { s.asWith[0] = ok }, false, trial.IsFlaky},
		{"stand-alone it does something else", func(s *sighting) { s.oddAlone = true }, false, trial.IsFlaky},
		{"it passed in two runs", func(s *sighting) { s.without, s.asWithout = s.without[:1], s.asWithout[:1] }, false, ""},
		{"it failed in two runs", func(s *sighting) { s.asWith = s.asWith[:1] }, false, ""},
	} {
		s := &sighting{without: []trial.Outcome{ok, ok}, with: []trial.Outcome{crash}, reaches: true,
			asWithout: []trial.Outcome{ok, ok}, asWith: []trial.Outcome{crash, hang}}
		tt.change(s)
		detects, why := s.judge(3)
		if detects != tt.detects || why != tt.why {
			t.Errorf("%s: %v %q, want %v %q", tt.name, detects, why, tt.detects, tt.why)
		}
	}
}
