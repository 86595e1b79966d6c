package workshop

import (
	"errors"
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

func TestKeys(t *testing.T) {
	newShop := func(change func(*Workshop, *lisabench.Library)) *Workshop {
		lib := &lisabench.Library{Name: "lib", Bugs: []*lisabench.Bug{{ID: "lib-1"}, {ID: "lib-2"}}}
		w := &Workshop{Bench: &lisabench.Bench{Libraries: []*lisabench.Library{lib}}, Tools: &toolchain.Tools{}}
		w.Tools.Clang.Version = "19.1"
		change(w, lib)
		return w
	}
	library := runner.Library{Name: "lib", Edition: "debian", Bugs: []string{"lib-1"}}
	keys := func(w *Workshop) runner.Keys {
		t.Helper()
		k, err := w.Keys(t.Context(), library)
		assert.NilError(t, err)
		return k
	}
	base := keys(newShop(func(*Workshop, *lisabench.Library) {}))
	for _, tt := range []struct {
		name               string
		change             func(*Workshop, *lisabench.Library)
		generate, evaluate bool // whether that key changes
	}{
		{"nothing", func(*Workshop, *lisabench.Library) {}, false, false},
		{"recipe", func(_ *Workshop, l *lisabench.Library) { l.Recipe.Defines = []string{"X"} }, true, true},
		{"compiler", func(w *Workshop, _ *lisabench.Library) { w.Tools.Clang.Version = "19.2" }, true, true},
		{"limits", func(w *Workshop, _ *lisabench.Library) { w.Limits.Wall = 1 }, true, true},
		{"include directories", func(w *Workshop, _ *lisabench.Library) { w.Extras.Includes = []string{"/x"} }, true, true},
		{"the bug", func(_ *Workshop, l *lisabench.Library) { l.Bugs[0].Debian = &lisabench.Reintroduce{Patch: "p"} }, false, true},
		{"a bug that is not asked for", func(_ *Workshop, l *lisabench.Library) { l.Bugs[1].Title = "x" }, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := keys(newShop(tt.change))
			if (k.Generate != base.Generate) != tt.generate || (k.Evaluate != base.Evaluate) != tt.evaluate {
				t.Errorf("generation changes %v, evaluation %v; want %v, %v", k.Generate != base.Generate, k.Evaluate != base.Evaluate, tt.generate, tt.evaluate)
			}
		})
	}
	var unknown *lisabench.UnknownError
	library.Bugs = []string{"lib-3"}
	if _, err := newShop(func(*Workshop, *lisabench.Library) {}).Keys(t.Context(), library); !errors.As(err, &unknown) {
		t.Errorf("unknown bug: %v", err)
	}
}

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
