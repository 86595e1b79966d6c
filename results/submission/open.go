package submission

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// mostCells bounds the plan of an untrusted experiment before it is expanded.
const mostCells = 200_000

// Contents is an unpacked submission, as a run.
type Contents struct {
	*results.Data
	Plan experiments.Plan
}

// metadata reports whether a file of an archive is needed to tell what the submission says,
// without its suites and transcripts: a ranking needs no more.
func metadata(f File) bool {
	switch filepath.Base(f.Path) {
	case "experiment.yaml", "manifest.json", "record.json", "incomplete.json":
		return true
	}
	return false
}

// Open reads what was unpacked into dir. A submission whose parts contradict each other is an
// *InvalidError: its cells are not those of its experiment, or a name would lead out of dir.
func Open(dir string) (*Contents, error) {
	text, err := os.ReadFile(filepath.Join(dir, "experiment.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, invalid("experiment.yaml is not in the submission")
	}
	if err != nil {
		return nil, err
	}
	exp, err := parseExperiment(text)
	if err != nil {
		return nil, err
	}
	plan := exp.Plan()
	if err := checkManifest(dir, plan); err != nil {
		return nil, err
	}
	data, err := results.Load(dir)
	if err != nil {
		return nil, invalid("%v", err)
	}
	for _, c := range data.Cells {
		if err := checkCell(c); err != nil {
			return nil, err
		}
	}
	return &Contents{Data: data, Plan: plan}, nil
}

// parseExperiment reads a resolved experiment. Unlike experiments.Load it opens no other file,
// whatever the text says.
func parseExperiment(text []byte) (*experiments.Experiment, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true) // include and profiles belong to unresolved ones
	var exp experiments.Experiment
	if err := dec.Decode(&exp); err != nil {
		if err == io.EOF {
			err = errors.New("it is empty")
		}
		return nil, invalid("experiment.yaml: %v", err)
	}
	if n := sizeOf(&exp); n > mostCells {
		return nil, invalid("experiment.yaml plans %.0f cells, and the limit is %d", n, mostCells)
	}
	return &exp, nil
}

// sizeOf returns how many cells an experiment plans, without expanding it.
func sizeOf(e *experiments.Experiment) float64 {
	parts := e.Parts
	if len(parts) == 0 {
		parts = []experiments.Part{{Trials: e.Trials, Libraries: e.Libraries, Tools: e.Tools}}
	}
	sum := 0.0
	for _, p := range parts {
		for _, t := range p.Tools {
			n := float64(p.Trials) * float64(len(p.Libraries)) * float64(max(1, len(t.Variants)))
			for _, values := range t.Sweep {
				n *= float64(len(values))
			}
			sum += n
		}
	}
	return sum
}

// checkManifest makes sure that the manifest's cells are those that the experiment plans.
func checkManifest(dir string, plan experiments.Plan) error {
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, os.ErrNotExist) {
		return invalid("manifest.json is not in the submission")
	}
	if err != nil {
		return err
	}
	var m results.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return invalid("manifest.json: %v", err)
	}
	planned := map[string]trial.Cell{}
	for _, c := range plan.Cells {
		id := c.ID()
		if filepath.Base(id) != id || !filepath.IsLocal(id) {
			return invalid("experiment.yaml plans the cell %q, which is no name of a directory", id)
		}
		planned[id] = c.Cell
	}
	seen := map[string]bool{}
	for _, c := range m.Cells {
		id := c.Cell.ID()
		if want, ok := planned[id]; !ok || want != c.Cell {
			return invalid("manifest.json has the cell %s, which experiment.yaml does not plan like that", id)
		}
		if seen[id] {
			return invalid("manifest.json has the cell %s twice", id)
		}
		seen[id] = true
	}
	for _, c := range plan.Cells {
		if !seen[c.ID()] {
			return invalid("experiment.yaml plans the cell %s, which manifest.json does not have: a run is submitted whole", c.ID())
		}
	}
	return nil
}

// checkCell holds a record against itself: figures that no evaluation gives.
func checkCell(c results.CellData) error {
	if c.Record == nil {
		if c.Incomplete.Cell != c.Cell {
			return invalid("cell %s: incomplete.json is of cell %s", c.Cell.ID(), c.Incomplete.Cell.ID())
		}
		return nil
	}
	r := c.Record
	if r.Cell != c.Cell {
		return invalid("cell %s: record.json is of cell %s", c.Cell.ID(), r.Cell.ID())
	}
	if err := impossible(r); err != nil {
		return invalid("cell %s: record.json: %v", c.Cell.ID(), err)
	}
	return nil
}

