package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// FileCoverage is the coverage of one source file.
type FileCoverage struct {
	File string `json:"file"` // as the compiler was told
	trial.Coverage
}

// ExportCoverage returns what counters mean in lines and branches, in total and by file.
// They are always read against the shared object: a static link drops unused members and
// with them a part of the denominator. work is an empty directory for the profile.
func (t *Tools) ExportCoverage(ctx context.Context, sharedLib string, template *RawProfile, counters []uint64, work string, log *CommandLog) (trial.Coverage, []FileCoverage, error) {
	fail := func(err error) (trial.Coverage, []FileCoverage, error) {
		return trial.Coverage{}, nil, fmt.Errorf("coverage of %s: %w", sharedLib, err)
	}
	raw, err := template.withCounters(counters)
	if err != nil {
		return fail(err)
	}
	profraw, profdata := filepath.Join(work, "sum.profraw"), filepath.Join(work, "sum.profdata")
	if err := os.WriteFile(profraw, raw, 0o666); err != nil {
		return fail(err)
	}
	merge := Command{Args: []string{t.Profdata.Path, "merge", "-o", profdata, profraw}, Log: log}
	if _, err := Run(ctx, merge); err != nil {
		return fail(err)
	}
	var text strings.Builder
	export := Command{Log: log, Stdout: &text,
		Args: []string{t.Cov.Path, "export", "--skip-expansions", "--summary-only", "-instr-profile", profdata, sharedLib}}
	if _, err := Run(ctx, export); err != nil {
		return fail(err)
	}
	total, files, err := parseCoverage([]byte(text.String()))
	if err != nil {
		return fail(err)
	}
	return total, files, nil
}

// The part of llvm-cov's JSON export that is read.
type (
	covExport struct {
		Type string    `json:"type"`
		Data []covData `json:"data"`
	}
	covData struct {
		Files []struct {
			Filename string     `json:"filename"`
			Summary  covSummary `json:"summary"`
		} `json:"files"`
		Totals covSummary `json:"totals"`
	}
	covSummary struct {
		Branches, Functions, Lines, Regions covCount
	}
	covCount struct {
		Count   int `json:"count"`
		Covered int `json:"covered"`
	}
)

func (s covSummary) coverage() trial.Coverage {
	return trial.Coverage{
		LinesCovered: s.Lines.Covered, LinesTotal: s.Lines.Count,
		BranchesCovered: s.Branches.Covered, BranchesTotal: s.Branches.Count,
		FunctionsCovered: s.Functions.Covered, FunctionsTotal: s.Functions.Count,
		RegionsCovered: s.Regions.Covered, RegionsTotal: s.Regions.Count,
	}
}

func parseCoverage(text []byte) (trial.Coverage, []FileCoverage, error) {
	var e covExport
	if err := json.Unmarshal(text, &e); err != nil {
		return trial.Coverage{}, nil, err
	}
	if e.Type != "llvm.coverage.json.export" || len(e.Data) != 1 {
		return trial.Coverage{}, nil, fmt.Errorf("llvm-cov export of type %q with %d objects", e.Type, len(e.Data))
	}
	var files []FileCoverage
	for _, f := range e.Data[0].Files {
		files = append(files, FileCoverage{f.Filename, f.Summary.coverage()})
	}
	total := e.Data[0].Totals.coverage()
	if total.LinesTotal == 0 {
		return total, nil, errors.New("llvm-cov found no lines: the library was not built for coverage")
	}
	return total, files, nil
}
