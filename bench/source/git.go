package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// fetchTimeout bounds one git fetch: a host that swallows packets must not hang a run.
const fetchTimeout = 5 * time.Minute

// connectTimeout bounds the first contact with a git host.
const connectTimeout = 30 * time.Second

// An unavailableError is a repository that cannot be reached from here.
type unavailableError struct {
	Repo string
	Err  error
}

func (e *unavailableError) Error() string {
	words := e.Err.Error()
	var failed *toolchain.CommandError
	if errors.As(e.Err, &failed) {
		words = strings.TrimSpace(string(failed.Stderr))
	}
	return fmt.Sprintf("%s cannot be reached (%s); where a copy of it lies elsewhere, point git at it: git config --global url.<copy>.insteadOf %s",
		e.Repo, words, e.Repo)
}

func (e *unavailableError) Unwrap() error { return e.Err }

// Unreachable says that another try may succeed.
func (e *unavailableError) Unreachable() bool { return true }

// export returns the tree of a commit, without history.
func (s *Store) export(ctx context.Context, repo, commit string) (Tree, error) {
	return s.make(ctx, keyOf("git", repo, commit), func(dir string) error {
		return s.withCommits(ctx, repo, []revision{{commit, 1}}, func(git string) error {
			return s.checkout(ctx, git, commit+":", dir)
		})
	})
}

// reverted returns the pinned tree with the fix reverted.
func (s *Store) reverted(ctx context.Context, pin *lisabench.UpstreamPin, fix string) (Tree, error) {
	return s.make(ctx, keyOf("revert", pin.Repo, pin.Commit, fix), func(dir string) error {
		return s.withCommits(ctx, pin.Repo, []revision{{pin.Commit, 1}, {fix, 2}}, func(git string) error {
			return s.revert(ctx, git, pin.Commit, fix, dir)
		})
	})
}

// revert writes commit with fix reverted into dir.
func (s *Store) revert(ctx context.Context, git, commit, fix, dir string) error {
	if err := os.Remove(dir); err != nil { // git makes it itself
		return err
	}
	if _, err := s.git(ctx, git, "worktree", "add", "--detach", "--force", dir, commit); err != nil {
		return err
	}
	args := slices.Concat([]string{"git"}, gitSettings,
		[]string{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "revert", "--no-commit", fix})
	if _, err := s.run(ctx, dir, args...); err != nil {
		return fmt.Errorf("revert %.12s on %.12s (use pair or edit instead): %w", fix, commit, err)
	}
	if err := os.Remove(filepath.Join(dir, ".git")); err != nil {
		return err
	}
	_, err := s.git(ctx, git, "worktree", "prune")
	return err
}

// OSSFuzz returns the directory of a project in the OSS-Fuzz repository. The error is an
// *unavailableError if the repository cannot be reached.
func (s *Store) OSSFuzz(ctx context.Context, project string) (string, error) {
	tree, err := s.make(ctx, keyOf("oss-fuzz", lisabench.OSSFuzzRepo, lisabench.OSSFuzzCommit, project), func(dir string) error {
		return s.withCommits(ctx, lisabench.OSSFuzzRepo, []revision{{lisabench.OSSFuzzCommit, 1}}, func(git string) error {
			return s.checkout(ctx, git, lisabench.OSSFuzzCommit+":projects/"+project, dir)
		})
	})
	return tree.Dir, err
}

// Harness returns a tree that holds the directory of a library's repository in which its fuzz
// harnesses lie. It is taken at a commit other than the pinned one, at the same place, and nothing else of
// that commit. The error is an *unavailableError if the repository cannot be reached.
func (s *Store) Harness(ctx context.Context, repo, commit, within string) (string, error) {
	tree, err := s.make(ctx, keyOf("harness", repo, commit, within), func(dir string) error {
		at := filepath.Join(dir, filepath.FromSlash(within))
		if err := os.MkdirAll(at, 0o777); err != nil {
			return err
		}
		return s.withCommits(ctx, repo, []revision{{commit, 1}}, func(git string) error {
			return s.checkout(ctx, git, commit+":"+within, at)
		})
	})
	return tree.Dir, err
}

