package source

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

var testEnv = []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1"}

func newStore(t *testing.T, env ...string) *Store {
	t.Helper()
	return New(t.TempDir(), append(append([]string(nil), testEnv...), env...), slog.New(slog.DiscardHandler))
}

// gitRepository makes a git repository with one commit per map of files, and returns its
// directory and the commits' ids.
func gitRepository(t *testing.T, states ...map[string]string) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		args = append([]string{"git", "-C", dir, "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"}, args...)
		out, err := toolchain.Run(t.Context(), toolchain.Command{Args: args, Env: testEnv})
		assert.NilError(t, err)
		return strings.TrimSpace(string(out.Stdout))
	}
	git("init", "--quiet")
	git("config", "uploadpack.allowFilter", "true")
	git("config", "uploadpack.allowAnySHA1InWant", "true")
	for i, files := range states {
		for name, text := range files {
			assert.NilError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
			assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		git("add", "-A")
		git("commit", "--quiet", "-m", "state", "--date", "2020-01-0"+string(rune('1'+i))+"T00:00:00Z")
		commits = append(commits, git("rev-parse", "HEAD"))
	}
	return dir, commits
}

// The history of a library: a buggy state, its fix, and a later change of the same file
// that leaves the fixed line alone.
var history = []map[string]string{
	{"a.c": "one\ntwo\nthree\nfour\nbuggy\nsix\nseven\neight\nnine\n"},
	{"a.c": "one\ntwo\nthree\nfour\nfixed\nsix\nseven\neight\nnine\n"},
	{"a.c": "ONE\ntwo\nthree\nfour\nfixed\nsix\nseven\neight\nnine\n", "b.c": "new\n"},
}

func upstreamLibrary(repo, pin string) *lisabench.Library {
	return &lisabench.Library{Name: "lib", Upstream: &lisabench.UpstreamPin{Repo: repo, Commit: pin}}
}

func read(t *testing.T, tree Tree, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(tree.Dir, file))
	assert.NilError(t, err)
	return string(data)
}

func TestUpstreamStrategies(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	lib := upstreamLibrary("file://"+repo, commits[2])
	s := newStore(t)
	for _, tt := range []struct {
		name         string
		how          lisabench.Reintroduce
		fixed, buggy string // first and fifth line
	}{
		{"revert", lisabench.Reintroduce{Strategy: lisabench.Revert}, "ONE fixed", "ONE buggy"},
		{"pair", lisabench.Reintroduce{Strategy: lisabench.PairOf, Parent: commits[0]}, "one fixed", "one buggy"},
		{"edit", lisabench.Reintroduce{Strategy: lisabench.EditTree, Edits: []lisabench.Edit{{File: "a.c", Anchor: "fixed", Replacement: "buggy"}}}, "ONE fixed", "ONE buggy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bug := &lisabench.Bug{ID: "lib-1", Fix: commits[1], Upstream: &tt.how}
			fixed, buggy, err := s.Buggy(t.Context(), lib, lisabench.Upstream, bug)
			assert.NilError(t, err)
			summary := func(tree Tree) string {
				lines := strings.Split(read(t, tree, "a.c"), "\n")
				return lines[0] + " " + lines[4]
			}
			assert.Check(t, summary(fixed) == tt.fixed && summary(buggy) == tt.buggy,
				"fixed %q, buggy %q; want %q, %q", summary(fixed), summary(buggy), tt.fixed, tt.buggy)
			for _, tree := range []Tree{fixed, buggy} {
				if _, err := os.Stat(filepath.Join(tree.Dir, ".git")); err == nil {
					t.Errorf("%s carries history", tree.Dir)
				}
			}
			again, _, err := s.Buggy(t.Context(), lib, lisabench.Upstream, bug)
			assert.Check(t, err == nil && again == fixed, "second call = %v, %v; want the same tree", again, err)
		})
	}
}

