package measured

import "github.com/lisa-bench/lisa-bench/internal/trial"

// The parts of records that metrics are of.
var (
	Success = Part{ID: trial.PartSuccess, In: func(r record) bool { return r.Programs != nil },
		Corpus: "a fuzzing corpus holds inputs, not programs to compile", Empty: "no program was generated"}
	Covered = Part{ID: trial.PartCoverage, In: func(r record) bool { return r.Coverage != nil }}
	Counted = Part{ID: trial.PartVerifications, In: func(r record) bool { return r.Verifications != nil },
		Corpus:  "a fuzzing corpus holds inputs, which assert nothing",
		Unasked: "values recorded on the reference build are not counted", Empty: "no program was generated"}
	detections = Part{ID: trial.PartDetections, In: func(r record) bool { return len(r.Bugs) > 0 }}
)

// The metrics by which tools are compared.
var (
	CSR          = programShare("csr", "CSR", func(p *trial.ProgramCounts) int { return p.Compiled })
	ESR          = programShare("esr", "ESR", func(p *trial.ProgramCounts) int { return p.Executed })
	LineCoverage = Metric{Key: "line", Name: "Lines covered", Unit: "points", Part: Covered,
		Of: func(r record) (float64, bool) { return r.Coverage.LineCovPct() }}
	BranchCoverage = Metric{Key: "branch", Name: "Branches covered", Unit: "points", Part: Covered,
		Of: func(r record) (float64, bool) { return r.Coverage.BranchCovPct() }}
	AUVC = Metric{Key: "auvc", Name: "AUVC", Unit: "verifications per test", Part: Counted,
		Of: func(r record) (float64, bool) { return r.Verifications.AUVC() }}
	// Bugs is how many a trial detects, if it could check them all, and HBDR the share of those that it could check.
	Bugs = Metric{Key: "bugs", Name: "Bugs detected", Unit: "bugs", Part: detections, Of: func(r record) (float64, bool) {
		detected, checked := detectedOf(r)
		return float64(detected), checked == len(r.Bugs)
	}}
	HBDR = Metric{Key: "hbdr", Name: "Bugs detected, %", Part: detections, Of: func(r record) (float64, bool) {
		detected, checked := detectedOf(r)
		return 100 * float64(detected) / float64(max(checked, 1)), checked > 0
	}}
)

// programShare is a percentage of a record's programs.
func programShare(key, name string, of func(*trial.ProgramCounts) int) Metric {
	return Metric{Key: key, Name: name, Unit: "points", Part: Success, Of: func(r record) (float64, bool) {
		return 100 * float64(of(r.Programs)) / float64(r.Programs.Generated), r.Programs.Generated > 0
	}}
}

// detectedOf counts the bugs that a trial detected, and those that it could check.
func detectedOf(r record) (detected, checked int) {
	for _, b := range r.Bugs {
		checked, detected = checked+one(b.Missing == nil), detected+one(b.Detected)
	}
	return detected, checked
}
