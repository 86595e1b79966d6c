package submission

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Confirmation says whether a figure of a submission was found again.
type Confirmation string

// The verdicts.
const (
	Holds     Confirmation = "holds"
	Differs   Confirmation = "differs"
	Undecided Confirmation = "undecided" // other, but what it is measured on is known to vary; or not to be had here
	Unchecked Confirmation = "unchecked" // nothing was done that could tell
)

// A Figure is one measurement as a submission has it and as it was found.
type Figure struct {
	Name     string       `json:"figure"`
	Recorded string       `json:"recorded"`
	Found    string       `json:"found"`
	Verdict  Confirmation `json:"verdict"`
	Why      string       `json:"why,omitempty"` // if it does not hold
}

// CheckSuite holds a record against the suite that it is said to be of, without running
// anything. hashes has the SHA-256 of every file of the archive. Those that the suite lists
// must be below at, the suite's directory in the archive, and be what it says they are. Errors
// are *InvalidError.
func CheckSuite(hashes map[string]string, at string, suite trial.Suite, r *trial.Record) error {
	listed := map[string]string{}
	ids := map[string]bool{}
	for _, e := range suite.Programs {
		if !name.MatchString(e.ID) || ids[e.ID] {
			return invalid("%s lists the program %q, which is no name or there twice", trial.SuiteFile, e.ID)
		}
		ids[e.ID] = true
	}
	for _, f := range suite.Listed() {
		listed[f.File] = f.SHA256
	}
	for file := range hashes { // a directory that was given is read whole
		if name, ok := strings.CutPrefix(file, at+"/"+trial.GivenDir+"/"); ok && listed[path.Join(trial.GivenDir, name)] == "" {
			return invalid("%s is not in %s", file, trial.SuiteFile)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(listed)) {
		switch {
		case !filepath.IsLocal(file):
			return invalid("%s lists %q, which is outside of the suite", trial.SuiteFile, file)
		case hashes[path.Join(at, file)] != listed[file]:
			return invalid("%s is not what its tool made: its SHA-256 is not the one in %s", path.Join(at, file), trial.SuiteFile)
		}
	}
	same := func(a, b any) bool {
		x, xerr := json.Marshal(a)
		y, yerr := json.Marshal(b)
		return xerr == nil && yerr == nil && string(x) == string(y)
	}
	switch {
	case r.Kind != suite.Kind:
		return invalid("the record is of a suite of %s, the suite one of %s", r.Kind, suite.Kind)
	case r.Stop != suite.Stop || r.Usage != suite.Usage:
		return invalid("the record and %s disagree on what was spent, or on why the tool stopped", trial.SuiteFile)
	case !same(r.Generation, suite.Generation):
		return invalid("the record and %s disagree on how the tool worked", trial.SuiteFile)
	case r.Kind == trial.KindPrograms && r.Programs == nil && !lacks(r, trial.PartSuccess):
		return invalid("the record has neither counts of programs nor a reason why there are none")
	case r.Kind == trial.KindKnowledge: // there is nothing to measure
	case r.Coverage == nil && !lacks(r, trial.PartCoverage):
		return invalid("the record has neither coverage nor a reason why there is none")
	case r.Programs != nil && r.Programs.Generated != len(suite.Programs):
		return invalid("the record is of %d programs, the suite has %d", r.Programs.Generated, len(suite.Programs))
	case r.Inputs != len(suite.Inputs):
		return invalid("the record is of %d inputs, the suite has %d", r.Inputs, len(suite.Inputs))
	}
	return nil
}

func lacks(r *trial.Record, p trial.Part) bool {
	_, ok := r.Missing[p]
	return ok
}

// A CellCheck is what was found of one cell with a record.
type CellCheck struct {
	Cell    string   `json:"cell"`
	Figures []Figure `json:"figures"`
}

// A Verification is what was found of a submission.
type Verification struct {
	Name       string             `json:"name"`
	SHA256     string             `json:"sha256"` // of the archive
	Bench      string             `json:"bench"`  // that verified it
	Corpus     string             `json:"corpus"`
	Executed   bool               `json:"executed"` // more was looked at than hashes
	Files      int                `json:"files"`    // whose hashes hold
	Cells      []CellCheck        `json:"cells"`
	Incomplete []trial.Incomplete `json:"incomplete,omitempty"` // cells that the submission has no record of
	Notes      []string           `json:"notes,omitempty"`
}

// Count returns how many figures have that verdict.
func (v *Verification) Count(verdict Confirmation) int {
	n := 0
	for _, c := range v.Cells {
		for _, f := range c.Figures {
			if f.Verdict == verdict {
				n++
			}
		}
	}
	return n
}

// A comparison holds a record against one of the same suite made anew.
type comparison struct {
	was, now *trial.Record
	unsteady string // why figures of this suite may vary; "" if they may not
	unlike   string // why other programs may count otherwise; "" if they are the same
	figures  []Figure
}

// Compare returns every figure of a record with what a new evaluation of the same suite gave.
// Counts are compared exactly. Times are not compared, nor what the suite cost: its replay
// tells that. A difference is Undecided where flaky programs or timeouts make it, or a
// fuzzer that gets its budget again. One of coverage or AUVC also where unlike says how the
// programs that count it are other ones here.
func Compare(was, now *trial.Record, unlike string) []Figure {
	c := comparison{was: was, now: now, unsteady: unsteady(was, now), unlike: unlike}
	c.programs()
	c.coverage()
	c.verifications()
	c.mutation()
	c.bugs()
	c.flags()
	return c.figures
}

// flags compares which flags a suite has, but for those that chance raises.
func (c *comparison) flags() {
	has := func(r *trial.Record, kind trial.FlagKind) string {
		if slices.ContainsFunc(r.Flags, func(f trial.Flag) bool { return f.Kind == kind }) {
			return "flagged"
		}
		return "not flagged"
	}
	for _, kind := range []trial.FlagKind{trial.FlagBuild, trial.FlagCounters} {
		if was, now := has(c.was, kind), has(c.now, kind); was != now || was == "flagged" {
			c.add(string(kind), was, now, c.unsteady)
		}
	}
}

// unsteady says what makes the figures of a suite vary from one evaluation to the next.
func unsteady(was, now *trial.Record) string {
	for _, o := range []trial.Outcome{trial.Flaky, trial.Timeout} {
		n := 0
		for _, r := range []*trial.Record{was, now} {
			if r.Programs != nil {
				n = max(n, r.Programs.Outcomes[o])
			}
		}
		if n > 0 {
			return fmt.Sprintf("%d programs are %s", n, map[trial.Outcome]string{trial.Flaky: "flaky", trial.Timeout: "at the time limit"}[o])
		}
	}
	return ""
}

// add compares one figure, whose difference may have an excuse.
func (c *comparison) add(name, was, now, excuse string) {
	f := Figure{Name: name, Recorded: was, Found: now, Verdict: Holds}
	switch {
	case was == now:
	case excuse != "":
		f.Verdict, f.Why = Undecided, excuse
	default:
		f.Verdict = Differs
	}
	c.figures = append(c.figures, f)
}

// missing is what a figure is whose part has no value.
const missing = "missing"

// lacking says why a figure of a part cannot be compared; "" if both records have it.
func (c *comparison) lacking(p trial.Part) string {
	if why, ok := c.now.Missing[p]; ok {
		return "not measured here: " + why.String()
	}
	if why, ok := c.was.Missing[p]; ok {
		return "not measured by the submitter: " + why.String()
	}
	return ""
}

// figure compares a figure of a part that both records may lack, or that neither has: then there is none.
func figure[T any](c *comparison, name string, p trial.Part, of func(*trial.Record) *T, show func(*T) string, excuses ...string) {
	lacking := c.lacking(p)
	if of(c.was) == nil && of(c.now) == nil && lacking == "" {
		return
	}
	text := func(r *trial.Record) string {
		if of(r) == nil {
			return missing
		}
		return show(of(r))
	}
	c.add(name, text(c.was), text(c.now), cmp.Or(append([]string{lacking}, excuses...)...))
}

func (c *comparison) programs() {
	of := func(r *trial.Record) *trial.ProgramCounts { return r.Programs }
	part := func(count func(*trial.ProgramCounts) int) func(*trial.ProgramCounts) string {
		return func(p *trial.ProgramCounts) string { return fmt.Sprintf("%d of %d", count(p), p.Generated) }
	}
	figure(c, "CSR", trial.PartSuccess, of, part(func(p *trial.ProgramCounts) int { return p.Compiled }))
	figure(c, "ESR", trial.PartSuccess, of, part(func(p *trial.ProgramCounts) int { return p.Executed }), c.unsteady)
	figure(c, "false alarms", trial.PartSuccess, of, part(func(p *trial.ProgramCounts) int { return p.FalseAlarms }), c.unsteady)
	figure(c, "outcomes", trial.PartSuccess, of, outcomes, c.unsteady)
	figure(c, "first failures", trial.PartSuccess, func(r *trial.Record) *trial.Record {
		if r.Programs == nil {
			return nil
		}
		return r
	}, func(r *trial.Record) string { return references(r.Alarms, r.Failures) }, c.unsteady)
}

func outcomes(p *trial.ProgramCounts) string {
	var parts []string
	for _, o := range trial.Outcomes {
		if n := p.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, n))
		}
	}
	return strings.Join(parts, ", ")
}

