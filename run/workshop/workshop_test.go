package workshop

import (
	"errors"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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
