package trial

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
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
		parts = append(parts, fmt.Sprintf("%s (%s)", GapNames(of), Brief(of[0].Reason.String())))
	}
	return strings.Join(parts, ", ")
}

// buildError is a line of a compiler or linker that says what is wrong; placed is one that names a place in a file.
var buildError, placed = regexp.MustCompile(`(?m)^.*(\berror: |undefined reference).*$`), regexp.MustCompile(`:\d+:|: in function`)

// Brief is a message in one line: the first, and the first error of a compiler or linker after it, or else the last. If
// the first is a compiler's too, the error is enough.
func Brief(message string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(message), "\n")
	switch found := strings.TrimSpace(buildError.FindString(rest)); {
	case !more, buildError.MatchString(first):
		return cut(first, 300)
	case found == "":
		return cut(first, 120) + " … " + cut(strings.TrimSpace(rest[strings.LastIndex(rest, "\n")+1:]), 120)
	case placed.MatchString(first):
		return cut(found, 300)
	default:
		return cut(first, 150) + ": " + cut(found, 150)
	}
}

// cut is the beginning of a text of more characters than most.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + " …"
	}
	return text
}

// GroupGaps puts gaps of the same reason together, in the order of the first of each.
func GroupGaps(gaps []Gap) [][]Gap {
	return lists.Group(gaps, func(g Gap) string { return Brief(g.Reason.String()) })
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
