package workshop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// openTarget returns a library of the embedded benchmark with what tools get of it.
func openTarget(t *testing.T, bench *lisabench.Bench, name string) (*OpenLibrary, trial.Target) {
	t.Helper()
	dir := t.TempDir()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	log := slog.New(slog.DiscardHandler)
	shop := &Workshop{
		Bench: bench, Tools: tools, Scratch: filepath.Join(dir, "scratch"), Workers: 2, Limits: sandbox.DefaultLimits,
		Sources: source.New(testcache.Dir("sources"), os.Environ(), log),
		Builder: libbuild.New(tools, testcache.Dir(""), 2, log),
	}
	t.Cleanup(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	})
	lib, err := shop.Open(t.Context(), name, lisabench.Debian)
	assert.NilError(t, err)
	target := lib.target()
	target.FuzzTargets, err = lib.fuzzTargets()
	assert.NilError(t, err)
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
		line = strings.TrimSpace(line)
		whole := strings.HasSuffix(line, ";") && strings.Count(line, "(") == strings.Count(line, ")") // the end of a call may be anybody's
		if len(line) > 30 && whole && !strings.HasPrefix(line, "*") {
			s[line] = "line of the witness" // of its code: comments quote documents, which tools may read
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
			if strings.Contains(text, secret) && (what != "id" || namesID(text, secret)) {
				found = append(found, where+" has the "+what+" of "+b.ID+": "+secret)
			}
		}
	}
	slices.Sort(found)
	return found
}

// namesID reports whether text has the id of a bug in it, and not a file or a version that
// begins like one: libpng-1 is no part of libpng-1.6.39 or libpng-16.
func namesID(text, id string) bool {
	return regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(id) + `($|[^\w.-]|\.($|\D))`).MatchString(text)
}

// TestToolsSeeNothingOfTheBugs looks into everything that tools can read: the view of the source, the headers, and the
// target itself, of two libraries that are quickly built; of one in short mode.
func TestToolsSeeNothingOfTheBugs(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	for _, name := range []string{"cJSON", "zlib"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "cJSON" {
				t.Skip("builds another library")
			}
			lib, target := openTarget(t, bench, name)
			data, err := json.Marshal(target)
			assert.NilError(t, err)
			for _, l := range leaks(string(data), "the target", lib.Spec.Bugs) {
				t.Error(l)
			}
			for _, dir := range append([]string{target.SourceDir}, target.IncludeDirs...) {
				checkDirectory(t, dir, lib.Spec)
			}
			checkPaths(t, target)
		})
	}
}

// TestViewsOfAllLibraries looks into what tools can read of every library before anything is built: the view, the
// headers that the recipe generates, the rules, and the harnesses with their seeds. What is in a view is in the pinned
// tree with the same bytes, so nothing in it is later than the pin.
func TestViewsOfAllLibraries(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	log := slog.New(slog.DiscardHandler)
	sources := source.New(testcache.Dir("sources"), os.Environ(), log)
	builder := libbuild.New(tools, t.TempDir(), 2, log)
	for _, lib := range bench.Libraries {
		if !lib.Has(lisabench.Debian) {
			continue
		}
		t.Run(lib.Name, func(t *testing.T) {
			if testing.Short() && lib.Name != "cJSON" && lib.Name != "zlib" {
				t.Skip("fetches another library")
			}
			tree, err := sources.Reference(t.Context(), lib, lisabench.Debian)
			assert.NilError(t, err)
			view, err := sources.ToolView(t.Context(), lib, tree)
			assert.NilError(t, err)
			checkDirectory(t, view, lib)
			checkSameAs(t, view, tree.Dir)
			checkFuzzTargets(t, view, lib)
			dir, _, err := builder.Sources(t.Context(), libbuild.Request{Library: lib, Edition: lisabench.Debian, Tree: tree})
			assert.NilError(t, err)
			for _, h := range lib.Headers {
				text, err := os.ReadFile(filepath.Join(dir, h))
				if err != nil {
					t.Error(err)
				}
				for _, l := range leaks(string(text), h, lib.Bugs) {
					t.Error(l)
				}
			}
			told, err := json.Marshal([]any{lib.Rules, lib.Description, lib.DocumentsFor(lisabench.Debian)})
			assert.NilError(t, err)
			for _, l := range leaks(string(told), "what the target says", lib.Bugs) {
				t.Error(l)
			}
			for _, d := range lib.DocumentsFor(lisabench.Debian) {
				if _, err := os.Stat(filepath.Join(view, d)); err != nil {
					t.Errorf("tools are promised a document: %v", err)
				}
			}
		})
	}
}

