package workshop

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Measure fetches and builds a library and says how large it is.
func (w *Workshop) Measure(ctx context.Context, name string, edition lisabench.Edition) (*lisabench.Measured, error) {
	spec, err := w.Bench.Library(name)
	if err != nil {
		return nil, err
	}
	tree, err := w.Sources.Reference(ctx, spec, edition)
	if err != nil {
		return nil, err
	}
	r := libbuild.Request{Library: spec, Edition: edition, Tree: tree, Variant: libbuild.Plain}
	dir, files, err := w.Builder.Sources(ctx, r)
	if err != nil {
		return nil, err
	}
	m := &lisabench.Measured{Files: len(files)}
	for _, f := range files {
		if err := addLines(&m.LoC, filepath.Join(dir, f)); err != nil {
			return nil, err
		}
	}
	if err := filepath.WalkDir(tree.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !slices.Contains(treeExtensions, filepath.Ext(path)) {
			return err
		}
		return addLines(&m.TreeLoC, path)
	}); err != nil {
		return nil, err
	}
	build, err := w.Builder.Build(ctx, r)
	if err != nil {
		return nil, err
	}
	target := headersOf(spec, edition, build)
	api, err := apispec.Load(ctx, w.Compiler, target)
	if err != nil {
		return nil, err
	}
	m.APIs = len(api.APIs(target.ExcludedAPIs))
	return m, nil
}

// treeExtensions are those of C and C++ files, and of the sources of parsers and scanners.
var treeExtensions = []string{".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".l", ".y"}

// addLines adds the lines of a C or C++ source on which something is left when comments and white space are taken away.
func addLines(sum *int, path string) error {
	text, err := os.ReadFile(path)
	for line := range strings.Lines(clex.WithoutComments(string(text))) {
		if strings.TrimSpace(line) != "" {
			*sum++
		}
	}
	return err
}
