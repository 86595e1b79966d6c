package invariant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// A Tool is LISA: LISA_API, then LISA_inv on what it made.
type Tool struct {
	Compiler *toolchain.Compiler
	Models   *llm.Models
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "lisa" }

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string {
	return append((&sequence.Tool{}).Stages(), stageInvariant, stageRepair, suspicion.Stage)
}

// Needs are the builds that the tool uses: programs with assertions are run under the sanitizers, and on mutants
// if these are the feedback.
func (t *Tool) Needs(params map[string]any) trial.Needs {
	o, _, err := parseOptions(params)
	return trial.Needs{Sanitizer: true, Mutants: err == nil && o.usesMutants()}
}

// Version changes whenever the same seed and answers may give another suite or other prompts.
func (t *Tool) Version() string { return "2-" + (&sequence.Tool{}).Version() }

// Settings are the values of all parameters of a variant, without those that have no effect beside the
// others. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, first, err := parseOptions(params)
	return o.settings(first), err
}

// Parameters lists the parameters of both stages. Here feedback can also be mutants.
func (t *Tool) Parameters() []trial.Parameter {
	o, first := defaultOptions(), sequence.DefaultOptions()
	list := trial.Parameters(&o, &first)
	for i := range list {
		if list[i].Name == "feedback" {
			list[i].Value += ", or mutants"
			list[i].Doc += " mutants: prompts tell which mutants the program reaches and no test kills."
		}
	}
	return list
}

// Inputs are the files that a variant's parameters name: programs in the directory of seeds, and
// the library's contracts.
func (t *Tool) Inputs(library string, params map[string]any) []trial.Input {
	o, _, err := parseOptions(params)
	if err != nil {
		return nil // Generate says so
	}
	var inputs []trial.Input
	if o.Seeds != "" {
		files, _ := seedFiles(o.Seeds, slices.Concat(extensions[trial.C], extensions[trial.CXX]))
		for _, file := range files {
			inputs = append(inputs, trial.Input{Param: "seeds", Path: file})
		}
	}
	if o.usesContracts() {
		inputs = append(inputs, trial.Input{Param: "contracts", Path: knowledge.File(o.Contracts, library)})
	}
	return inputs
}

// Generate fills the job's suite until its budget is used up, until the first stage finds
// nothing new, or until the given seeds are done.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, first, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	spec, err := apispec.Load(ctx, t.Compiler, job.Target)
	if err != nil {
		return "", err
	}
	seeds, err := readSeeds(o.Seeds, job.Target.Language)
	if err != nil {
		return "", err
	}
	base, err := loadBase(o, job.Target.Library)
	if err != nil {
		return "", err
	}
	config := job.Identity(t.Name(), t.Version())
	delete(config, "param seeds") // what is in the directories counts, and not where they are
	delete(config, "param contracts")
	if o.usesContracts() {
		text, err := base.YAML()
		if err != nil {
			return "", err
		}
		config["contracts"] = digest(text)
	}
	if len(seeds) > 0 {
		var all []byte
		for _, s := range seeds {
			all = append(all, s.ID+"\x00"+s.Source+"\x00"...)
		}
		config["seeds"] = digest(all)
	}
	s := &stage{
		job: job, options: o, lib: newLibrary(spec, base, o.Knowledge), counts: genloop.Counts{},
		keeper: suspicion.New(job, t.Compiler), checker: newChecker(t.Compiler, job, spec),
	}
	s.checker.whole = !o.Chunks || o.Oracle == oracleRecorded
	if o.usesMutants() {
		if s.survivors, err = survivors.Open(ctx, job.Mutants); err != nil {
			return "", err
		}
	}
	if o.Oracle == oracleRecorded {
		if s.recorder, err = recorded.New(job.Target, spec, job.Exec, o.Runs); err != nil {
			return "", fmt.Errorf("lisa: %w", err)
		}
	}
	return genloop.Session(ctx, t.Models, job, config, func(model *llm.Session) (stop trial.StopReason, err error) {
		s.loop = &genloop.Loop[*program]{
			Job: job, Model: model, Prompts: prompts, Checker: s.checker, Policy: s,
			Stages: []string{stageInvariant, stageRepair, suspicion.Stage},
		}
		if o.Repair {
			s.loop.Repairs = o.Attempts
		}
		if o.Seeds != "" {
			stop, err = s.given(ctx, seeds)
		} else {
			api := &sequence.Tool{Compiler: t.Compiler, Models: t.Models}
			stop, err = s.afterFirst(ctx, api, first, sequence.Sink{Spec: spec, Model: model})
		}
		g := job.Generation // with what the first stage told
		if g.Answers = append(g.Answers, s.loop.Generation().Answers...); o.Oracle != oracleNone {
			s.how.Failures, s.how.Kinds, s.how.Sources = s.counts.List("failures"), s.counts.List("kinds"), s.counts.List("sources")
			g.Mutants, g.Invariants, g.Suspicions = s.survivors.Counts(), &s.how, s.keeper.Suspicions()
		}
		return stop, err
	})
}

var extensions = map[trial.Language][]string{trial.C: {".c"}, trial.CXX: {".cc", ".cpp", ".cxx"}}

// seedFiles are the programs of a directory, such as the suite of another cell, in the order of their names.
func seedFiles(dir string, extensions []string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("seeds: %w", err)
	}
	var files []string
	for _, e := range entries {
		if slices.Contains(extensions, filepath.Ext(e.Name())) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("seeds: %s has no %s file", dir, strings.Join(extensions, " or "))
	}
	return files, nil
}

// readSeeds reads the programs of a directory; none if it is "".
func readSeeds(dir string, lang trial.Language) (seeds []sequence.Seed, err error) {
	if dir == "" {
		return nil, nil
	}
	files, err := seedFiles(dir, extensions[lang])
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("seeds: %w", err)
		}
		name := filepath.Base(file)
		id := strings.TrimSuffix(name, filepath.Ext(name))
		seeds = append(seeds, sequence.Seed{Program: trial.Program{ID: id, Lang: lang, Source: string(source), Origin: name}})
	}
	return seeds, err
}

// loadBase reads the library's contracts; of a variant without a directory of them there are none.
func loadBase(o options, library string) (*knowledge.Base, error) {
	if !o.usesContracts() {
		return &knowledge.Base{}, nil
	}
	file := knowledge.File(o.Contracts, library)
	base, err := knowledge.Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("lisa: %s does not exist; make it with `bench knowledge build EXPERIMENT --library %s --dir %s`",
			file, library, o.Contracts)
	}
	return base, err
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
