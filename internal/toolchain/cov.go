package toolchain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// ExportCoverage returns what counters mean in lines and branches. They are always read against the shared object: a
// static link drops unused members and with them a part of the denominator. work is an empty directory.
func (t *Tools) ExportCoverage(ctx context.Context, sharedLib string, profile *Profile, counters []uint64, work string) (trial.Coverage, error) {
	return export(ctx, t, sharedLib, profile, counters, work, parseCoverage, "--summary-only")
}

// ExportUncovered returns what the counters leave out, as ExportCoverage. Files are named as the compiler was given
// them.
func (t *Tools) ExportUncovered(ctx context.Context, sharedLib string, profile *Profile, counters []uint64, work string) (trial.Uncovered, error) {
	return export(ctx, t, sharedLib, profile, counters, work, parseUncovered)
}

func export[T any](
	ctx context.Context, t *Tools, sharedLib string, profile *Profile, counters []uint64, work string, parse func([]byte) (T, error), flags ...string,
) (none T, err error) {
	fail := func(err error) (T, error) { return none, fmt.Errorf("coverage of %s: %w", sharedLib, err) }
	text, err := profile.withCounters(counters)
	if err != nil {
		return fail(err)
	}
	sum, merged := filepath.Join(work, "sum.proftext"), filepath.Join(work, "sum.profdata")
	if err := os.WriteFile(sum, []byte(text), 0o666); err != nil {
		return fail(err)
	}
	if _, err := Run(ctx, Command{Args: []string{t.Profdata.Path, "merge", "-o", merged, sum}}); err != nil {
		return fail(err)
	}
	args := append([]string{t.Cov.Path, "export", "--skip-expansions", "-instr-profile", merged, sharedLib}, flags...)
	out, err := Run(ctx, Command{MaxOutput: maxExport, Args: args})
	if err != nil {
		return fail(err)
	}
	v, err := parse(out.Stdout)
	if err != nil {
		return fail(err)
	}
	return v, nil
}

// maxExport bounds llvm-cov's JSON: that of the largest library has some 30 MB.
const maxExport = 256 << 20

// parseUncovered reads the functions of llvm-cov's JSON export. A function that several files have, such as one of a
// header, is uncovered if it is in all of them.
func parseUncovered(text []byte) (u trial.Uncovered, err error) {
	var e struct {
		Data []struct {
			Functions []struct {
				Name      string
				Count     uint64
				Filenames []string
				Regions   [][]uint64 // the first is the body: line, column, …
				Branches  [][]uint64 // line, column, end line, end column, times true, times false, …
			}
		}
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return u, err
	}
	type taken struct{ yes, no bool }
	called, branches := map[trial.Uncalled]bool{}, map[trial.Untaken]taken{}
	for _, d := range e.Data {
		for _, f := range d.Functions {
			if len(f.Filenames) == 0 || len(f.Regions) == 0 || len(f.Regions[0]) < 2 {
				return u, fmt.Errorf("llvm-cov: function %s has no place", f.Name)
			}
			name := f.Name[strings.LastIndexByte(f.Name, ':')+1:] // of a static one: file:name
			at := trial.Uncalled{File: f.Filenames[0], Line: int(f.Regions[0][0]), Function: name}
			called[at] = called[at] || f.Count > 0
			for _, b := range f.Branches {
				if len(b) < 7 || b[6] != 0 {
					continue // in a macro that is defined elsewhere
				}
				at := trial.Untaken{Uncalled: trial.Uncalled{File: at.File, Line: int(b[0]), Function: name}, Column: int(b[1])}
				was := branches[at]
				branches[at] = taken{was.yes || b[4] > 0, was.no || b[5] > 0}
			}
		}
	}
	uncalled := map[string]bool{}
	for at, is := range called {
		if !is {
			u.Functions, uncalled[at.File+" "+at.Function] = append(u.Functions, at), true
		}
	}
	for at, t := range branches {
		if uncalled[at.File+" "+at.Function] {
			continue
		}
		for value, had := range map[bool]bool{true: t.yes, false: t.no} {
			if at.Never = value; !had {
				u.Branches = append(u.Branches, at)
			}
		}
	}
	place := func(a, b trial.Uncalled) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Function, b.Function))
	}
	slices.SortFunc(u.Functions, place)
	slices.SortFunc(u.Branches, func(a, b trial.Untaken) int {
		return cmp.Or(place(a.Uncalled, b.Uncalled), cmp.Compare(a.Column, b.Column), cmp.Compare(fmt.Sprint(a.Never), fmt.Sprint(b.Never)))
	})
	return u, nil
}

// parseCoverage reads the totals of llvm-cov's JSON export.
func parseCoverage(text []byte) (trial.Coverage, error) {
	type count struct{ Count, Covered int }
	var e struct {
		Type string
		Data []struct {
			Totals struct{ Branches, Functions, Lines, Regions count }
		}
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return trial.Coverage{}, err
	}
	if e.Type != "llvm.coverage.json.export" || len(e.Data) != 1 {
		return trial.Coverage{}, fmt.Errorf("llvm-cov export of type %q with %d objects", e.Type, len(e.Data))
	}
	t := e.Data[0].Totals
	if t.Lines.Count == 0 {
		return trial.Coverage{}, errors.New("llvm-cov found no lines: the library was not built for coverage")
	}
	return trial.Coverage{
		LinesCovered: t.Lines.Covered, LinesTotal: t.Lines.Count,
		BranchesCovered: t.Branches.Covered, BranchesTotal: t.Branches.Count,
		FunctionsCovered: t.Functions.Covered, FunctionsTotal: t.Functions.Count,
		RegionsCovered: t.Regions.Covered, RegionsTotal: t.Regions.Count,
	}, nil
}
