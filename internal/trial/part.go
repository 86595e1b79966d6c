package trial

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Part is one of the measurements that a record is made of. One that cannot be had leaves the
// others as they are.
type Part string

// The parts of a record.
const (
	PartSuccess       Part = "success"       // Programs, Alarms and Failures
	PartCoverage      Part = "coverage"      // Coverage
	PartGrowth        Part = "growth"        // Growth
	PartVerifications Part = "verifications" // Verifications
	PartMutation      Part = "mutation"      // Mutation
	PartDetections    Part = "detections"    // Bugs, one by one
)

// Parts lists every part, in the order in which a record's gaps are told.
var Parts = []Part{PartSuccess, PartCoverage, PartGrowth, PartVerifications, PartMutation, PartDetections}

// A ReasonKind says what kept a part from being measured.
type ReasonKind string

// The kinds of reasons. A full disk is none: it ends the run.
const (
	ReasonMissingTool ReasonKind = "missing_tool" // a program that this machine does not have
	ReasonSource      ReasonKind = "source"       // a source that could not be fetched or patched
	ReasonBuild       ReasonKind = "build"        // a build of the library that failed
	ReasonToolchain   ReasonKind = "toolchain"    // a compiler, linker or reader of coverage that broke
	ReasonSandbox     ReasonKind = "sandbox"      // test programs that could not be run
	ReasonAssertions  ReasonKind = "assertions"   // assertions that could not be counted
	ReasonSuccess     ReasonKind = "success"      // PartSuccess is missing, which says what passes on the reference build
	ReasonAbsent      ReasonKind = "absent"       // a bug that cannot be re-introduced at the library's commit: that is so for good
	ReasonPanic       ReasonKind = "panic"        // an error in the harness; its log has the stack
)

// A Reason says why a part of a record has no value. It may go away: the next evaluation of the
// cell tries the part again.
type Reason struct {
	Kind    ReasonKind `json:"kind"`
	Message string     `json:"message"`
}

func (r Reason) String() string { return string(r.Kind) + ": " + r.Message }

// A Gap is a part of a record without a value.
type Gap struct {
	Part   Part   `json:"part"`
	Bug    string `json:"bug,omitempty"` // of PartDetections
	Reason Reason `json:"reason"`
}

// Name names the part, or the bug that could not be checked.
func (g Gap) Name() string {
	if g.Bug != "" {
		return "bug " + g.Bug
	}
	return string(g.Part)
}

// Lack notes why the record has no value for a part.
func (r *Record) Lack(p Part, why Reason) {
	if r.Missing == nil {
		r.Missing = map[Part]Reason{}
	}
	r.Missing[p] = why
}

// Drop takes the value of a part, or of a bug, out of the record, and the reason for having none. The
// lists that held it are copied.
func (r *Record) Drop(g Gap) {
	r.Missing = maps.Clone(r.Missing)
	delete(r.Missing, g.Part)
	switch g.Part {
	case PartSuccess:
		r.Programs, r.Alarms, r.Failures = nil, nil, nil
	case PartCoverage:
		r.Coverage = nil
	case PartGrowth:
		r.Growth = nil
	case PartVerifications:
		r.Verifications = nil
	case PartMutation:
		r.Mutation = nil
	case PartDetections:
		r.Bugs = slices.DeleteFunc(slices.Clone(r.Bugs), func(b BugResult) bool { return b.Bug == g.Bug })
	}
}

// Gaps returns the parts without a value, in the order of Parts and then of the bugs.
func (r *Record) Gaps() []Gap {
	var gaps []Gap
	for _, p := range Parts {
		if why, ok := r.Missing[p]; ok {
			gaps = append(gaps, Gap{Part: p, Reason: why})
		}
	}
	for _, b := range r.Bugs {
		if b.Missing != nil && b.Missing.Kind != ReasonAbsent { // which no later evaluation can change
			gaps = append(gaps, Gap{Part: PartDetections, Bug: b.Bug, Reason: *b.Missing})
		}
	}
	return gaps
}

// DescribeGaps names the gaps and their reasons in one line, those of the same reason together.
func DescribeGaps(gaps []Gap) string {
	var parts []string
	for _, of := range GroupGaps(gaps) {
		parts = append(parts, fmt.Sprintf("%s (%s)", GapNames(of), of[0].Reason.Brief()))
	}
	return strings.Join(parts, ", ")
}

// compilerError is the first line of a compiler's output that says what is wrong.
var compilerError = regexp.MustCompile(`(?m)^.*\berror: .*$`)

// Brief is the reason in one line: its first, and the first error of a compiler that comes after it.
func (r Reason) Brief() string {
	why, rest, more := strings.Cut(r.String(), "\n")
	if found := compilerError.FindString(rest); found != "" {
		return why + ": " + found
	}
	if more {
		why += " …"
	}
	return why
}

// GroupGaps puts gaps of the same reason together, in the order of the first of each.
func GroupGaps(gaps []Gap) [][]Gap {
	var groups [][]Gap
	for _, g := range gaps {
		i := slices.IndexFunc(groups, func(of []Gap) bool { return of[0].Reason.Brief() == g.Reason.Brief() })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], g)
	}
	return groups
}

// GapNames lists the names of gaps, each once.
func GapNames(gaps []Gap) string {
	var names []string
	for _, g := range gaps {
		if !slices.Contains(names, g.Name()) {
			names = append(names, g.Name())
		}
	}
	return strings.Join(names, ", ")
}
