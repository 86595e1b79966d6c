package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/baselines/citywalk"
	"github.com/lisa-bench/lisa-bench/baselines/ossfuzz"
	"github.com/lisa-bench/lisa-bench/baselines/randoop"
	"github.com/lisa-bench/lisa-bench/baselines/vanilla"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/runner"
	"github.com/lisa-bench/lisa-bench/internal/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/source"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/pipeline/invariant"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// The implementations of the interfaces that other packages own.
var (
	_ runner.Tool        = randoop.Tool{}
	_ runner.Tool        = (*ossfuzz.Tool)(nil)
	_ runner.Tool        = exttool.Directory{}
	_ runner.Tool        = (*exttool.Command)(nil)
	_ runner.ModelUser   = (*exttool.Command)(nil)
	_ runner.Tool        = (*sequence.Tool)(nil)
	_ runner.ModelUser   = (*sequence.Tool)(nil)
	_ runner.Tool        = (*citywalk.Tool)(nil)
	_ runner.ModelUser   = (*citywalk.Tool)(nil)
	_ runner.Tool        = (*invariant.Tool)(nil)
	_ runner.ModelUser   = (*invariant.Tool)(nil)
	_ runner.InputReader = (*invariant.Tool)(nil)
	_ runner.Preparer    = (*subject.Workshop)(nil)
	_ runner.Evaluator   = subject.Evaluator{}
	_ metrics.TestRunner = (*testrun.Engine)(nil)
	_ metrics.FuzzRunner = (*libfuzzer.Fuzzer)(nil)
	_ metrics.Memo       = runner.Memo(nil)
)

// toolKinds are the tools that an experiment may name.
var toolKinds = []struct {
	name, summary string
	stages        []string // that ask a model
	checkParams   func(map[string]any) error
}{
	{"citywalk", "CITYWALK: one test file for each public function, from its source, documents and callers", cityWalk.Stages(), cityWalk.ValidateParams},
	{"lisa", "LISA: API sequences from a model, then invariants as assertions, verified and repaired", append(lisa.Stages(), knowledge.Stages()...), lisa.ValidateParams},
	{"lisa-api", "LISA's first stage: API sequences from a model, guided by N-gram feedback", lisaAPI.Stages(), lisaAPI.ValidateParams},
	{"ossfuzz", "the library's official libFuzzer harnesses with the seeds and dictionaries of OSS-Fuzz", nil, noParams},
	{"randoop", "feedback-directed random API sequences with values recorded on the reference build", nil, randoop.Tool{}.ValidateParams},
	{"vanilla", "the model alone: one plain prompt, no feedback and no repair", plainModel.Stages(), plainModel.ValidateParams},
}

// The tools that ask models, as far as their names and parameters go.
var (
	cityWalk   = &citywalk.Tool{}
	lisa       = &invariant.Tool{}
	lisaAPI    = &sequence.Tool{}
	plainModel = vanilla.New("", nil, nil)
)

// stagesOf returns the parts of a tool that ask a model, whether it comes with bench or is one of the
// experiment's own.
func stagesOf(exp *experiments.Experiment, tool string) []string {
	for _, t := range toolKinds {
		if t.name == tool {
			return t.stages
		}
	}
	for _, t := range exp.Externals() {
		if t.Name == tool {
			return (&exttool.Command{Spec: t}).Stages()
		}
	}
	return nil
}

// noParams is the check of a tool that takes none.
func noParams(params map[string]any) error {
	names := slices.Sorted(maps.Keys(params))
	return fmt.Errorf("the tool takes no parameters; got %s", strings.Join(names, ", "))
}

// known is what an experiment may name.
func known(bench *lisabench.Bench) experiments.Known {
	k := experiments.Known{Libraries: bench.Libraries}
	for _, t := range toolKinds {
		k.Tools = append(k.Tools, experiments.ToolKind{Name: t.name, UsesModel: len(t.stages) > 0, Stages: t.stages})
	}
	return k
}

