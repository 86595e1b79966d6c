package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// fetchTimeout bounds one git fetch: a host that swallows packets must not hang a run.
const fetchTimeout = 5 * time.Minute

// connectTimeout bounds the first contact with a git host.
const connectTimeout = 30 * time.Second

// An UnavailableError is a repository that cannot be reached from here.
type UnavailableError struct {
	Repo string
	Err  error
}

func (e *UnavailableError) Error() string {
	words := e.Err.Error()
	var failed *toolchain.CommandError
	if errors.As(e.Err, &failed) {
		words = strings.TrimSpace(string(failed.Stderr))
	}
	return fmt.Sprintf("%s cannot be reached (%s); where a copy of it lies elsewhere, point git at it: git config --global url.<copy>.insteadOf %s",
		e.Repo, words, e.Repo)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// export returns the tree of a commit, without history.
func (s *Store) export(ctx context.Context, repo, commit string) (Tree, error) {
	return s.make(ctx, keyOf("git", repo, commit), func(dir string) error {
		git, err := s.fetch(ctx, repo, map[string]int{commit: 1})
		if err != nil {
			return err
		}
		return s.checkout(ctx, git, commit, dir, ".")
	})
}

// reverted returns the pinned tree with the fix reverted.
func (s *Store) reverted(ctx context.Context, pin *lisabench.UpstreamPin, fix string) (Tree, error) {
	return s.make(ctx, keyOf("revert", pin.Repo, pin.Commit, fix), func(dir string) error {
		git, err := s.fetch(ctx, pin.Repo, map[string]int{pin.Commit: 1, fix: 2})
		if err != nil {
			return err
		}
		if err := os.Remove(dir); err != nil { // git makes it itself
			return err
		}
		if _, err := s.git(ctx, git, "worktree", "add", "--detach", "--force", dir, pin.Commit); err != nil {
			return err
		}
		_, err = s.run(ctx, dir, "git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "merge.renames=true",
			"revert", "--no-commit", fix)
		if err != nil {
			return fmt.Errorf("revert %.12s on %.12s (use pair or edit instead): %w", fix, pin.Commit, err)
		}
		if err := os.Remove(filepath.Join(dir, ".git")); err != nil {
			return err
		}
		_, err = s.git(ctx, git, "worktree", "prune")
		return err
	})
}

// OSSFuzz returns the directory of a project in the OSS-Fuzz repository. The error is an
// *UnavailableError if the repository cannot be reached.
func (s *Store) OSSFuzz(ctx context.Context, project string) (string, error) {
	sub := "projects/" + project
	tree, err := s.make(ctx, keyOf("oss-fuzz", lisabench.OSSFuzzRepo, lisabench.OSSFuzzCommit, sub), func(dir string) error {
		git, err := s.fetch(ctx, lisabench.OSSFuzzRepo, map[string]int{lisabench.OSSFuzzCommit: 1})
		if err != nil {
			return err
		}
		return s.checkout(ctx, git, lisabench.OSSFuzzCommit, dir, sub)
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(tree.Dir, sub), nil
}

// fetch returns a bare repository that has the commits, each with so many generations of
// history. Files are fetched only when they are checked out (a blob-filtered fetch).
func (s *Store) fetch(ctx context.Context, repo string, depths map[string]int) (git string, err error) {
	git = filepath.Join(s.dir, "git", keyOf("repo", repo)[:24])
	unlock, err := s.lock(ctx, "git-"+filepath.Base(git))
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(filepath.Join(git, "config")); err != nil {
		if err := s.initBare(ctx, git, repo); err != nil {
			return "", err
		}
	}
	for commit, depth := range depths {
		if _, err := s.git(ctx, git, "cat-file", "-e", fmt.Sprintf("%s~%d", commit, depth-1)); err == nil {
			continue
		}
		if err := s.reach(ctx, git, repo); err != nil {
			return "", err
		}
		fetching, cancel := context.WithTimeout(ctx, fetchTimeout)
		_, err := s.git(fetching, git, "fetch", "--quiet", "--no-tags", "--filter=blob:none", fmt.Sprintf("--depth=%d", depth), "origin", commit)
		cancel()
		if err != nil {
			return "", fmt.Errorf("fetch commit %.12s of %s: %w", commit, repo, err)
		}
	}
	return git, nil
}

// initBare makes the bare repository whole or not at all.
func (s *Store) initBare(ctx context.Context, git, repo string) error {
	tmp, err := s.tempDir("git")
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
		return &UnavailableError{Repo: repo, Err: err}
	}
	return nil
}

// checkout writes the files of a commit below sub into dir. It uses an index of its own, so
// that concurrent checkouts of one repository do not meet, and checkout rather than archive,
// for archive would fetch a blob-filtered repository's files one by one.
func (s *Store) checkout(ctx context.Context, git, commit, dir, sub string) error {
	index, err := s.tempDir("git")
	if err != nil {
		return err
	}
	defer os.RemoveAll(index)
	own := *s
	own.env = append(append([]string(nil), s.env...), "GIT_INDEX_FILE="+filepath.Join(index, "index"))
	_, err = own.git(ctx, git, "--work-tree="+dir, "checkout", "--force", commit, "--", sub)
	if err != nil {
		return fmt.Errorf("check out %.12s: %w", commit, err)
	}
	return nil
}

func (s *Store) git(ctx context.Context, git string, args ...string) ([]byte, error) {
	return s.run(ctx, "", append([]string{"git", "--git-dir=" + git, "-c", "advice.detachedHead=false"}, args...)...)
}
