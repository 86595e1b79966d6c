package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

var fullCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// Other returns another version of a library than its pins, as it is. That is a commit (40 hexadecimal
// digits) or a tag of its upstream repository, or a directory with the library's source. It also
// returns the commit, or of a directory the hash of its content.
func (s *Store) Other(ctx context.Context, lib *lisabench.Library, version string) (t Tree, id string, err error) {
	if info, err := os.Stat(version); err == nil && info.IsDir() {
		return s.directory(ctx, version)
	}
	if lib.Upstream == nil {
		return Tree{}, "", fmt.Errorf("library %s has no upstream repository here, and %s is no directory", lib.Name, version)
	}
	if !fullCommit.MatchString(version) {
		if version, err = s.tagged(ctx, lib.Upstream.Repo, version); err != nil {
			return Tree{}, "", fmt.Errorf("library %s: %w", lib.Name, err)
		}
	}
	if t, err = s.export(ctx, lib.Upstream.Repo, version); err != nil {
		err = fmt.Errorf("library %s: %w", lib.Name, err)
	}
	return t, version, err
}

// revision is the commit of an edition. A tag is what it was when it was first looked up.
func (s *Store) revision(ctx context.Context, lib *lisabench.Library, ed lisabench.Edition) (string, error) {
	rev := ed.Commit()
	switch {
	case rev == "":
		return lib.Upstream.Commit, nil
	case fullCommit.MatchString(rev):
		return rev, nil
	}
	file := filepath.Join(s.dir, "tags", keyOf("tag", lib.Upstream.Repo, rev)[:24])
	if known, err := os.ReadFile(file); err == nil && fullCommit.Match(known) {
		return string(known), nil
	}
	commit, err := s.tagged(ctx, lib.Upstream.Repo, rev)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	return commit, os.WriteFile(file, []byte(commit), 0o644)
}

// tagged returns the commit that a tag names.
func (s *Store) tagged(ctx context.Context, repo, tag string) (commit string, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	out, err := s.run(ctx, "", "git", "ls-remote", "--quiet", repo, "refs/tags/"+tag, "refs/tags/"+tag+"^{}")
	if err != nil {
		return "", &unavailableError{Repo: repo, Err: err}
	}
	for line := range strings.Lines(string(out)) { // what an annotated tag stands for comes last
		commit, _, _ = strings.Cut(line, "\t")
	}
	if commit == "" {
		return "", fmt.Errorf("%q is no directory, no commit of 40 digits, and no tag of %s", tag, repo)
	}
	return commit, nil
}

// directory returns a copy of a directory of source, without the history beside it.
func (s *Store) directory(ctx context.Context, dir string) (t Tree, id string, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return t, "", err
	}
	sum := sha256.New()
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		fmt.Fprintf(sum, "%s\x00%d\x00%s", rel, len(data), data)
		return err
	})
	if err != nil {
		return t, "", err
	}
	id = hex.EncodeToString(sum.Sum(nil))[:12]
	t, err = s.make(ctx, keyOf("directory", hex.EncodeToString(sum.Sum(nil))), func(to string) error {
		return copyTree(dir, to, func(rel string) bool { return rel == ".git" || strings.HasSuffix(rel, "/.git") })
	})
	return t, id, err
}