// History returns a git directory with the whole history of a library's upstream, as it is now.
func (s *Store) History(ctx context.Context, lib *lisabench.Library) (string, error) {
	if lib.Upstream == nil {
		return "", fmt.Errorf("library %s has no upstream repository here", lib.Name)
	}
	git := filepath.Join(s.dir, "git", keyOf("history", lib.Upstream.Repo)[:24])
	unlock, err := s.lock(ctx, "git-"+filepath.Base(git))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(git, "config")); err == nil {
		_, err = s.git(ctx, git, "fetch", "--quiet", "origin", "+HEAD:HEAD")
		return git, err
	}
	tmp, err := s.tempDir("git", filepath.Base(git))
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if _, err := s.run(ctx, "", "git", "clone", "--quiet", "--bare", "--single-branch", lib.Upstream.Repo, tmp); err != nil {
		return "", &unavailableError{Repo: lib.Upstream.Repo, Err: err}
	}
	return git, os.Rename(tmp, git)
}

// A revision is a commit with so many generations of history, itself included.
type revision struct {
	commit string
	depth  int
}

// withCommits calls use with a bare repository that has the commits. Files are fetched only
// when they are checked out (a blob-filtered fetch). The repository stays locked meanwhile:
// fetching a commit with little history makes git forget that of its ancestors.
func (s *Store) withCommits(ctx context.Context, repo string, wanted []revision, use func(git string) error) error {
	git := filepath.Join(s.dir, "git", keyOf("repo", repo)[:24])
	unlock, err := s.lock(ctx, "git-"+filepath.Base(git))
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(git, "config")); err != nil {
		if err := s.initBare(ctx, git, repo); err != nil {
			return err
		}
	}
	for _, r := range wanted {
		if s.has(ctx, git, r) {
			continue
		}
		if err := s.fetch(ctx, git, repo, r); err != nil {
			return err
		}
	}
	return use(git)
}

// has reports whether a revision was fetched. It asks for the reference that fetch leaves,
// because git would go and look for a commit that it does not have.
func (s *Store) has(ctx context.Context, git string, r revision) bool {
	for _, rev := range []string{r.ref(), fmt.Sprintf("%s~%d", r.ref(), r.depth-1)} {
		if _, err := s.git(ctx, git, "rev-parse", "--verify", "--quiet", rev); err != nil {
			return false
		}
	}
	return true
}

// ref is the reference that says that the commit was fetched.
func (r revision) ref() string { return "refs/bench/" + r.commit }

func (s *Store) fetch(ctx context.Context, git, repo string, r revision) error {
	if err := s.reach(ctx, git, repo); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	_, err := s.git(ctx, git, "fetch", "--quiet", "--no-tags", "--filter=blob:none",
		fmt.Sprintf("--depth=%d", r.depth), "origin", r.commit+":"+r.ref())
	if err != nil {
		return fmt.Errorf("fetch commit %.12s of %s: %w", r.commit, repo, err)
	}
	return nil
}

// initBare makes the bare repository whole or not at all.
func (s *Store) initBare(ctx context.Context, git, repo string) error {
	tmp, err := s.tempDir("git", filepath.Base(git))
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, args := range [][]string{
		{"init", "--quiet", "--bare"},
		{"remote", "add", "origin", repo},
		{"config", "remote.origin.promisor", "true"},
		{"config", "remote.origin.partialclonefilter", "blob:none"},
	} {
		if _, err := s.git(ctx, tmp, args...); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(git); err != nil {
		return err
	}
	return os.Rename(tmp, git)
}

// reach tells quickly whether the repository answers at all.
func (s *Store) reach(ctx context.Context, git, repo string) error {
	contact, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if _, err := s.git(contact, git, "ls-remote", "--quiet", "origin", "HEAD"); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return &unavailableError{Repo: repo, Err: err}
	}
	return nil
}

// checkout writes the files of a tree, named as commit:path, into the empty directory dir. It
// uses an index of its own. It reads the tree as a whole, because a checkout of paths would
// fetch the files of a blob-filtered repository one by one, as would an archive.
func (s *Store) checkout(ctx context.Context, git, tree, dir string) error {
	index, err := s.tempDir("git", "index-"+filepath.Base(git))
	if err != nil {
		return err
	}
	defer os.RemoveAll(index)
	own := &Store{dir: s.dir, log: s.log}
	own.env = append(slices.Clone(s.env), "GIT_INDEX_FILE="+filepath.Join(index, "index"))
	if _, err = own.git(ctx, git, "--work-tree="+dir, "read-tree", "--reset", "-u", tree); err != nil {
		return fmt.Errorf("check out %s: %w", tree, err)
	}
	return nil
}

// gitSettings are those of the user's that would change trees, or run programs.
var gitSettings = []string{
	"-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "merge.renames=true", "-c", "advice.detachedHead=false",
}

func (s *Store) git(ctx context.Context, git string, args ...string) ([]byte, error) {
	return s.run(ctx, "", slices.Concat([]string{"git", "--git-dir=" + git}, gitSettings, args)...)
}
