package property

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A report is what lisa_prop.h tells of one run of a program, on its standard error.
type report struct {
	sites  []site      // that came about
	failed *failedCase // nil if no property failed
}

// A site is one PROPERTY or EXCLUDE and how often it was checked, or left a case out.
type site struct {
	exclusion bool
	line      int // in the program as the model wrote it
	text      string
	count     int
}

// A failedCase is a case that fails, made smaller.
type failedCase struct {
	sentence, condition string
	lines               []string // what the case drew and noted
	draws               string   // LISA_CASE
}

var (
	siteLine = regexp.MustCompile(`^(property|exclusion) (\d+) (\d+) (.*)$`)
	caseLine = regexp.MustCompile(`^case \d+, line \d+: "(.*)"$`)
)

// parseReport reads the lines that begin with "lisa: ". What a program writes itself is passed over.
func parseReport(stderr string) (r report) {
	for line := range strings.Lines(stderr) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "lisa: ")
		if !ok {
			continue
		}
		if m := siteLine.FindStringSubmatch(text); m != nil {
			line, _ := strconv.Atoi(m[2])
			count, _ := strconv.Atoi(m[3])
			r.sites = append(r.sites, site{m[1] == "exclusion", line, oneLine(m[4]), count})
		} else if m := caseLine.FindStringSubmatch(text); m != nil {
			r.failed = &failedCase{sentence: oneLine(m[1])}
		} else if r.failed == nil {
			continue
		} else if condition, ok := strings.CutPrefix(text, "does not hold: "); ok {
			r.failed.condition = condition
		} else if draws, ok := strings.CutPrefix(text, "#define LISA_CASE "); ok {
			r.failed.draws = draws
		} else if value, ok := strings.CutPrefix(text, "  "); ok {
			r.failed.lines = append(r.failed.lines, value)
		}
	}
	return r
}

// properties are those that were checked.
func (r report) properties() (list []site) {
	for _, s := range r.sites {
		if !s.exclusion {
			list = append(list, s)
		}
	}
	return list
}

// maxCaseLines bounds a case in a prompt.
const maxCaseLines = 40

// String tells of a failed case in a few lines.
func (c *failedCase) String() string {
	text := fmt.Sprintf("PROPERTY(%q, %s) does not hold.\n", c.sentence, c.condition)
	if len(c.lines) > 0 {
		text += "The smallest case found, as drawn and noted:\n"
	}
	for _, line := range c.lines[:min(len(c.lines), maxCaseLines)] {
		text += "  " + line + "\n"
	}
	if len(c.lines) > maxCaseLines {
		text += "  …\n"
	}
	return text
}

// lastCase returns what a program that traces its cases told last: the case in which it crashed.
func lastCase(stderr string) (lines []string) {
	for line := range strings.Lines(stderr) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "lisa: ")
		switch {
		case !ok:
		case strings.HasPrefix(text, "case "):
			lines = []string{text}
		case strings.HasPrefix(text, "  ") && lines != nil:
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}
