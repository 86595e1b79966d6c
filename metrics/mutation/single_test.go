package mutation

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/store"
)

// single returns a build with just that mutant applied to the source: what all mutants in one build are held against.
func (m *Maker) single(ctx context.Context, lib *MutableLibrary, mu Mutant) (*libbuild.Build, error) {
	text, err := os.ReadFile(filepath.Join(lib.request.Tree.Dir, mu.File))
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(m.Dir, durable.TempPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := lib.request
	if err := os.CopyFS(dir, os.DirFS(r.Tree.Dir).(fs.ReadLinkFS)); err != nil {
		return nil, fmt.Errorf("copy the tree: %w", err)
	}
	spec := *r.Library
	spec.Recipe.CFlags = append(slices.Clone(spec.Recipe.CFlags), "-w", defined)
	r.Library = &spec
	mutated := withOne(string(text), mu)
	if err := os.WriteFile(filepath.Join(dir, mu.File), []byte(mutated), 0o644); err != nil {
		return nil, err
	}
	r.Tree = source.Tree{Dir: dir, Key: store.Key(schemaVersion, r.Tree.Key, mu.File, mutated)}
	b, err := m.Builder.Build(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("mutant %d, %s:%d, %s for %s: %w", mu.ID, mu.File, mu.Line, mu.Mutated, mu.Original, err)
	}
	return b, nil
}

// withOne returns the source of a file with one mutant in place of the original.
func withOne(source string, m Mutant) string {
	mutated := m.Mutated
	if m.Form == value || m.Form == truth {
		mutated = "(" + mutated + ")"
	}
	lost := strings.Count(source[m.Begin:m.End], "\n") // later lines stay where they are
	return source[:m.Begin] + mutated + strings.Repeat("\n", lost) + source[m.End:]
}
