// Package submission reads runs that are handed in: run directories (package results) that may come from anybody. It
// refuses those that hold links or large files, and those whose cells are not those of their experiment. It also finds
// the records of a run that a ranking over a set of bugs asks for.
package submission

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// Limits of what is read: of a file in bytes, and of the cells that an experiment plans.
const (
	maxFile  = 64 << 20
	maxLog   = 1 << 30 // of a transcript or a journal
	maxCells = 200_000

	maxTimeout, maxRepeats = time.Hour, 100 // of a test program
)

// A Run is a run that is handed in, with the cells that its experiment plans.
type Run struct {
	*results.Data
	Name string // of the directory
	Plan experiments.Plan
}

// Open reads a run directory. It refuses one whose parts contradict each other, for a cell is not one of its experiment
// or a file was changed, and one on another version of the benchmark.
func Open(dir string, bench *lisabench.Bench) (*Run, error) {
	if err := checkFiles(dir); err != nil {
		return nil, err
	}
	plan, err := readPlan(dir)
	if err != nil {
		return nil, err
	}
	data, err := results.Load(dir)
	if err != nil {
		return nil, err
	}
	for _, c := range data.Cells {
		if r := c.Record; r != nil && r.Cell != c.Cell || r == nil && c.Incomplete.Cell != c.Cell {
			return nil, fmt.Errorf("cell %s: its record or reason is of another cell", c.Cell.ID())
		}
	}
	run := &Run{Data: data, Plan: plan, Name: filepath.Base(dir)}
	return run, run.checkCorpus(bench)
}

// checkFiles refuses links, special files and large files in a run directory, but for directories that nobody reads.
func checkFiles(dir string) error {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return errors.New("not a run directory: unpack it first if it is packed")
	}
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		limit := int64(maxFile)
		if filepath.Ext(name) == ".jsonl" {
			limit = maxLog
		}
		parts := strings.Split(name, "/")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (parts[0] != "cells" && name != "." || len(parts) == 3 && parts[2] != "suite" && parts[2] != "evaluation"):
			return fs.SkipDir
		case d.IsDir():
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is a link or special file: a run has plain files", name)
		case info.Size() > limit:
			return fmt.Errorf("%s has %d bytes, and the limit is %d", name, info.Size(), limit)
		}
		return nil
	})
}

// readPlan returns the cells that the experiment in dir plans, which must be those of the manifest.
func readPlan(dir string) (plan experiments.Plan, err error) {
	var texts [2][]byte
	for i, name := range []string{"manifest.json", "experiment.yaml"} {
		texts[i], err = os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("not a run: it has no %s", name)
		}
		if err != nil {
			return plan, err
		}
	}
	exp, err := parseExperiment(texts[1])
	if err != nil {
		return plan, fmt.Errorf("experiment.yaml %w", err)
	}
	plan = exp.Plan()
	planned := map[trial.Cell]bool{}
	for _, c := range plan.Cells {
		if id := c.ID(); filepath.Base(id) != id || !filepath.IsLocal(id) {
			return plan, fmt.Errorf("experiment.yaml plans the cell %q, which is no name of a directory", id)
		}
		planned[c.Cell] = true
	}
	var m results.Manifest
	if err := json.Unmarshal(texts[0], &m); err != nil {
		return plan, fmt.Errorf("manifest.json: %w", err)
	}
	for _, c := range m.Cells {
		if !planned[c.Cell] {
			return plan, fmt.Errorf("manifest.json has the cell %s twice, or experiment.yaml does not plan it like that", c.Cell.ID())
		}
		delete(planned, c.Cell)
	}
	if len(planned) > 0 {
		return plan, fmt.Errorf("manifest.json lacks %s of experiment.yaml: a run is handed in whole",
			trial.Count(len(planned), "cell"))
	}
	return plan, nil
}

// parseExperiment reads a resolved experiment. Unlike experiments.Load it opens no other file, whatever the text says.
func parseExperiment(text []byte) (*experiments.Experiment, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true) // include and profiles belong to unresolved ones
	var exp experiments.Experiment
	if err := dec.Decode(&exp); errors.Is(err, io.EOF) {
		return nil, errors.New("is empty")
	} else if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if t := exp.Test; t.Timeout <= 0 || t.Timeout > maxTimeout || t.Repeats < 1 || t.Repeats > maxRepeats {
		return nil, fmt.Errorf("has programs run %d times, each up to %s: the limits are %d and %s", t.Repeats, t.Timeout, maxRepeats, maxTimeout)
	}
	parts := slices.Concat(exp.Parts, []experiments.Part{{Trials: exp.Trials, Libraries: exp.Libraries, Tools: exp.Tools}})
	cells := 0.0 // before the plan is made of them
	for _, p := range parts {
		for _, t := range p.Tools {
			n := float64(p.Trials) * float64(len(p.Libraries)) * float64(max(1, len(t.Variants)))
			for _, values := range t.Sweep {
				n *= float64(len(values))
			}
			cells += n
		}
	}
	if cells > maxCells {
		return nil, fmt.Errorf("plans %.0f cells, and the limit is %d", cells, maxCells)
	}
	return &exp, nil
}

// checkCorpus refuses a run on another version of the benchmark: its bugs and libraries may be other ones.
func (r *Run) checkCorpus(bench *lisabench.Bench) error {
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

// ReadSuite reads the suite in dir. It makes sure that its files lie there and are what its tool made, and that its
// programs can be told apart by their names.
func ReadSuite(dir string) (trial.Suite, error) {
	s, err := results.ReadSuite(dir)
	if err != nil {
		return s, err
	}
	ids := map[string]bool{}
	for _, p := range s.Programs {
		if p.ID == "" || filepath.Base(p.ID) != p.ID || ids[p.ID] {
			return s, fmt.Errorf("%s lists the program %q, which is no name or there twice", trial.SuiteFile, p.ID)
		}
		ids[p.ID] = true
	}
	for _, f := range s.Listed() {
		if !filepath.IsLocal(f.File) {
			return s, fmt.Errorf("%s lists %q, which is outside of the suite", trial.SuiteFile, f.File)
		}
		if sum, err := durable.FileSum(filepath.Join(dir, f.File)); err != nil || sum != f.SHA256 {
			return s, fmt.Errorf("%s is not what its tool made: its SHA-256 is not the one in %s", f.File, trial.SuiteFile)
		}
	}
	return s, nil
}
