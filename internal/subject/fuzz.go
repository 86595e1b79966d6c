package subject

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/source"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fuzzTargets returns the library's official harnesses, built on the reference, each
// either usable or with the reason why it cannot be had here.
func (l *Library) fuzzTargets(ctx context.Context, view string) ([]trial.FuzzTarget, error) {
	var targets []trial.FuzzTarget
	for _, spec := range l.Spec.FuzzTargets {
		t, err := l.fuzzTarget(ctx, spec, view)
		if err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// fuzzTarget resolves one harness. Only a source that cannot be had is Missing; a harness
// that does not build is an error.
func (l *Library) fuzzTarget(ctx context.Context, spec lisabench.FuzzTarget, view string) (trial.FuzzTarget, error) {
	t := trial.FuzzTarget{Name: spec.Name, Defines: spec.Defines, Options: spec.Options}
	root := view
	if spec.Origin == lisabench.OriginOSSFuzz {
		dir, err := l.shop.Sources.OSSFuzz(ctx, strings.ToLower(l.Spec.Name))
		var unavailable *source.UnavailableError
		switch {
		case errors.As(err, &unavailable):
			t.Missing = err.Error()
			return t, nil
		case err != nil:
			return t, err
		}
		root = dir
	}
	t.Source = filepath.Join(root, spec.Source)
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
		t.Dictionary = filepath.Join(root, spec.Dictionary)
	}
	build, err := l.shop.Builder.FuzzTarget(ctx, l.request(l.Tree, libbuild.Fuzzer), t)
	if err != nil {
		return t, err
	}
	t.Executable = build.Executable
	return t, nil
}

// fuzzBuilds builds the usable targets for one tree. A harness of the library's own tree is
// taken from that tree, for it may include private headers by relative paths.
func (l *Library) fuzzBuilds(ctx context.Context, tree source.Tree, target trial.Target) (map[string]*libbuild.FuzzBuild, error) {
	builds := map[string]*libbuild.FuzzBuild{}
	for _, t := range target.FuzzTargets {
		if t.Missing != "" {
			continue
		}
		if rel, ok := strings.CutPrefix(t.Source, target.SourceDir+string(filepath.Separator)); ok {
			t.Source = filepath.Join(tree.Dir, rel)
		}
		b, err := l.shop.Builder.FuzzTarget(ctx, l.request(tree, libbuild.Fuzzer), t)
		if err != nil {
			return nil, err
		}
		builds[t.Name] = b
	}
	return builds, nil
}
