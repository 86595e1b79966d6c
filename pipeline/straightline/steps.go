package straightline

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// A Step is a part of a test function: from its marker to the line before the next one, the
// last to the end of the function. The paper splits programs there (sec:chunk-inv-gen).
type Step struct {
	Number    int `json:"number"`     // as written
	FirstLine int `json:"first_line"` // of the marker, 1-based
	LastLine  int `json:"last_line"`
}

// A marker is a // STEPn comment.
type marker struct{ number, line int }

var markerText = regexp.MustCompile(`(?i)^//\s*STEP\s*(\d{1,4})\b`)

// markers returns the step markers of a source: line comments that stand alone on their line.
func markers(source string) []marker {
	var found []marker
	for t := range clex.Tokens(source) {
		if t.Kind != clex.Comment || !t.First {
			continue
		}
		if m := markerText.FindStringSubmatch(t.Text); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil {
				found = append(found, marker{n, t.Line})
			}
		}
	}
	return found
}

// steps returns the parts of a function, and what keeps the program from being split there:
// "" if nothing does.
func steps(f *cprog.Node, all []marker) (parts []Step, problem string) {
	block := f.Body()
	first, last := int(block.Begin.Line), int(block.End.Line)
	for _, m := range all {
		if m.line <= first || m.line > last {
			continue
		}
		if n := len(parts); n > 0 {
			parts[n-1].LastLine = m.line - 1
			if problem == "" && m.number != parts[n-1].Number+1 {
				problem = fmt.Sprintf("line %d: STEP%d follows STEP%d", m.line, m.number, parts[n-1].Number)
			}
		} else if m.number != 1 {
			problem = fmt.Sprintf("line %d: the first marker is STEP%d", m.line, m.number)
		}
		if problem == "" {
			problem = inside(block, m)
		}
		parts = append(parts, Step{Number: m.number, FirstLine: m.line, LastLine: last})
	}
	if len(parts) == 0 {
		problem = "no // STEP1 marker"
	}
	return parts, problem
}

// inside says which statement of the block a marker cuts in two, or "".
func inside(block *cprog.Node, m marker) string {
	for _, n := range block.Inner {
		if line(n) < m.line && m.line <= int(n.End.Line) {
			return fmt.Sprintf("line %d: STEP%d is inside the statement of line %d", m.line, m.number, line(n))
		}
	}
	return ""
}

// assign gives each call the step that holds its line.
func assign(calls []Call, parts []Step) {
	for i := range calls {
		for _, s := range parts {
			if s.FirstLine <= calls[i].Line && calls[i].Line <= s.LastLine {
				calls[i].Step = s.Number
			}
		}
	}
}
