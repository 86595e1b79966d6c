package submission

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// mostCells bounds the plan of an untrusted experiment before it is expanded.
const mostCells = 200_000

// A Run is a run that is handed in, with the cells that its experiment plans.
type Run struct {
	*results.Data
	Name string // of the directory
	Plan experiments.Plan
}

// Open reads a run directory. A run whose parts contradict each other, for a cell is not one of its experiment or a file
// was changed, is an *invalidError.
func Open(dir string) (*Run, error) {
	if err := checkFiles(dir); err != nil {
		return nil, err
	}
	plan, err := readPlan(dir)
	if err != nil {
		return nil, err
	}
	data, err := results.Load(dir)
	if err != nil {
		return nil, invalid("%v", err)
	}
	for _, c := range data.Cells {
		if r := c.Record; r != nil && r.Cell != c.Cell || r == nil && c.Incomplete.Cell != c.Cell {
			return nil, invalid("cell %s: its record or reason is of another cell", c.Cell.ID())
		}
	}
	return &Run{Data: data, Plan: plan, Name: filepath.Base(dir)}, nil
}

// readPlan returns the cells that the experiment in dir plans, which must be those of the manifest.
func readPlan(dir string) (plan experiments.Plan, err error) {
	manifest, err := readFile(dir, "manifest.json")
	if err != nil {
		return plan, err
	}
	text, err := readFile(dir, "experiment.yaml")
	if err != nil {
		return plan, err
	}
	exp, err := parseExperiment(text)
	if err != nil {
		return plan, err
	}
	plan = exp.Plan()
	planned := map[trial.Cell]bool{}
	for _, c := range plan.Cells {
		if id := c.ID(); filepath.Base(id) != id || !filepath.IsLocal(id) {
			return plan, invalid("experiment.yaml plans the cell %q, which is no name of a directory", id)
		}
		planned[c.Cell] = true
	}
	var m results.Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return plan, invalid("manifest.json: %v", err)
	}
	for _, c := range m.Cells {
		if !planned[c.Cell] {
			return plan, invalid("manifest.json has the cell %s twice, or experiment.yaml does not plan it like that", c.Cell.ID())
		}
		delete(planned, c.Cell)
	}
	if len(planned) > 0 {
		return plan, invalid("manifest.json lacks %s of experiment.yaml: a run is handed in whole",
			trial.Count(len(planned), "cell"))
	}
	return plan, nil
}

// readFile reads a file that every run has.
func readFile(dir, name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, invalid("not a run: it has no %s", name)
	}
	return data, err
}

// parseExperiment reads a resolved experiment. Unlike experiments.Load it opens no other file, whatever the text
// says.
func parseExperiment(text []byte) (*experiments.Experiment, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true) // include and profiles belong to unresolved ones
	var exp experiments.Experiment
	if err := dec.Decode(&exp); err == io.EOF {
		return nil, invalid("experiment.yaml is empty")
	} else if err != nil {
		return nil, invalid("experiment.yaml: %v", err)
	}
	parts := slices.Concat(exp.Parts, []experiments.Part{{Trials: exp.Trials, Libraries: exp.Libraries, Tools: exp.Tools}})
	cells := 0.0
	for _, p := range parts {
		for _, t := range p.Tools {
			n := float64(p.Trials) * float64(len(p.Libraries)) * float64(max(1, len(t.Variants)))
			for _, values := range t.Sweep {
				n *= float64(len(values))
			}
			cells += n
		}
	}
	if cells > mostCells {
		return nil, invalid("experiment.yaml plans %.0f cells, and the limit is %d", cells, mostCells)
	}
	return &exp, nil
}

// CheckCorpus refuses a run on another version of the benchmark: its bugs and libraries may be other ones.
func (r *Run) CheckCorpus(bench *lisabench.Bench) error {
	if m := r.Manifest; m.Corpus != bench.Version {
		return fmt.Errorf("made with version %s of the benchmark, and this bench has %s: use the same version, "+
			"and the same --bench-dir if it has libraries from outside", cmp.Or(m.Corpus, "(unknown)"), bench.Version)
	}
	for _, c := range r.Plan.Cells {
		lib, err := bench.Library(c.Library)
		if err != nil {
			return err
		}
		pin := lib.Pin(lisabench.Edition(c.Edition))
		if have := r.Manifest.Sources[c.Library+" "+c.Edition]; have != pin {
			return fmt.Errorf("the source of %s (%s) is %s there and %s here", c.Library, c.Edition, cmp.Or(have, "unknown"), pin)
		}
		for _, id := range c.Bugs {
			if _, err := lib.Bug(id); err != nil {
				return err
			}
		}
	}
	return nil
}
