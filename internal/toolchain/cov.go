package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// ExportCoverage returns what counters mean in lines and branches. They are always read against the shared object: a
// static link drops unused members and with them a part of the denominator. work is an empty directory.
func (t *Tools) ExportCoverage(ctx context.Context, sharedLib string, profile *Profile, counters []uint64, work string) (trial.Coverage, error) {
	fail := func(err error) (trial.Coverage, error) {
		return trial.Coverage{}, fmt.Errorf("coverage of %s: %w", sharedLib, err)
	}
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
	out, err := Run(ctx, Command{MaxOutput: 16 << 20, Args: []string{t.Cov.Path, "export", "--skip-expansions", "--summary-only",
		"-instr-profile", merged, sharedLib}})
	if err != nil {
		return fail(err)
	}
	total, err := parseCoverage(out.Stdout)
	if err != nil {
		return fail(err)
	}
	return total, nil
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
