// Package source fetches pinned library sources and re-introduces bugs into them.
//
// It consumes a lisabench.Library and an edition and produces Trees: directories of source without history,
// packaging or anything else that is later than the pin. Trees are made once, in a temporary directory beside
// their final place and renamed, under a lock that other processes respect. A killed fetch leaves nothing
// half-made, and a damaged tree is made again. It refuses sources whose hash differs from the pin, edits whose
// anchor does not match exactly once, and reverts that conflict. Its errors include the output of git, apt or
// patch.
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// schema changes whenever the same pin would give another tree.
const schema = "source-1"

// A Tree is a directory of source. It is immutable.
type Tree struct {
	Dir string
	Key string // hash of all that determines its content
}

// A Store keeps downloads and trees under one directory. Safe for concurrent use, also by
// several processes.
type Store struct {
	dir string
	env []string // environment of git and apt, for the user's configuration and proxies
	log *slog.Logger

	checked sync.Map // keys of the trees that were found whole
}

// elsewhere are variables that point git at another repository. They are set where bench is
// run from a git hook, and must not lead it there.
var elsewhere = []string{
	"GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_COMMON_DIR=", "GIT_OBJECT_DIRECTORY=",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES=", "GIT_NAMESPACE=", "GIT_PREFIX=",
}

// New returns a store that keeps everything below dir. env is the user's environment.
func New(dir string, env []string, log *slog.Logger) *Store {
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		return slices.ContainsFunc(elsewhere, func(prefix string) bool { return strings.HasPrefix(v, prefix) })
	})
	env = append(env, "LC_ALL=C.UTF-8", "GIT_TERMINAL_PROMPT=0", "DEBIAN_FRONTEND=noninteractive")
	return &Store{dir: dir, env: env, log: log}
}

// Reference returns the library as pinned, with every bug fixed.
func (s *Store) Reference(ctx context.Context, lib *lisabench.Library, ed lisabench.Edition) (Tree, error) {
	var tree Tree
	var err error
	switch {
	case !lib.Has(ed):
		err = fmt.Errorf("there is no %s edition", ed)
	case ed.Base() == lisabench.Debian:
		tree, err = s.debian(ctx, lib, ed, "", "")
	default:
		tree, err = s.export(ctx, lib.Upstream.Repo, cmp.Or(ed.Commit(), lib.Upstream.Commit))
	}
	if err != nil {
		return Tree{}, fmt.Errorf("library %s: %s source: %w", lib.Name, ed, err)
	}
	return tree, nil
}

// Buggy returns the tree without and the tree with the bug. The first is the Reference
// unless the bug is re-introduced as a pair of commits.
func (s *Store) Buggy(ctx context.Context, lib *lisabench.Library, ed lisabench.Edition, bug *lisabench.Bug) (fixed, buggy Tree, err error) {
	how := bug.In(ed)
	if how == nil || how.Strategy == lisabench.Absent {
		return fixed, buggy, fmt.Errorf("bug %s is not in the %s edition", bug.ID, ed)
	}
	if how.Strategy == lisabench.PairOf {
		if fixed, err = s.export(ctx, lib.Upstream.Repo, bug.FixCommit(ed)); err == nil {
			buggy, err = s.export(ctx, lib.Upstream.Repo, how.Parent)
		}
		return fixed, buggy, err
	}
	if fixed, err = s.Reference(ctx, lib, ed); err != nil {
		return fixed, buggy, err
	}
	switch how.Strategy {
	case lisabench.Revert:
		buggy, err = s.reverted(ctx, lib.Upstream.Repo, cmp.Or(ed.Commit(), lib.Upstream.Commit), bug.FixCommit(ed))
	case lisabench.OmitPatch:
		buggy, err = s.debian(ctx, lib, ed, how.Patch, "")
	case lisabench.FixOnly:
		buggy, err = s.debian(ctx, lib, ed, "", bug.ID)
	default:
		buggy, err = s.make(ctx, keyOf("edited", fixed.Key, how.Edits), func(dir string) error {
			return errors.Join(os.CopyFS(dir, os.DirFS(fixed.Dir)), applyEdits(dir, how.Edits))
		})
	}
	if err != nil {
		return fixed, buggy, fmt.Errorf("re-introduce by %s: %w", how.Strategy, err)
	}
	return fixed, buggy, nil
}

