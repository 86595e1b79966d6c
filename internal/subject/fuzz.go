package subject

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/source"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fuzzTargets returns the library's official harnesses, built on the reference, each either
// usable or with the reason why it cannot be had here. That is no error: it concerns one
// tool, and the others go on.
func (l *Library) fuzzTargets(ctx context.Context, view string) ([]trial.FuzzTarget, error) {
	// Asked at most once: an unreachable host takes its time, and all its harnesses are
	// missing for the same reason.
	ossFuzz := sync.OnceValues(func() (string, error) {
		return l.shop.Sources.OSSFuzz(ctx, strings.ToLower(l.Spec.Name))
	})
	var targets []trial.FuzzTarget
	for _, spec := range l.Spec.FuzzTargets {
		t, err := resolveFuzzTarget(spec, view, ossFuzz)
		if err == nil {
			err = l.buildFuzzTarget(ctx, &t)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			t = trial.FuzzTarget{Name: spec.Name, Missing: err.Error()}
		}
		targets = append(targets, t)
	}
	return targets, nil
}

// resolveFuzzTarget finds the files of one harness. ossFuzz returns where the library's part
// of that repository lies.
func resolveFuzzTarget(spec lisabench.FuzzTarget, view string, ossFuzz func() (string, error)) (trial.FuzzTarget, error) {
	t := trial.FuzzTarget{Name: spec.Name, Defines: spec.Defines, Options: spec.Options}
	place := func(origin, file string) (string, error) {
		if origin != lisabench.OriginOSSFuzz {
			return filepath.Join(view, file), nil
		}
		root, err := ossFuzz()
		return filepath.Join(root, file), err
	}
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
func (l *Library) buildFuzzTarget(ctx context.Context, t *trial.FuzzTarget) error {
	build, err := l.shop.Builder.FuzzTarget(ctx, l.request(l.Tree, libbuild.Fuzzer), *t)
	if err != nil {
		return err
	}
	t.Executable = build.Executable
	return nil
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
