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

// findFuzzTargets returns the library's official harnesses, built on the reference, each either usable or with the
// reason why it cannot be had here. That is no error: it concerns one tool, and the others go on.
func (l *OpenLibrary) findFuzzTargets(ctx context.Context) ([]trial.FuzzTarget, error) {
	// Asked at most once: an unreachable host takes its time, and all its harnesses are missing for the same reason.
	ossFuzz := sync.OnceValues(func() (string, error) {
		project := "projects/" + strings.ToLower(l.Spec.Name)
		dir, err := l.shop.Sources.Subtree(ctx, lisabench.OSSFuzzRepo, lisabench.OSSFuzzCommit, project)
		return filepath.Join(dir, project), err
	})
	targets := []trial.FuzzTarget{}
	for _, spec := range l.Spec.FuzzTargets {
		// A file may be in the tree that tools see, in a commit of the library's repository if the tree has no harness, or
		// in the OSS-Fuzz repository.
		_, lacking := os.Stat(filepath.Join(l.view, spec.Source))
		t, err := resolveFuzzTarget(spec, l.view, func(origin, file string) (_ string, err error) {
			root := l.view
			switch {
			case origin == lisabench.OriginOSSFuzz:
				root, err = ossFuzz()
			case lacking != nil && spec.Commit != "":
				root, err = l.shop.Sources.Subtree(ctx, l.Spec.Upstream.Repo, spec.Commit, path.Dir(spec.Source))
			}
			return filepath.Join(root, file), err
		})
		var build *libbuild.FuzzBuild
		if err == nil {
			build, err = l.fuzzBuild(ctx, l.Tree, t)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			t = trial.FuzzTarget{Name: spec.Name, Missing: err.Error()}
		} else {
			t.Executable = build.Executable
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// resolveFuzzTarget finds the files of one harness; place returns where a file lies, by its origin.
func resolveFuzzTarget(spec lisabench.FuzzTarget, view string, place func(origin, file string) (string, error)) (trial.FuzzTarget, error) {
	t := trial.FuzzTarget{Name: spec.Name, Defines: spec.Defines, Options: spec.Options}
	var err error
	if t.Source, err = place(spec.Origin, spec.Source); err != nil {
		return t, err
	}
	for _, pattern := range spec.Seeds {
		found, err := filepath.Glob(filepath.Join(view, pattern))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("they match nothing in the tree")
		}
		if err != nil {
			return t, fmt.Errorf("fuzz target %s: seeds %q: %w", spec.Name, pattern, err)
		}
		t.Seeds = append(t.Seeds, found...)
	}
	if spec.Dictionary != "" {
		t.Dictionary, err = place(cmp.Or(spec.DictionaryOrigin, spec.Origin), spec.Dictionary)
	}
	return t, err
}

// fuzzBuild builds a harness on a tree. One of the library's own is taken from that tree, in place of the view: it may
// include private headers by relative paths.
func (l *OpenLibrary) fuzzBuild(ctx context.Context, tree source.Tree, t trial.FuzzTarget) (*libbuild.FuzzBuild, error) {
	if rel, ok := strings.CutPrefix(t.Source, l.view+string(filepath.Separator)); ok {
		t.Source = filepath.Join(tree.Dir, rel)
	}
	return l.shop.Builder.FuzzTarget(ctx, l.request(tree, libbuild.Fuzzer), t)
}

// fuzzBuilds builds the usable targets for one tree.
func (l *OpenLibrary) fuzzBuilds(ctx context.Context, tree source.Tree, targets []trial.FuzzTarget) (map[string]*libbuild.FuzzBuild, error) {
	builds := map[string]*libbuild.FuzzBuild{}
	for _, t := range targets {
		if t.Missing != "" {
			continue
		}
		b, err := l.fuzzBuild(ctx, tree, t)
		if err != nil {
			return nil, err
		}
		builds[t.Name] = b
	}
	return builds, nil
}
