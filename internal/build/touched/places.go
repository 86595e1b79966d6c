package touched

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

// Places are the pieces of a library's functions whose source a change changes.
type Places struct {
	counted []place
	// Elsewhere says what the change changes outside of functions, so that its places are not all; "" if nothing.
	Elsewhere string
}

// A place is a region of a function.
type place struct {
	function toolchain.ProfiledFunction
	count    toolchain.Count
}

// By reports whether a test with these counters on the coverage build has executed one of the places.
func (p Places) By(counters []uint64) bool {
	return slices.ContainsFunc(p.counted, func(at place) bool {
		return at.count.Of(counters[at.function.Entry:at.function.Entry+at.function.Counters]) != 0
	})
}

// Places compares the sources of cov, the coverage build of the reference, with changed ones: both are
// directories, in which the files that are named compile (libbuild.Builder.Sources).
func (s *Selector) Places(cov *libbuild.Build, reference, changed string, compiled []string) (p Places, err error) {
	m, err := s.mapOf(cov)
	if err != nil {
		return p, err
	}
	regions, err := m.regions(cov)
	if err != nil {
		return p, err
	}
	files := map[string]bool{}
	for _, dir := range []string{reference, changed} {
		if err := sources(dir, files); err != nil {
			return p, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if regions[name] == nil && !strings.HasPrefix(filepath.Ext(name), ".h") && !slices.Contains(compiled, name) {
			continue // a test's or a tool's own
		}
		old, err := readIfThere(filepath.Join(reference, name))
		if err != nil {
			return p, err
		}
		now, err := readIfThere(filepath.Join(changed, name))
		if err != nil {
			return p, err
		}
		for _, c := range changes(old, now) {
			in, why := regions[name].places(c)
			if why != "" && p.Elsewhere == "" {
				p.Elsewhere = fmt.Sprintf("%s:%d: %s", name, c.line, why)
			}
			p.counted = append(p.counted, in...)
		}
	}
	return p, nil
}

// sourceFiles are the endings of what a compiler reads.
var sourceFiles = []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"}

// sources adds the names of the source files of a directory.
func sources(dir string, names map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !slices.Contains(sourceFiles, filepath.Ext(path)) {
			return err
		}
		name, err := filepath.Rel(dir, path)
		names[name] = true
		return err
	})
}

func readIfThere(file string) (string, error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		err = nil
	}
	return string(data), err
}

// fileRegions are the regions of one source file: of each function its own, in the order of clang.
type fileRegions []functionRegions

type functionRegions struct {
	function toolchain.ProfiledFunction
	regions  []toolchain.Region
}

// regions returns those of the functions that have counters, by file.
func (m *counterMap) regions(cov *libbuild.Build) (map[string]fileRegions, error) {
	m.mapped.Do(func() {
		var mapped []toolchain.MappedFunction
		if mapped, m.mapErr = toolchain.MappedFunctions(cov.SharedLib); m.mapErr != nil {
			return
		}
		byID := map[toolchain.FunctionID]toolchain.ProfiledFunction{}
		for _, f := range m.functions {
			byID[f.ID] = f
		}
		m.byFile = map[string]fileRegions{}
		seen := map[toolchain.FunctionID]bool{}
		for _, fn := range mapped {
			f := byID[fn.ID] // one that nothing uses has no counters: its regions are never executed
			if !seen[fn.ID] || fn.ID.Body == 0 {
				name := filepath.Clean(fn.File)
				m.byFile[name] = append(m.byFile[name], functionRegions{f, fn.Regions})
			}
			seen[fn.ID] = true
		}
	})
	return m.byFile, m.mapErr
}

// places returns the regions that a change changes, or why they are not all that it changes.
func (list fileRegions) places(c change) (in []place, why string) {
	if c.coarse != "" {
		return nil, c.coarse
	}
	for _, at := range c.at {
		inside := false
		for _, fn := range list {
			if i := fn.around(at); i >= 0 {
				in, inside = append(in, place{fn.function, fn.regions[i].Count}), true
			}
		}
		if !inside {
			return nil, "something changes outside of functions"
		}
	}
	return in, ""
}

// around returns the index of the smallest region around a position, or -1.
func (fn functionRegions) around(at toolchain.Position) int {
	best := -1
	for i, r := range fn.regions {
		if !at.Before(r.From) && at.Before(r.To) && (best < 0 || !r.From.Before(fn.regions[best].From)) {
			best = i
		}
	}
	return best
}
