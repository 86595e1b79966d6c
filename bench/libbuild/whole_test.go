package libbuild

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestRecipesStayInTheTree: what a recipe copies, writes and installs, where the tree has links that
// lead out of it.
func TestRecipesStayInTheTree(t *testing.T) {
	for name, change := range map[string]func(*lisabench.Library){
		"writes over a link":     func(l *lisabench.Library) { l.Recipe.Write = []lisabench.WriteStep{{To: "out", Text: "written"}} },
		"writes below a link":    func(l *lisabench.Library) { l.Recipe.Write = []lisabench.WriteStep{{To: "up/victim", Text: "written"}} },
		"copies to a link":       func(l *lisabench.Library) { l.Recipe.Copy = []lisabench.CopyStep{{From: "zero.c", To: "out"}} },
		"copies what is outside": func(l *lisabench.Library) { l.Recipe.Copy = []lisabench.CopyStep{{From: "out", To: "in.h"}} },
		"installs from outside":  func(l *lisabench.Library) { l.Headers = append(l.Headers, "up/victim") },
	} {
		t.Run(name, func(t *testing.T) {
			tr := tree(t, "t", counterLibrary)
			outside := t.TempDir()
			victim := filepath.Join(outside, "victim")
			err := errors.Join(os.WriteFile(victim, []byte("untouched"), 0o644),
				os.Symlink(victim, filepath.Join(tr.Dir, "out")), os.Symlink(outside, filepath.Join(tr.Dir, "up")))
			assert.NilError(t, err)
			lib := library()
			change(lib)
			_, err = newBuilder(t, t.TempDir()).Build(t.Context(), Request{Library: lib, Tree: tr, Variant: Plain})
			assert.Check(t, err != nil && strings.Contains(err.Error(), "escapes"), "error %v", err)
			if text, err := os.ReadFile(victim); err != nil || string(text) != "untouched" {
				t.Errorf("the file outside is %q, %v", text, err)
			}
		})
	}
}

// TestDamagedDirectoryIsMadeAgain: prepared trees and fuzz targets have no build.json.
func TestDamagedDirectoryIsMadeAgain(t *testing.T) {
	cache := t.TempDir()
	tr := tree(t, "t", changed(counterLibrary, "fuzz/harness.c", "", counterHarness))
	lib := library()
	lib.Recipe.Write = []lisabench.WriteStep{{To: "made.h", Text: "#define MADE 1\n"}}
	r := Request{Library: lib, Tree: tr, Variant: Plain}
	target := trial.FuzzTarget{Name: "target", Source: filepath.Join(tr.Dir, "fuzz", "harness.c"), Defines: []string{"OPTION"}}
	fuzz, err := newBuilder(t, cache).FuzzTarget(t.Context(), r, target)
	assert.NilError(t, err)
	dir, _, err := newBuilder(t, cache).Sources(t.Context(), r)
	assert.NilError(t, err)
	for _, file := range []string{filepath.Join(dir, "counter.c"), fuzz.Executable, fuzz.Replay} {
		assert.NilError(t, os.Truncate(file, 10))
		b := newBuilder(t, cache)
		_, _, err := b.Sources(t.Context(), r)
		_, fuzzErr := b.FuzzTarget(t.Context(), r, target)
		info, statErr := os.Stat(file)
		if err := errors.Join(err, fuzzErr, statErr); err != nil || info.Size() == 10 {
			t.Errorf("%s was not made again: %v", file, err)
		}
	}
}