func impossible(r *trial.Record) error {
	if err := impossibleGaps(r); err != nil {
		return err
	}
	if p := r.Programs; p != nil {
		compiled, all := 0, 0
		for o, n := range p.Outcomes {
			if n < 0 || !slices.Contains(trial.Outcomes, o) {
				return fmt.Errorf("%d programs with the outcome %q", n, o)
			}
			if all += n; o.Compiled() {
				compiled += n
			}
		}
		if all != p.Generated || compiled != p.Compiled || p.Outcomes[trial.OK] != p.Executed || p.Outcomes[trial.Assertion] != p.FalseAlarms {
			return errors.New("the counts of programs do not add up to their outcomes")
		}
	}
	if v := r.Coverage; v != nil {
		for _, of := range [][2]int{{v.LinesCovered, v.LinesTotal}, {v.BranchesCovered, v.BranchesTotal},
			{v.FunctionsCovered, v.FunctionsTotal}, {v.RegionsCovered, v.RegionsTotal}} {
			if of[0] < 0 || of[0] > of[1] {
				return fmt.Errorf("%d of %d covered", of[0], of[1])
			}
		}
	}
	if v := r.Verifications; v != nil && (v.Programs < 0 || v.Seeds < 0 || v.Unique < 0 || v.Unique > v.Assertions || v.Passing > v.Programs) {
		return fmt.Errorf("%d of %d assertions are unique, in %d of %d programs", v.Unique, v.Assertions, v.Passing, v.Programs)
	}
	if err := impossibleMutants(r.Mutation); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, b := range r.Bugs {
		if seen[b.Bug] {
			return fmt.Errorf("bug %s is listed twice", b.Bug)
		}
		if seen[b.Bug] = true; b.Detected != (b.Tests > 0) || b.Tests < 0 || b.Missing != nil && b.Detected {
			return fmt.Errorf("bug %s: detected is %t, by %d tests", b.Bug, b.Detected, b.Tests)
		}
	}
	return nil
}

// impossibleMutants holds the counts of mutants against each other.
func impossibleMutants(m *trial.Mutation) error {
	if m == nil {
		return nil
	}
	listed := 0
	for _, ids := range m.KilledIn {
		listed += len(ids)
	}
	byOracle := 0
	for _, o := range m.ByOracle {
		byOracle += o.Killed
	}
	if m.Killed < 0 || m.Killed > m.Reached || m.Reached > m.Mutants || m.Mutants+m.Equivalent+m.Duplicate != m.Drawn || listed != m.Killed || byOracle != m.Killed {
		return fmt.Errorf("of %d mutants drawn %d count, %d are reached and %d killed, %d of them listed and %d by an oracle",
			m.Drawn, m.Mutants, m.Reached, m.Killed, listed, byOracle)
	}
	if m.Mutants > 0 && m.Score != float64(m.Killed)/float64(m.Mutants) || !(m.Low <= m.Score && m.Score <= m.High) {
		return fmt.Errorf("%d of %d mutants killed, with a score of %g from %g to %g", m.Killed, m.Mutants, m.Score, m.Low, m.High)
	}
	return nil
}

// impossibleGaps holds the parts that a record lacks against those that it has.
func impossibleGaps(r *trial.Record) error {
	has := map[trial.Part]bool{
		trial.PartSuccess: r.Programs != nil, trial.PartCoverage: r.Coverage != nil, trial.PartGrowth: len(r.Growth) > 0,
		trial.PartVerifications: r.Verifications != nil, trial.PartMutation: r.Mutation != nil, trial.PartDetections: true, // whose bugs have reasons of their own
	}
	for _, g := range r.Gaps() {
		if !slices.Contains(trial.ReasonKinds, g.Reason.Kind) {
			return fmt.Errorf("%s is missing for a reason of no known kind: %q", g.Name(), g.Reason.Kind)
		}
	}
	for p := range r.Missing {
		if there, known := has[p]; there || !known {
			return fmt.Errorf("the part %q is said to be missing, and is there or is no part of a record", p)
		}
	}
	return nil
}
