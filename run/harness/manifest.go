package harness

import (
	"os"
	"regexp"
	"runtime"
	"runtime/debug"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/agentspace"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// version is the program's version in manifests and reports.
const version = "0.1.0"

// manifest says what the run is made with.
func (x *Execution) manifest(e *Env, shop *workshop.Workshop) results.Manifest {
	m := results.Manifest{
		Schema: results.ManifestSchema, Name: x.Experiment.Name, Bench: Version(), Corpus: x.Bench.Version, Created: e.Now(),
		Seed: x.Experiment.Seed, Jobs: x.Jobs, Host: host(), Tools: map[string]string{}, Sources: map[string]string{},
		Models: modelsOf(x.Experiment),
	}
	for _, t := range shop.Tools.Describe() {
		if t.Version != "" {
			m.Tools[t.Name] = t.Version
		}
	}
	for _, t := range x.Experiment.Externals() {
		m.Tools["tool "+t.Name] = (&exttool.Command{Spec: t, SpaceVersion: agentspace.Version()}).Version()
	}
	if d, ok := shop.Sandbox.(*sandbox.Docker); ok {
		m.Image, m.Tools["docker"] = d.Image(), d.Daemon()
	}
	for _, l := range x.Experiment.AllLibraries() {
		lib, err := x.Bench.Library(l.Name)
		if err != nil {
			continue // the experiment was checked against the same benchmark
		}
		m.Sources[l.Name+" "+string(l.Edition)] = lib.Pin(l.Edition)
	}
	return m
}

// modelsOf says with what model and settings each stage of an experiment asks. A stage that a variant asks with a model of
// its own is named once more, with that.
func modelsOf(exp *experiments.Experiment) map[string]string {
	if exp.LLM == nil {
		return nil
	}
	models := map[string]string{}
	for model, stages := range stagesOf(exp, func(trial.Cell) bool { return true }) {
		for _, stage := range stages {
			settings, name := exp.LLM.With(model).For(stage), stage
			if model != "" {
				name += " of " + model
			}
			models[name] = settings.String()
		}
	}
	return models
}

// Version is the program's version with the commit it was built from, where Go knows it.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return version + " " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return version
}

var cpuModel = regexp.MustCompile(`(?m)^model name\s*:\s*(.*?)\s*$`)

func host() results.Host {
	h := results.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()}
	h.Name, _ = os.Hostname()
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		h.Kernel = unix.ByteSliceToString(u.Release[:])
	}
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	if m := cpuModel.FindSubmatch(cpuinfo); m != nil {
		h.CPU = string(m[1])
	}
	return h
}