// references names tests with how they failed.
func references(lists ...[]trial.TestReference) string {
	var parts []string
	for _, r := range slices.Concat(lists...) {
		s := r.ID + " " + string(r.Outcome)
		if r.Oracle != "" {
			s += " (" + string(r.Oracle) + ")"
		}
		if r.Assertion != nil {
			s += fmt.Sprintf(" at line %d: %s", r.Assertion.Line, r.Assertion.Expr)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

func (c *comparison) coverage() {
	show := func(r *trial.Record, part func(trial.Coverage) (int, int)) string {
		if r.Coverage == nil {
			return missing
		}
		n, of := part(*r.Coverage)
		return fmt.Sprintf("%d of %d", n, of)
	}
	for _, p := range []struct {
		name string
		of   func(trial.Coverage) (int, int)
	}{
		{"LC", func(v trial.Coverage) (int, int) { return v.LinesCovered, v.LinesTotal }},
		{"BC", func(v trial.Coverage) (int, int) { return v.BranchesCovered, v.BranchesTotal }},
		{"functions", func(v trial.Coverage) (int, int) { return v.FunctionsCovered, v.FunctionsTotal }},
		{"regions", func(v trial.Coverage) (int, int) { return v.RegionsCovered, v.RegionsTotal }},
	} {
		c.add(p.name, show(c.was, p.of), show(c.now, p.of), cmp.Or(c.lacking(trial.PartCoverage), c.unsteady, c.unlike))
	}
	c.add("growth", growth(c.was), growth(c.now), cmp.Or(c.lacking(trial.PartGrowth), c.unsteady, c.unlike))
}

// growth is the curve: lines and branches by programs.
func growth(r *trial.Record) string {
	if lacks(r, trial.PartGrowth) {
		return missing
	}
	var parts []string
	for _, p := range r.Growth {
		parts = append(parts, fmt.Sprintf("%d: %d, %d", p.Programs, p.LinesCovered, p.BranchesCovered))
	}
	return strings.Join(parts, "; ")
}

func (c *comparison) verifications() {
	figure(c, "AUVC", trial.PartVerifications, func(r *trial.Record) *trial.Verifications { return r.Verifications },
		func(v *trial.Verifications) string {
			return fmt.Sprintf("%d of %d seeds in %d programs; of %d assertions %d repeated, %d cannot fail, %d cannot pass",
				v.Unique, v.Seeds, v.Programs, v.Assertions, v.Repeated, v.Tautologies, v.Contradictions)
		}, c.unsteady, c.unlike)
}

func (c *comparison) mutation() {
	figure(c, "mutation score", trial.PartMutation, func(r *trial.Record) *trial.Mutation { return r.Mutation },
		func(m *trial.Mutation) string {
			text := fmt.Sprintf("%d of %d mutants of %s killed, %d reached", m.Killed, m.Mutants, m.Set, m.Reached)
			for _, o := range m.ByOracle {
				text += fmt.Sprintf("; %d by %s", o.Killed, o.Oracle)
			}
			return text
		}, c.unsteady, c.unlike)
}

// bugs compares HBDR, and then each bug.
func (c *comparison) bugs() {
	if len(c.was.Bugs)+len(c.now.Bugs) == 0 {
		return
	}
	fuzzed := ""
	if c.was.Kind == trial.KindCorpus {
		fuzzed = "on each buggy build the fuzzer gets a budget of its own, and does not repeat itself"
	}
	was, now := byBug(c.was.Bugs), byBug(c.now.Bugs)
	var details []Figure
	rate := comparison{}
	excuse := ""
	for _, b := range union(c.was.Bugs, c.now.Bugs) {
		x, y := was[b], now[b]
		why := excuseOf(x, y, fuzzed, c.unsteady)
		rate.add("bug "+b, verdictOf(x), verdictOf(y), why)
		d := rate.figures[len(rate.figures)-1]
		if d.Verdict != Holds {
			details = append(details, d)
		}
		if d.Verdict == Undecided {
			excuse = d.Why
		}
	}
	hbdr := Figure{Name: "HBDR", Recorded: detected(c.was.Bugs), Found: detected(c.now.Bugs), Verdict: Holds}
	for _, d := range details {
		if d.Verdict == Differs {
			hbdr.Verdict, hbdr.Why = Differs, "see "+d.Name
			break
		}
		hbdr.Verdict, hbdr.Why = Undecided, excuse
	}
	c.figures = append(append(c.figures, hbdr), details...)
}

func byBug(list []trial.BugResult) map[string]*trial.BugResult {
	m := map[string]*trial.BugResult{}
	for i := range list {
		m[list[i].Bug] = &list[i]
	}
	return m
}

// union returns the bugs of both lists, in the order of the first and then of the second.
func union(a, b []trial.BugResult) []string {
	var ids []string
	for _, r := range slices.Concat(a, b) {
		if !slices.Contains(ids, r.Bug) {
			ids = append(ids, r.Bug)
		}
	}
	return ids
}

// excuseOf says why a difference between two results for one bug decides nothing.
func excuseOf(was, now *trial.BugResult, fuzzed, unsteady string) string {
	if was == nil || now == nil {
		return "" // one of them was not asked for the bug: the experiment says which is right
	}
	switch {
	case now.Missing != nil:
		return "could not be checked here: " + now.Missing.String()
	case was.Missing != nil:
		return "could not be checked by the submitter: " + was.Missing.String()
	case was.Unstable+now.Unstable+was.Untried+now.Untried > 0:
		return "some tests of it do not fail every time, or hang"
	}
	if fuzzed == "" && was.Detected == now.Detected {
		return unsteady // programs that do not always pass cannot make or unmake a detection
	}
	return fuzzed
}

// verdictOf says all that a bug's result claims, but for times.
func verdictOf(b *trial.BugResult) string {
	switch {
	case b == nil:
		return "not evaluated"
	case b.Missing != nil:
		return missing
	case !b.Detected:
		return "not detected"
	}
	return fmt.Sprintf("detected by %d tests %v; %s", b.Tests, b.Oracles, references(b.First))
}

func detected(list []trial.BugResult) string {
	n, of := 0, 0
	for _, b := range list {
		if b.Missing != nil {
			continue
		}
		if of++; b.Detected {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, of)
}