func TestSubtreeOfAnotherCommit(t *testing.T) {
	repo, commits := gitRepository(t, map[string]string{"a.c": "pin", "fuzz/f.c": "harness", "fuzz/f.h": "beside it"}, map[string]string{"a.c": "later"})
	s := newStore(t)
	dir, err := s.Subtree(t.Context(), "file://"+repo, commits[0], "fuzz")
	assert.NilError(t, err)
	if got := read(t, Tree{Dir: dir}, "fuzz/f.c") + ", " + read(t, Tree{Dir: dir}, "fuzz/f.h"); got != "harness, beside it" {
		t.Errorf("the directory holds %q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.c")); err == nil {
		t.Error("files outside of the directory came along")
	}
	var unavailable *unavailableError
	_, none := s.Subtree(t.Context(), "file://"+repo, commits[0], "nowhere")
	_, err = s.Subtree(t.Context(), "file:///nonexistent", commits[0], "fuzz")
	assert.Check(t, none != nil && !errors.As(none, &unavailable) && errors.As(err, &unavailable), "errors %v; %v", none, err)
}

func TestRevertThatConflicts(t *testing.T) {
	states := append([]map[string]string{}, history[:2]...)
	states = append(states, map[string]string{"a.c": "one\ntwo\nthree\nfour\nrewritten\nsix\nseven\neight\nnine\n"})
	repo, commits := gitRepository(t, states...)
	bug := &lisabench.Bug{ID: "lib-1", Fix: commits[1], Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}}
	s := newStore(t)
	_, _, err := s.Buggy(t.Context(), upstreamLibrary("file://"+repo, commits[2]), lisabench.Upstream, bug)
	if err == nil || !strings.Contains(err.Error(), "use pair or edit instead") || !strings.Contains(err.Error(), "could not revert") {
		t.Errorf("error = %v, want git's words and the way out", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "trees", "*"+sumSuffix)); len(left) != 1 {
		t.Errorf("trees left: %v, want the reference only", left)
	}
}

func TestInsteadOfIsHonoured(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	const published = "https://git.invalid/lib.git"
	s := newStore(t, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+repo+".insteadOf", "GIT_CONFIG_VALUE_0="+published)
	tree, err := s.Reference(t.Context(), upstreamLibrary(published, commits[2]), lisabench.Upstream)
	assert.Check(t, err == nil && read(t, tree, "b.c") == "new\n", "Reference = %v, %v", tree, err)
}

func TestReferenceErrors(t *testing.T) {
	repo, _ := gitRepository(t, history...)
	for url, want := range map[string]string{
		"file://" + filepath.Join(t.TempDir(), "nowhere"): "insteadOf",
		"file://" + repo: "fetch commit 111111111111",
	} {
		_, err := newStore(t).Reference(t.Context(), upstreamLibrary(url, strings.Repeat("1", 40)), lisabench.Upstream)
		assert.Check(t, err != nil && strings.Contains(err.Error(), want), "error = %v, want %q", err, want)
	}
}

// TestConsecutiveFixes reverts fixes of which one is the other's parent, at once: what is
// fetched for one must not take the history that the other needs.
func TestConsecutiveFixes(t *testing.T) {
	file := func(lines ...string) map[string]string {
		return map[string]string{"a.c": strings.Join(lines, "\nkeep\nkeep\nkeep\nkeep\n")}
	}
	repo, commits := gitRepository(t,
		file("bug1", "bug2", "bug3"), file("fix1", "bug2", "bug3"), file("fix1", "fix2", "bug3"), file("fix1", "fix2", "fix3"))
	lib := upstreamLibrary("file://"+repo, commits[3])
	s := newStore(t)
	var wg sync.WaitGroup
	for i := 1; i <= 3; i++ {
		wg.Go(func() {
			bug := &lisabench.Bug{ID: fmt.Sprintf("lib-%d", i), Fix: commits[i], Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}}
			_, buggy, err := s.Buggy(t.Context(), lib, lisabench.Upstream, bug)
			if err != nil {
				t.Errorf("%s: %v", bug.ID, err)
				return
			}
			data, err := os.ReadFile(filepath.Join(buggy.Dir, "a.c"))
			if got := string(data); err != nil || strings.Count(got, "bug") != 1 || !strings.Contains(got, fmt.Sprintf("bug%d", i)) {
				t.Errorf("%s: tree holds %q, %v", bug.ID, got, err)
			}
		})
	}
	wg.Wait()
}