// checkSameAs checks that every file below view is in tree with the same content.
func checkSameAs(t *testing.T, view, tree string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(view), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		have, err := os.ReadFile(filepath.Join(view, name))
		if err != nil {
			return err
		}
		pinned, err := os.ReadFile(filepath.Join(tree, name))
		assert.Check(t, err == nil && bytes.Equal(have, pinned), "%s is not as in the pinned tree: %v", name, err)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// checkFuzzTargets checks that a library's harnesses find in the view what they need, as far
// as that lies in the library's own tree.
func checkFuzzTargets(t *testing.T, view string, lib *lisabench.Library) {
	t.Helper()
	for _, spec := range lib.FuzzTargets {
		f, err := resolveFuzzTarget(spec, view, func(_, file string) (string, error) { return filepath.Join(view, file), nil })
		if err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(f.Source); err != nil && spec.Origin == lisabench.OriginTree {
			t.Error(err)
		}
	}
}

// checkDirectory checks names and contents of all that is below dir. A directory whose name
// is forbidden may hold the harnesses of the library's fuzz targets, and nothing else.
func checkDirectory(t *testing.T, dir string, lib *lisabench.Library) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if forbiddenName.MatchString(d.Name()) && !(d.IsDir() && onlyHarnesses(t, dir, path, lib)) {
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
		for _, l := range leaks(string(text), path, lib.Bugs) {
			t.Error(l)
		}
		return err
	})
	assert.Check(t, err == nil && files != 0, "%d files in %s, %v", files, dir, err)
}

// onlyHarnesses reports whether every file below the directory sub of the view is the source of a fuzz target.
func onlyHarnesses(t *testing.T, view, sub string, lib *lisabench.Library) bool {
	t.Helper()
	err := filepath.WalkDir(sub, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		harness := func(f lisabench.FuzzTarget) bool {
			return f.Origin == lisabench.OriginTree && filepath.Join(view, f.Source) == path
		}
		if !slices.ContainsFunc(lib.FuzzTargets, harness) {
			return errors.New(path)
		}
		return nil
	})
	return err == nil
}

// checkPaths checks that what the target points at is there, in the view where it can be.
func checkPaths(t *testing.T, target trial.Target) {
	t.Helper()
	var paths []string
	for _, d := range target.Documents {
		assert.Check(t, filepath.IsLocal(d), "document %s is outside of the view", d)
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
			assert.Check(t, strings.HasPrefix(s, target.SourceDir+string(filepath.Separator)),
				"seed %s is not in the view", s)
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
		assert.Check(t, len(got) == 1 && strings.Contains(got[0], "has the "+what+" of lib-1"),
			"in %q found %q, want the %s", text, got, what)
	}
}

var (
	cited   = regexp.MustCompile(`(?m)^// Document: (.*) \(([^()]+)\)$`)
	spacing = regexp.MustCompile(`[\s*]+`)
)

// TestSuspicionPrograms runs the programs of testdata/suspicions on the reference builds: each prints what its
// .stdout has, or the sanitizers report what its .sanitizer has. The sentence that it cites is in the library's source.
func TestSuspicionPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two libraries, also with sanitizers")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	for _, name := range []string{"cJSON", "libpng"} {
		t.Run(name, func(t *testing.T) {
			lib, _ := openTarget(t, bench, name)
			equip(t, lib)
			archive, err := txtar.ParseFile(filepath.Join("testdata", "suspicions", name+".txtar"))
			assert.NilError(t, err)
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			for file, source := range files {
				if id := strings.TrimSuffix(file, ".c"); id != file {
					checkSentence(t, lib, source)
					runSuspicion(t, lib, files["prelude.h"]+source, files[id+".stdout"], files[id+".sanitizer"])
				}
			}
		})
	}
}

func runSuspicion(t *testing.T, lib *OpenLibrary, source, stdout, sanitizer string) {
	t.Helper()
	if stdout == "" && sanitizer == "" {
		t.Fatalf("nothing is expected of\n%s", source)
	}
	reference := testrun.Reference{Engine: lib.Engine, Plain: lib.Plain, Sanitizer: lib.sanitizer}
	programs := []trial.Program{{ID: "p", Lang: trial.C, Source: source}}
	results, err := reference.Run(t.Context(), programs, trial.ExecOptions{Stdout: true, Sanitize: sanitizer != ""})
	assert.NilError(t, err)
	r := results[0]
	if sanitizer != "" {
		if said := r.Diagnostic + r.Stderr; r.Outcome != trial.Crash || !strings.Contains(said, strings.TrimSpace(sanitizer)) {
			t.Errorf("%s\nends with %s and says %q, not %q", source, r.Outcome, said, sanitizer)
		}
	} else if r.Outcome != trial.OK || r.Stdout != stdout {
		t.Errorf("%s\nends with %s %s and prints %q, not %q", source, r.Outcome, r.Diagnostic, r.Stdout, stdout)
	}
}

// checkSentence looks for the sentence that a program cites in the file that it names.
func checkSentence(t *testing.T, lib *OpenLibrary, source string) {
	t.Helper()
	flat := func(s string) string { return spacing.ReplaceAllString(s, " ") }
	m := cited.FindStringSubmatch(source)
	assert.Assert(t, m != nil, "no document is cited in\n%s", source)
	text, err := os.ReadFile(filepath.Join(lib.Tree.Dir, filepath.FromSlash(path.Clean(m[2]))))
	if err != nil {
		t.Error(err)
	} else if !strings.Contains(flat(string(text)), flat(m[1])) {
		t.Errorf("%s does not say %q", m[2], m[1])
	}
}
