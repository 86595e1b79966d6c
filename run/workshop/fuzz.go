package workshop

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fuzzTargets returns the library's official harnesses, built on the reference, each either
// usable or with the reason why it cannot be had here. That is no error: it concerns one
// tool, and the others go on. They are sought and built once.
func (l *OpenLibrary) fuzzTargets(ctx context.Context) ([]trial.FuzzTarget, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fuzzed != nil {
		return l.fuzzed, nil
	}
	view, err := l.view(ctx)
	if err != nil {
		return nil, err
	}
	// Asked at most once: an unreachable host takes its time, and all its harnesses are
	// missing for the same reason.
	ossFuzz := sync.OnceValues(func() (string, error) {
		project := "projects/" + strings.ToLower(l.Spec.Name)
		dir, err := l.shop.Sources.Subtree(ctx, lisabench.OSSFuzzRepo, lisabench.OSSFuzzCommit, project)
		return filepath.Join(dir, project), err
	})
	targets := []trial.FuzzTarget{}
	for _, spec := range l.Spec.FuzzTargets {
		place := l.places(ctx, spec, view, ossFuzz)
		t, err := resolveFuzzTarget(spec, view, place)
		if err == nil {
			err = l.buildFuzzTarget(ctx, view, &t)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			t = trial.FuzzTarget{Name: spec.Name, Missing: err.Error()}
		}
		targets = append(targets, t)
	}
	l.fuzzed = targets
	return targets, nil
}

// A place returns where a file of a fuzz target lies, by its origin.
type place func(origin, file string) (string, error)

// places knows where the files of a target lie. It may be in the tree that tools see, in a commit of the
// library's repository if the tree has no harness, or in the OSS-Fuzz repository, at the path ossFuzz.
func (l *OpenLibrary) places(ctx context.Context, spec lisabench.FuzzTarget, view string, ossFuzz func() (string, error)) place {
	_, lacking := os.Stat(filepath.Join(view, spec.Source))
	return func(origin, file string) (_ string, err error) {
		root := view
		switch {
		case origin == lisabench.OriginOSSFuzz:
			root, err = ossFuzz()
		case lacking != nil && spec.Commit != "":
			root, err = l.shop.Sources.Subtree(ctx, l.Spec.Upstream.Repo, spec.Commit, path.Dir(spec.Source))
		}
		return filepath.Join(root, file), err
	}
}

// resolveFuzzTarget finds the files of one harness.
func resolveFuzzTarget(spec lisabench.FuzzTarget, view string, place place) (trial.FuzzTarget, error) {
	t := trial.FuzzTarget{Name: spec.Name, Defines: spec.Defines, Options: spec.Options}
	var err error
	if t.Source, err = place(spec.Origin, spec.Source); err != nil {
		return t, err
	}
	for _, pattern := range spec.Seeds {
		found, err := filepath.Glob(filepath.Join(view, pattern))
		if err != nil {
			return t, fmt.Errorf("fuzz target %s: seeds %q: %w", spec.Name, pattern, err)
		}
		if len(found) == 0 {
			return t, fmt.Errorf("fuzz target %s: seeds %q match nothing in the tree", spec.Name, pattern)
		}
		t.Seeds = append(t.Seeds, found...)
	}
	if spec.Dictionary != "" {
		if t.Dictionary, err = place(cmp.Or(spec.DictionaryOrigin, spec.Origin), spec.Dictionary); err != nil {
			return t, err
		}
	}
	return t, nil
}

// buildFuzzTarget fills in the executable.
func (l *OpenLibrary) buildFuzzTarget(ctx context.Context, view string, t *trial.FuzzTarget) error {
	build, err := l.shop.Builder.FuzzTarget(ctx, l.request(l.Tree, libbuild.Fuzzer), fromTree(*t, view, l.Tree))
	if err != nil {
		return err
	}
	t.Executable = build.Executable
	return nil
}

// fromTree takes a harness of the library's own tree from that tree, in place of the view: it may
// include private headers by relative paths.
func fromTree(t trial.FuzzTarget, view string, tree source.Tree) trial.FuzzTarget {
	if rel, ok := strings.CutPrefix(t.Source, view+string(filepath.Separator)); ok {
		t.Source = filepath.Join(tree.Dir, rel)
	}
	return t
}

// fuzzBuilds builds the usable targets for one tree.
func (l *OpenLibrary) fuzzBuilds(ctx context.Context, tree source.Tree, targets []trial.FuzzTarget) (map[string]*libbuild.FuzzBuild, error) {
	view, err := l.view(ctx)
	if err != nil {
		return nil, err
	}
	builds := map[string]*libbuild.FuzzBuild{}
	for _, t := range targets {
		if t.Missing != "" {
			continue
		}
		b, err := l.shop.Builder.FuzzTarget(ctx, l.request(tree, libbuild.Fuzzer), fromTree(t, view, tree))
		if err != nil {
			return nil, err
		}
		builds[t.Name] = b
	}
	return builds, nil
}