func TestEnvironmentOfAHook(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	mine := t.TempDir()
	s := newStore(t, "GIT_DIR="+mine, "GIT_INDEX_FILE="+filepath.Join(mine, "index"), "GIT_WORK_TREE="+mine)
	bug := &lisabench.Bug{ID: "lib-1", Fix: commits[1], Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}}
	_, buggy, err := s.Buggy(t.Context(), upstreamLibrary("file://"+repo, commits[2]), lisabench.Upstream, bug)
	assert.Check(t, err == nil && strings.Contains(read(t, buggy, "a.c"), "buggy"), "Buggy = %v, %v", buggy, err)
	if left, err := os.ReadDir(mine); err != nil || len(left) > 0 {
		t.Errorf("written into the hook's repository: %v, %v", left, err)
	}
}

// TestFilesAreFetchedTogether: a blob-filtered repository on a distant host is usable only if
// a tree's files do not come one by one.
func TestFilesAreFetchedTogether(t *testing.T) {
	many := map[string]string{}
	for i := range 20 {
		many[fmt.Sprintf("%d.c", i)] = fmt.Sprint(i)
	}
	repo, commits := gitRepository(t, many)
	trace := filepath.Join(t.TempDir(), "trace")
	s := newStore(t, "GIT_TRACE="+trace)
	tree, err := s.Reference(t.Context(), upstreamLibrary("file://"+repo, commits[0]), lisabench.Upstream)
	assert.Assert(t, err == nil && read(t, tree, "19.c") == "19", "Reference = %v, %v", tree, err)
	data, err := os.ReadFile(trace)
	if n := strings.Count(string(data), "built-in: git fetch"); err != nil || n == 0 || n > 3 {
		t.Errorf("%d fetches for 20 files, %v", n, err)
	}
}

// TestKilledBefore: what a killed process left of a tree is in nobody's way.
func TestKilledBefore(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	lib := upstreamLibrary("file://"+repo, commits[2])
	s := newStore(t)
	tree, err := s.Reference(t.Context(), lib, lisabench.Upstream)
	assert.NilError(t, err)
	half := filepath.Join(filepath.Dir(tree.Dir), ".tmp-"+filepath.Base(tree.Dir))
	assert.NilError(t, errors.Join(os.Rename(tree.Dir, half), os.Remove(filepath.Join(half, "b.c")), os.WriteFile(filepath.Join(half, "junk"), nil, 0o644)))
	if _, err := s.Reference(t.Context(), lib, lisabench.Upstream); err != nil || read(t, tree, "b.c") != "new\n" {
		t.Errorf("Reference: %v", err)
	}
	if _, err := os.Stat(filepath.Join(tree.Dir, "junk")); err == nil {
		t.Error("the tree holds what the killed process left")
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "*", ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestDamagedTreeIsMadeAnew: a file that was cut, changed, added or removed.
func TestDamagedTreeIsMadeAnew(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	lib := upstreamLibrary("file://"+repo, commits[2])
	s := newStore(t)
	tree, err := s.Reference(t.Context(), lib, lisabench.Upstream)
	assert.NilError(t, err)
	text, file := read(t, tree, "a.c"), filepath.Join(tree.Dir, "a.c")
	for name, damage := range map[string]func() error{
		"cut":     func() error { return os.Truncate(file, 3) },
		"changed": func() error { return os.WriteFile(file, []byte(strings.Replace(text, "one", "One", 1)), 0o644) },
		"added":   func() error { return os.WriteFile(filepath.Join(tree.Dir, "b.h"), nil, 0o644) },
		"removed": func() error { return os.Remove(file) },
		"linked":  func() error { return errors.Join(os.Remove(file), os.Symlink("/etc/passwd", file)) },
		"no sum":  func() error { return os.WriteFile(tree.Dir+sumSuffix, nil, 0o644) },
	} {
		assert.NilError(t, damage())
		s = New(s.dir, os.Environ(), slog.New(slog.DiscardHandler))
		again, err := s.Reference(t.Context(), lib, lisabench.Upstream)
		assert.Check(t, err == nil && again == tree && read(t, again, "a.c") == text, "%s: %v, %v", name, again, err)
		if _, err := os.Stat(filepath.Join(tree.Dir, "b.h")); err == nil {
			t.Errorf("%s: the other file is still there", name)
		}
	}
}