// Patched returns tree with a patch applied, or its reverse. The error is a *toolchain.CommandError, of patch, if it
// does not apply.
func (s *Store) Patched(ctx context.Context, tree Tree, patch string, reverse bool) (Tree, error) {
	return s.make(ctx, keyOf("patched", tree.Key, patch, reverse), func(dir string) error {
		if err := os.CopyFS(dir, os.DirFS(tree.Dir)); err != nil {
			return fmt.Errorf("copy %s: %w", tree.Dir, err)
		}
		args := []string{"patch", "-p1", "-F1", "-N", "-s", "-E", "--no-backup-if-mismatch", "-r", "-"}
		if reverse {
			args = append(args, "-R")
		}
		_, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir, Env: s.env, Stdin: strings.NewReader(patch)})
		return err
	})
}

// Other returns another version of a library than its pins, as it is. That is a commit (40 hexadecimal
// digits) or a tag of its upstream repository, or a directory with the library's source. It also
// returns that commit or tag, or of a directory the hash of its content.
func (s *Store) Other(ctx context.Context, lib *lisabench.Library, version string) (t Tree, id string, err error) {
	if info, err := os.Stat(version); err == nil && info.IsDir() {
		sum, err := digestOf(version)
		if err != nil {
			return t, "", err
		}
		t, err = s.make(ctx, keyOf("directory", sum), func(to string) error {
			return copyFiles(version, to, func(string) bool { return true })
		})
		return t, sum[:12], err
	}
	if lib.Upstream == nil {
		return t, "", fmt.Errorf("library %s has no upstream repository here, and %s is no directory", lib.Name, version)
	}
	if t, err = s.export(ctx, lib.Upstream.Repo, version); err != nil {
		err = fmt.Errorf("library %s: %w", lib.Name, err)
	}
	return t, version, err
}

// sumSuffix ends the name of the file beside a tree that has its digest.
const sumSuffix = ".sum"

// make returns the tree of that key; fill makes it in an empty directory if it does not
// exist, or is not as it was made.
func (s *Store) make(ctx context.Context, key string, fill func(dir string) error) (Tree, error) {
	tree := Tree{Dir: filepath.Join(s.dir, "trees", key[:24]), Key: key}
	if s.whole(tree) {
		return tree, nil
	}
	unlock, err := s.lock(ctx, key[:24])
	if err != nil {
		return Tree{}, err
	}
	defer unlock()
	if s.whole(tree) {
		return tree, nil // another process made it meanwhile
	}
	tmp, err := s.tempDir("trees", key[:24])
	if err != nil {
		return Tree{}, err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return Tree{}, err
	}
	if ctx.Err() != nil {
		return Tree{}, context.Cause(ctx)
	}
	sum, err := digestOf(tmp)
	if err != nil {
		return Tree{}, err
	}
	err = errors.Join(durable.WriteFile(tree.Dir+sumSuffix, []byte(sum)), os.RemoveAll(tree.Dir), os.Rename(tmp, tree.Dir))
	if err != nil {
		return Tree{}, err
	}
	s.checked.Store(key, true)
	s.log.Info("made source tree", "dir", tree.Dir)
	return tree, nil
}

// whole reports whether a tree is there and as it was made. Each is read once by a process.
func (s *Store) whole(t Tree) bool {
	if _, err := os.Stat(t.Dir); err != nil {
		return false
	}
	if _, known := s.checked.Load(t.Key); known {
		return true
	}
	want, err := os.ReadFile(t.Dir + sumSuffix)
	if errors.Is(err, fs.ErrNotExist) { // somebody has changed it, and taken the sum away to say so
		return true
	}
	if have, derr := digestOf(t.Dir); err != nil || derr != nil || have != strings.TrimSpace(string(want)) {
		s.log.Warn("damaged source tree: making it anew", "dir", t.Dir)
		return false
	}
	s.checked.Store(t.Key, true)
	return true
}

// tempDir makes an empty directory beside the final places in sub. The caller holds the lock
// of what name stands for, so what is there is what a killed process has left.
func (s *Store) tempDir(sub, name string) (string, error) {
	tmp := filepath.Join(s.dir, sub, ".tmp-"+name)
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	return tmp, os.MkdirAll(tmp, 0o755)
}

// lock takes the lock of that name, which also ends with the process that holds it.
func (s *Store) lock(ctx context.Context, name string) (unlock func(), err error) {
	dir := filepath.Join(s.dir, "locks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	locked := make(chan error, 1)
	go func() { locked <- unix.Flock(int(f.Fd()), unix.LOCK_EX) }()
	select {
	case err := <-locked:
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		return func() { f.Close() }, nil
	case <-ctx.Done():
		go func() { <-locked; f.Close() }() // the wait itself cannot be cut short
		return nil, context.Cause(ctx)
	}
}

// run runs a command with the store's environment.
func (s *Store) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir, Env: s.env})
	return out.Stdout, err
}

// keyOf hashes what determines a tree.
func keyOf(parts ...any) string { return trial.Key(append([]any{schema}, parts...)...) }
