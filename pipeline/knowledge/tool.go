package knowledge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// A Tool makes a library's knowledge base as a cell of a run, so that its cost is in the ledger and
// a killed one goes on. Its suite is the library's file.
type Tool struct {
	Compiler *toolchain.Compiler
	Models   *llm.Models
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "knowledge" }

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string { return Stages() }

// Version changes whenever the same answers may give another base, or other prompts.
func (t *Tool) Version() string { return "1" }

// Product is the name of the file that the tool leaves.
func (t *Tool) Product(library string) string { return File("", library) }

// toolOptions are the parameters of a variant (trial.Parameter).
type toolOptions struct {
	Documents bool   `param:"documents" doc:"Read the library's documents."`
	Sequences string `param:"sequences" doc:"Directory of programs to observe, or auto for those that lisa-api makes in the same run."`
}

func defaultOptions() toolOptions { return toolOptions{Documents: true} }

func parseToolOptions(params map[string]any) (toolOptions, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("knowledge: %w", err)
	}
	if !o.Documents && o.Sequences == "" {
		return o, errors.New("knowledge: documents: false without sequences leaves nothing to do")
	}
	return o, nil
}

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseToolOptions(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (*Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

// Inputs are the programs in the directory of sequences.
func (t *Tool) Inputs(_ string, params map[string]any) (inputs []trial.Input) {
	o, err := parseToolOptions(params)
	if err != nil || o.Sequences == "" {
		return nil // Generate says what is wrong
	}
	files, _ := exttool.Directory{Path: o.Sequences}.Files()
	for _, file := range files {
		inputs = append(inputs, trial.Input{Param: "sequences", Path: filepath.Join(o.Sequences, file)})
	}
	return inputs
}

// Generate makes the base: contracts from documents, then from observed calls.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseToolOptions(job.Params)
	if err != nil {
		return "", err
	}
	spec, err := apispec.Load(ctx, t.Compiler, job.Target)
	if err != nil {
		return "", err
	}
	b := &Builder{Target: job.Target, Spec: spec, Exec: job.Exec, Log: job.Log}
	var apis []string
	if o.Documents {
		if apis, err = b.APIs(nil); err != nil {
			return "", err
		}
	}
	var programs []trial.Program
	if o.Sequences != "" {
		if programs, err = (exttool.Directory{Path: o.Sequences}).Programs(); err != nil {
			return "", err
		}
	}
	file := File(job.Dir, job.Target.Library) // a killed session's goes: its answers are recorded
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	config := job.Identity(t.Name(), t.Version())
	delete(config, "param sequences") // the prompts show what comes of them
	return genloop.Session(ctx, t.Models, job, config, func(model *llm.Session) (trial.StopReason, error) {
		b.Model = model
		if _, err := b.Build(ctx, file, apis, programs); err != nil {
			return "", err
		}
		if stop := job.Ledger.Stop(); stop != "" {
			return stop, nil
		}
		return trial.StopExhausted, nil
	})
}
