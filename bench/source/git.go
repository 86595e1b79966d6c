package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// fetchTimeout bounds one git fetch: a host that swallows packets must not hang a run.
const fetchTimeout = 10 * time.Minute

// An unavailableError is a repository that cannot be reached from here.
type unavailableError struct {
	Repo string
	Err  error
}

func (e *unavailableError) Error() string {
	return fmt.Sprintf("%s cannot be reached (%s); where a copy of it lies elsewhere, point git at it: git config --global url.<copy>.insteadOf %s",
		e.Repo, said(e.Err), e.Repo)
}

func (e *unavailableError) Unwrap() error { return e.Err }

// Unreachable says that another try may succeed.
func (e *unavailableError) Unreachable() bool { return true }

// said is what a command printed when it failed; of another error, its words.
func said(err error) string {
	var failed *toolchain.CommandError
	if errors.As(err, &failed) {
		return strings.TrimSpace(string(failed.Stderr))
	}
	return err.Error()
}

// export returns the tree of a commit or tag, without history.
func (s *Store) export(ctx context.Context, repo, rev string) (Tree, error) {
	return s.make(ctx, keyOf("git", repo, rev), func(dir string) error {
		return s.inRepository(ctx, repo, func(git repository) error { return git.checkout(ctx, rev, "", dir) })
	})
}

// Subtree returns a directory that holds one directory of a commit, at the same path, and nothing else. The error is an
// *unavailableError if the repository cannot be reached.
func (s *Store) Subtree(ctx context.Context, repo, commit, within string) (string, error) {
	tree, err := s.make(ctx, keyOf("subtree", repo, commit, within), func(dir string) error {
		at := filepath.Join(dir, filepath.FromSlash(within))
		if err := os.MkdirAll(at, 0o777); err != nil {
			return err
		}
		return s.inRepository(ctx, repo, func(git repository) error { return git.checkout(ctx, commit, within, at) })
	})
	return tree.Dir, err
}

// reverted returns the tree of a commit or tag with a fix reverted.
func (s *Store) reverted(ctx context.Context, repo, rev, fix string) (Tree, error) {
	return s.make(ctx, keyOf("revert", repo, rev, fix), func(dir string) error {
		return s.inRepository(ctx, repo, func(git repository) error {
			if err := git.fetch(ctx, rev, 1); err != nil {
				return err
			}
			if err := git.fetch(ctx, fix, 2); err != nil {
				return err
			}
			if err := os.Remove(dir); err != nil { // git makes it itself
				return err
			}
			if err := git.run(ctx, "worktree", "add", "--detach", "--force", dir, refOf(rev)); err != nil {
				return err
			}
			tree := repository{s, filepath.Join(dir, ".git"), repo}
			if err := tree.run(ctx, "--work-tree="+dir, "-C", dir, "revert", "--no-commit", fix); err != nil {
				return fmt.Errorf("revert %.12s on %.12s (use pair or edit instead): %w", fix, rev, err)
			}
			return errors.Join(os.Remove(tree.dir), git.run(ctx, "worktree", "prune"))
		})
	})
}

// History returns a git directory with the whole history of a library's upstream, as it is now.
func (s *Store) History(ctx context.Context, lib *lisabench.Library) (string, error) {
	if lib.Upstream == nil {
		return "", fmt.Errorf("library %s has no upstream repository here", lib.Name)
	}
	git := repository{s, filepath.Join(s.dir, "git", keyOf("history", lib.Upstream.Repo)[:24]), lib.Upstream.Repo}
	return git.dir, git.locked(ctx, func() error {
		if err := git.run(ctx, "fetch", "--quiet", "origin", "+HEAD:HEAD"); err != nil {
			return &unavailableError{Repo: git.url, Err: err}
		}
		return nil
	})
}

// A repository is a bare one that has some commits of the one at url. Files are fetched only when they are checked out
// (a blob-filtered fetch).
type repository struct {
	*Store
	dir, url string
}

// inRepository calls use with the store's copy of a repository, which stays locked meanwhile: fetching a commit with
// little history makes git forget that of its ancestors.
func (s *Store) inRepository(ctx context.Context, url string, use func(repository) error) error {
	git := repository{s, filepath.Join(s.dir, "git", keyOf("repo", url)[:24]), url}
	return git.locked(ctx, func() error { return use(git) })
}

func (git repository) locked(ctx context.Context, use func() error) error {
	unlock, err := git.lock(ctx, "git-"+filepath.Base(git.dir))
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.MkdirAll(git.dir, 0o755); err != nil {
		return err
	}
	if err := git.run(ctx, "init", "--quiet", "--bare"); err != nil { // changes nothing where there is one
		return err
	}
	return use()
}

var fullCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// refOf is the reference that says that a commit or tag was fetched.
func refOf(rev string) string { return "refs/bench/" + rev }

// fetch fetches a commit, or what a tag names now, with so many generations of history, itself included. What was
// fetched before is told by its reference, because git would go and look for a commit that it does not have.
func (git repository) fetch(ctx context.Context, rev string, depth int) error {
	if git.run(ctx, "rev-parse", "--verify", "--quiet", fmt.Sprintf("%s~%d", refOf(rev), depth-1)) == nil {
		return nil
	}
	from, unknown := rev, fmt.Sprintf("fetch commit %.12s of %s", rev, git.url)
	if !fullCommit.MatchString(rev) {
		from, unknown = "refs/tags/"+rev, fmt.Sprintf("%q is no directory, no commit of 40 digits, and no tag of %s", rev, git.url)
	}
	limited, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	err := git.run(limited, "fetch", "--quiet", "--no-tags", "--filter=blob:none", fmt.Sprintf("--depth=%d", depth),
		"origin", from+":"+refOf(rev))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case answered.MatchString(said(err)):
		return fmt.Errorf("%s: %w", unknown, err)
	}
	return &unavailableError{Repo: git.url, Err: err}
}

// answered matches what git says of something that a repository does not have.
var answered = regexp.MustCompile(`not our ref|remote ref|invalid refspec|not a valid`)

// checkout writes a directory of a commit or tag ("" for all of it) into the empty directory dir. It reads the tree as a
// whole, because a checkout of paths would fetch the files of a blob-filtered repository one by one, as would an archive.
func (git repository) checkout(ctx context.Context, rev, within, dir string) error {
	if err := git.fetch(ctx, rev, 1); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(git.dir, "index")); err != nil { // of another directory
		return err
	}
	if err := git.run(ctx, "--work-tree="+dir, "read-tree", "--reset", "-u", refOf(rev)+":"+within); err != nil {
		return fmt.Errorf("check out %s:%s: %w", rev, within, err)
	}
	return nil
}

// run runs git with other settings than those of the user's that would change trees, or run programs.
func (git repository) run(ctx context.Context, args ...string) error {
	all := []string{"git", "--git-dir=" + git.dir}
	for _, setting := range []string{"core.autocrlf=false", "core.hooksPath=/dev/null", "merge.renames=true", "advice.detachedHead=false",
		"user.name=bench", "user.email=bench@localhost", "remote.origin.url=" + git.url} {
		all = append(all, "-c", setting)
	}
	_, err := git.Store.run(ctx, "", append(all, args...)...)
	return err
}
