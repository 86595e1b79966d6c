package runner

import (
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

func cellOf(tool, library string, b trial.Budget) experiments.Cell {
	return experiments.Cell{Cell: trial.Cell{Tool: tool, Variant: "default", Library: library, Edition: "debian", Trial: 1}, Budget: b}
}

// TestForecast expects cells to take as long as those like them, on as many workers as there are.
func TestForecast(t *testing.T) {
	now := time.Unix(1e9, 0)
	quick, slow := cellOf("quick", "zlib", trial.Budget{}), cellOf("slow", "zlib", trial.Budget{})
	timed := cellOf("timed", "cJSON", trial.Budget{Wall: time.Minute})
	var seen pace
	seen.add(quick, 10*time.Second)
	seen.add(slow, time.Minute)
	at := func(c experiments.Cell, gone time.Duration) *work { return &work{cell: c, began: now.Add(-gone)} }
	for _, tt := range []struct {
		name    string
		pace    pace
		active  []*work
		waiting []experiments.Cell
		jobs    int
		want    string
	}{
		{"nothing is known", nil, []*work{at(quick, 0)}, nil, 1, "time left not known yet"},
		{"a budget in seconds", nil, []*work{at(timed, 20*time.Second)}, []experiments.Cell{timed}, 1, "2 min left at a guess"},
		{"one worker", seen, []*work{at(quick, 4*time.Second)}, []experiments.Cell{slow}, 1, "about 66 s left"},
		{"two workers", seen, []*work{at(quick, 4*time.Second), at(slow, 0)}, []experiments.Cell{quick}, 2, "about 60 s left"},
		{"one that is late", seen, []*work{at(quick, 20*time.Second)}, nil, 1, "about 2 s left"},
		{"a tool on another library", seen, []*work{at(cellOf("slow", "cJSON", trial.Budget{}), 0)}, nil, 1, "60 s left at a guess"},
	} {
		if got := tt.pace.left(tt.active, tt.waiting, tt.jobs, now).String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestForetell tells the time left by the directory of a run that others work on.
func TestForetell(t *testing.T) {
	now := time.Unix(1e9, 0)
	since := now.Add(-10 * time.Second)
	c := cellOf("a", "zlib", trial.Budget{})
	plan := experiments.Plan{Cells: []experiments.Cell{c, c, c}}
	s := &results.Status{Cells: []results.CellStatus{
		{State: results.Done, Took: time.Minute}, {State: results.Running, Since: &since}, {State: results.Waiting},
	}}
	if got := Foretell(plan, s, now); got != (Forecast{Left: 110 * time.Second, Sure: true}) {
		t.Errorf("got %+v", got)
	}
	s.Cells[1].State = results.Waiting
	if got := Foretell(plan, s, now); got != (Forecast{}) {
		t.Errorf("nobody works on it: %+v", got)
	}
}