// A workplace says what a workshop is opened for.
type workplace struct {
	sandbox  string // one of experiments.Sandboxes
	scratch  string // directory for compiled tests
	cells    string // directory of the run's cells; "" if there is no run
	jobs     int    // cells worked on at once
	limits   sandbox.Limits
	includes []string
	keyEnv   string // variable with the key of an endpoint; "" if none is asked
}

// workshop finds the toolchain and puts the parts together.
func (a *app) workshop(ctx context.Context, bench *lisabench.Bench, p workplace) (shop *subject.Workshop, err error) {
	cache, err := a.cache()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(p.scratch, 0o755); err != nil {
		return nil, err
	}
	log, cpus := a.logger(), runtime.GOMAXPROCS(0) // fewer than the machine has where a scheduler allots them
	tools, compiler, err := a.compiler(ctx, cache, cpus)
	if err != nil {
		return nil, err
	}
	shop = &subject.Workshop{
		Bench: bench, Tools: tools, Compiler: compiler, Scratch: p.scratch, Limits: p.limits, Includes: p.includes,
		Verified: filepath.Join(cache, "verifications"),
		Workers:  max(1, cpus/max(1, p.jobs)),
		Sources:  source.New(filepath.Join(cache, "sources"), withoutKeys(a.environ, p.keyEnv), log),
		Builder:  libbuild.New(tools, cache, cpus, log),
	}
	if shop.Linker, err = toolchain.NewLinker(ctx, tools, filepath.Join(cache, "stubs"), nil); err != nil {
		return nil, err
	}
	readable := []string{filepath.Join(cache, "builds"), filepath.Join(cache, "fuzz"), p.scratch}
	if shop.Sandbox, err = a.newSandbox(ctx, p, tools, cache, readable); err != nil {
		return nil, err
	}
	shop.Fuzzer = &libfuzzer.Fuzzer{Limits: p.limits, Now: a.now, Log: log}
	if p.cells != "" { // fuzz targets read their corpora; test programs have nothing to read there
		readable = append(readable, p.cells)
	}
	shop.Fuzzer.Sandbox, err = a.newSandbox(ctx, p, tools, cache, readable)
	return shop, err
}

// compiler finds the toolchain, and makes the compiler of test programs with that many processes at once.
func (a *app) compiler(ctx context.Context, cache string, cpus int) (*toolchain.Tools, *toolchain.Compiler, error) {
	llvm, err := a.llvmDirs()
	if err != nil {
		return nil, nil, err
	}
	tools, err := toolchain.Find(ctx, llvm)
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n`bench doctor` lists everything; scripts/install.sh installs it", err)
	}
	compiler, err := toolchain.NewCompiler(tools, filepath.Join(cache, "preambles"), filepath.Join(cache, "plugins"), cpus, nil)
	return tools, compiler, err
}

// withoutKeys is the environment for git and apt, which need no key of an endpoint.
func withoutKeys(environ []string, keyEnv string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == llm.DefaultKeyEnv || name == keyEnv && keyEnv != ""
	})
}

// newSandbox returns the executor that p names, whose programs can read some directories.
func (a *app) newSandbox(ctx context.Context, p workplace, tools *toolchain.Tools, cache string, readable []string) (sandbox.Executor, error) {
	cfg := sandbox.Config{Tools: tools, Dir: filepath.Join(cache, "runners"), ReadOnly: readable, Limits: p.limits}
	for _, dir := range readable {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	switch p.sandbox {
	case "bwrap":
		return sandbox.NewBwrap(cfg)
	case "none":
		return sandbox.NewNone(cfg), nil
	case "docker":
		return sandbox.NewDocker(ctx, cfg, a.getenv("DOCKER_HOST"))
	}
	return nil, lisabench.NewUnknownError("sandbox", p.sandbox, experiments.Sandboxes)
}
