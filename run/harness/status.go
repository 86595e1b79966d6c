package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/slurm"
)

// A Status is how far a run is, and how long it goes on.
type Status struct {
	*results.Status
	Left *runner.Forecast `json:"left_ns"` // nil if not known

	Forecast runner.Forecast `json:"-"`
	Jobs     *slurm.Jobs     `json:"-"` // nil if none were submitted
}

// ReadStatus reads a run that may have been planned only.
func (e *Env) ReadStatus(dir string) (*Status, error) {
	path := filepath.Join(dir, "experiment.yaml")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, results.NewNotARunError(dir, "experiment.yaml")
	}
	if err != nil {
		return nil, err
	}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(text, &exp); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	plan := exp.Plan()
	s := &Status{}
	if s.Status, err = results.ReadStatus(dir, plannedCells(plan)); err != nil {
		return nil, err
	}
	if s.Forecast = runner.Foretell(plan, s.Status, e.Now()); s.Forecast > 0 {
		s.Left = &s.Forecast
	}
	s.Jobs, err = slurm.ReadJobs(dir)
	return s, err
}

func plannedCells(plan experiments.Plan) (cells []results.PlannedCell) {
	for _, c := range plan.Cells {
		cells = append(cells, results.PlannedCell{Cell: c.Cell})
	}
	return cells
}
