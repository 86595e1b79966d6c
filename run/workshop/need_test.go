package workshop

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

// key is what a build's directory ends with.
var key = regexp.MustCompile("-[0-9a-f]{16}$")

// TestNothingIsBuiltBeforeItIsNeeded starts from an empty cache and looks what is in it after each request.
func TestNothingIsBuiltBeforeItIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches a source package with apt and builds it")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	log, cache := slog.New(slog.DiscardHandler), t.TempDir()
	shop := &Workshop{
		Bench: bench, Tools: tools, Scratch: t.TempDir(), Workers: 1, Limits: sandbox.DefaultLimits,
		Sources: source.New(testcache.Dir("sources"), os.Environ(), log),
		Builder: libbuild.New(tools, cache, 2, log),
	}
	t.Cleanup(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	})
	cJSON := runner.Library{Name: "cJSON", Edition: "debian", Bugs: []string{"cjson-1"}}
	needs := func(n trial.Needs) func() error {
		return func() error {
			p, err := shop.Prepare(t.Context(), cJSON, n)
			if err == nil && (len(p.Target.FuzzTargets) > 0) != n.FuzzTargets {
				t.Errorf("%+v gives the fuzz targets %+v", n, p.Target.FuzzTargets)
			}
			return err
		}
	}
	var lib *OpenLibrary
	for _, step := range []struct {
		name string
		do   func() error
		want string // builds made by then
	}{
		{"opening", func() (err error) { lib, err = shop.Open(t.Context(), "cJSON", lisabench.Debian); return err }, "cJSON-plain"},
		{"a tool that needs nothing", needs(trial.Needs{}), "cJSON-plain"},
		{"a tool that needs the sanitizers", needs(trial.Needs{Sanitizer: true}), "cJSON-plain cJSON-sanitizer"},
		{"coverage", func() error { _, err := lib.Coverage(t.Context()); return err }, "cJSON-coverage cJSON-plain cJSON-sanitizer"},
		{"a bug", func() error {
			_, _, err := lib.Bug(t.Context(), lib.Spec.Bugs[0])
			return err
		}, "cJSON-coverage cJSON-plain cJSON-plain cJSON-sanitizer"},
		{"a fuzzer", needs(trial.Needs{FuzzTargets: true}), "cJSON-coverage cJSON-fuzzer cJSON-plain cJSON-plain cJSON-sanitizer cJSON-cjson_read_fuzzer"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		var made []string
		for _, part := range []string{"builds", "fuzz"} {
			dirs, err := filepath.Glob(filepath.Join(cache, part, "*"))
			assert.NilError(t, err)
			slices.Sort(dirs)
			for _, d := range dirs {
				made = append(made, key.ReplaceAllString(filepath.Base(d), ""))
			}
		}
		if got := strings.Join(made, " "); got != step.want {
			t.Errorf("after %s there are the builds %q, want %q", step.name, got, step.want)
		}
	}
}
