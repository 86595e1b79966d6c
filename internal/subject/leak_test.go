package subject

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/source"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// openTarget returns a library of the embedded benchmark with what tools get of it.
func openTarget(t *testing.T, bench *lisabench.Bench, name string) (*Library, trial.Target) {
	t.Helper()
	dir := t.TempDir()
	tools, err := toolchain.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	shop := &Workshop{
		Bench: bench, Tools: tools, Scratch: filepath.Join(dir, "scratch"), Workers: 2, Limits: sandbox.DefaultLimits,
		Sources: source.New(filepath.Join(dir, "sources"), os.Environ(), log),
		Builder: libbuild.New(tools, filepath.Join(dir, "cache"), 2, log),
	}
	t.Cleanup(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	})
	lib, err := shop.Open(t.Context(), name, lisabench.Debian)
	if err != nil {
		t.Fatal(err)
	}
	target, err := lib.target(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return lib, target
}

// forbiddenName matches files and directories that tell what was once wrong.
var forbiddenName = regexp.MustCompile(`(?i)^(\.git.*|\.pc|debian|tests?|testsuite|changelog.*|changes.*|history.*|news.*|.*\.(patch|diff|orig|rej))$`)

// secrets are the texts that give a bug away, with what they are.
func secrets(bug *lisabench.Bug) map[string]string {
	s := map[string]string{
		bug.ID: "id", bug.Fix[:10]: "fix commit", bug.Title: "title", bug.Symptom: "symptom", bug.Witness.File: "witness",
		bug.Reference: "reference",
	}
	for line := range strings.Lines(bug.Witness.Source) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "assert(") && len(line) > 30 {
			s[line] = "line of the witness"
		}
	}
	for _, how := range []*lisabench.Reintroduce{bug.Upstream, bug.Debian} {
		if how == nil {
			continue
		}
		s[how.Patch], s[how.Commit], s[how.Parent] = "patch", "fix commit", "buggy commit"
	}
	delete(s, "")
	return s
}

// leaks names the secrets that text holds.
func leaks(text, where string, bugs []*lisabench.Bug) []string {
	var found []string
	for _, b := range bugs {
		for secret, what := range secrets(b) {
			if strings.Contains(text, secret) {
				found = append(found, where+" has the "+what+" of "+b.ID+": "+secret)
			}
		}
	}
	slices.Sort(found)
	return found
}

// TestToolsSeeNothingOfTheBugs looks into everything that tools can read: the view of the
// source, the headers, and the target itself.
func TestToolsSeeNothingOfTheBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches source packages with apt and builds them")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cJSON", "zlib"} {
		t.Run(name, func(t *testing.T) {
			lib, target := openTarget(t, bench, name)
			data, err := json.Marshal(target)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range leaks(string(data), "the target", lib.Spec.Bugs) {
				t.Error(l)
			}
			for _, dir := range append([]string{target.SourceDir}, target.IncludeDirs...) {
				checkDirectory(t, dir, lib.Spec.Bugs)
			}
			checkPaths(t, target)
		})
	}
}

// checkDirectory checks names and contents of all that is below dir.
func checkDirectory(t *testing.T, dir string, bugs []*lisabench.Bug) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if forbiddenName.MatchString(d.Name()) {
			t.Errorf("tools can see %s", path)
		}
		if d.IsDir() {
			return nil
		}
		if !d.Type().IsRegular() {
			t.Errorf("%s is no regular file: it can lead elsewhere", path)
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		for _, l := range leaks(string(text), path, bugs) {
			t.Error(l)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files in %s, %v", files, dir, err)
	}
}

// checkPaths checks that what the target points at is there, in the view where it can be.
func checkPaths(t *testing.T, target trial.Target) {
	t.Helper()
	var paths []string
	for _, d := range target.Documents {
		if !filepath.IsLocal(d) {
			t.Errorf("document %s is outside of the view", d)
		}
		paths = append(paths, filepath.Join(target.SourceDir, d))
	}
	for _, h := range target.Headers {
		paths = append(paths, filepath.Join(target.IncludeDirs[0], h))
	}
	for _, f := range target.FuzzTargets {
		if f.Missing != "" {
			continue
		}
		paths = append(paths, f.Source, f.Executable)
		for _, s := range f.Seeds {
			if !strings.HasPrefix(s, target.SourceDir+string(filepath.Separator)) {
				t.Errorf("seed %s is not in the view", s)
			}
			paths = append(paths, s)
		}
		if f.Dictionary != "" {
			paths = append(paths, f.Dictionary)
		}
	}
	for _, p := range append(paths, target.SharedLib) {
		if _, err := os.Stat(p); err != nil {
			t.Error(err)
		}
	}
}

func TestLeaksAreFound(t *testing.T) {
	bug := &lisabench.Bug{ID: "lib-1", Fix: strings.Repeat("ab", 20), Title: "counts twice", Symptom: "n is too large",
		Debian:  &lisabench.Reintroduce{Patch: "CVE.patch"},
		Witness: lisabench.Witness{File: "lib-1.c", Source: "int main(void) {\n  assert(count(list, 10000) == 10000);\n}\n"}}
	for what, text := range map[string]string{
		"id": "see lib-1 ", "fix commit": "fixed in ababababab.", "title": "It counts twice", "patch": "CVE.patch",
		"line of the witness": "assert(count(list, 10000) == 10000);",
	} {
		got := leaks(text, "x", []*lisabench.Bug{bug})
		if len(got) != 1 || !strings.Contains(got[0], "has the "+what+" of lib-1") {
			t.Errorf("in %q found %q, want the %s", text, got, what)
		}
	}
}

func TestUnknownLibraryIsNoIncompleteCell(t *testing.T) {
	shop := &Workshop{Bench: &lisabench.Bench{}}
	_, err := shop.Open(t.Context(), "zlip", lisabench.Debian)
	var unknown *lisabench.UnknownError
	if !errors.As(err, &unknown) {
		t.Errorf("error = %v", err)
	}
}
