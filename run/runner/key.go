package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// setKeys sets the key of what the cell's tool makes, and the key of the cell's record, which covers the first. They
// differ so that a changed evaluation measures a suite again without making it again. The keys of what the cell uses
// stand for its contents, which may not be there yet.
func (c *cell) setKeys(byID map[string]*cell) error {
	var inputs []any // names and contents of files; the tool knows whether one that is not there is needed
	for _, in := range c.inputs() {
		data, err := os.ReadFile(in.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cell %s: %w", c.ID(), err)
		}
		inputs = append(inputs, filepath.Base(in.Path), err == nil, data)
	}
	var used []string
	for _, u := range c.Uses {
		key := ""
		if other := byID[u.Cell]; other != nil {
			key = other.generation.Key
		}
		used = append(used, u.Param+" "+key)
	}
	test := c.r.Plan.Test
	key := func(b trial.Budget) string {
		made := trial.Key("generation", trial.SuiteSchema, c.Cell.Cell, c.Params, b, c.tool.Version(), c.library.keys.Generate,
			test.Timeout, c.r.Plan.Sandbox, c.modelSettings(), inputs)
		if used != nil {
			made = trial.Key("uses", made, used)
		}
		return made
	}
	c.generation = results.Generation{Key: key(c.Budget), Budget: c.Budget, KeyOf: key}
	c.key = trial.Key("record", trial.RecordSchema, c.generation.Key, c.library.keys.Evaluate, c.Bugs, test.Repeats, test.Mutants, test.Explain)
	if test.Among != "" {
		c.key = trial.Key("among", c.key, test.Among)
	}
	return nil
}

// modelSettings are how the stages of the cell's tool ask their models. Where the answers come from and what they cost
// may change while a run goes on.
func (c *cell) modelSettings() (list []any) {
	user, ok := c.tool.(ModelUser)
	if !ok || c.r.Plan.LLM == nil {
		return nil
	}
	config := c.r.Plan.LLM.With(c.Model)
	for _, stage := range user.Stages() {
		list = append(list, stage, config.For(stage))
	}
	return list
}

// answers says who answers the cell's model: an endpoint, or the directory of a batch or a replay; "" if none is asked.
func (c *cell) answers() string {
	if c.modelSettings() == nil {
		return ""
	}
	if llm := c.r.Plan.LLM; llm.BaseURL == "" {
		return llm.Provider + " " + llm.Dir
	}
	return c.r.Plan.LLM.BaseURL
}

// ownParams are the parameters of the cell without those that other cells stand for. Where the cells of another run
// are used, directories that a cell was given are that run's copies.
func (c *cell) ownParams() map[string]any {
	params := maps.Clone(c.Params)
	for _, u := range c.Uses {
		delete(params, u.Param)
	}
	if c.r.Made == "" {
		return params
	}
	for name := range params {
		dir := filepath.Join(c.r.Made, c.ID(), "suite", trial.GivenDir, name)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			params[name] = dir
		}
	}
	return params
}

// inputs are the files that the tool reads for the cell, those apart that other cells make.
func (c *cell) inputs() []trial.Input {
	if reader, ok := c.tool.(InputReader); ok {
		return reader.Inputs(c.Library, c.ownParams())
	}
	return nil
}

// params are those of the cell, with directories in the place of the cells that it uses. before is what was
// spent on the seeds that it starts from. A knowledge base is made once for all and is not in it. The
// error is an *trial.IncompleteError if a used cell is not complete.
func (c *cell) params() (params map[string]any, before trial.Usage, err error) {
	for _, o := range c.uses {
		if why := o.incomplete; why != nil {
			return nil, before, &trial.IncompleteError{Kind: KindUses,
				Message: fmt.Sprintf("it uses cell %s, which is incomplete: %s: %s", why.Cell.ID(), why.Kind, why.Message)}
		}
	}
	cells := c.r.Made
	if cells == "" {
		cells = filepath.Join(c.r.Store.Dir, "cells")
	}
	params = c.ownParams()
	for _, u := range c.Uses {
		dir := filepath.Join(cells, u.Cell, "suite")
		suite, err := results.ReadSuite(dir)
		if err != nil {
			return nil, before, err
		}
		if suite.Kind == trial.KindPrograms && c.Tool != experiments.KnowledgeTool {
			before = before.Plus(suite.Usage)
			before.Programs = 0 // they are counted where they are finished
		}
		params[u.Param] = dir
	}
	return params, before, nil
}
