package property

import (
	"regexp"
	"strconv"
	"strings"
)

// A report is what lisa_prop.h tells of one run of a program, on its standard error.
type report struct {
	tests  []testReport
	failed *failedCase // nil if no property failed
}

type testReport struct {
	name       string
	cases      int
	properties []siteReport // that were checked
	exclusions []siteReport // that left cases out
}

// A siteReport is one PROPERTY or EXCLUDE and how often it came about.
type siteReport struct {
	line  int // in the program as the model wrote it
	text  string
	count int
}

// A failedCase is a case that fails, made smaller.
type failedCase struct {
	test, sentence, condition string
	lines                     []string // what the case drew and noted
	draws                     string   // LISA_CASE
}

var (
	testLine      = regexp.MustCompile(`^test (\w+) (?:passes|fails|used up its steps) cases=(\d+) discarded=\d+$`)
	siteLine      = regexp.MustCompile(`^(property|exclusion) (\d+) (\d+) (.*)$`)
	caseLine      = regexp.MustCompile(`^case \d+, line \d+: "(.*)"$`)
	conditionLine = regexp.MustCompile(`^does not hold: (.*)$`)
)

// parseReport reads the lines that begin with "lisa: ". What a program writes itself is passed over.
func parseReport(stderr string) report {
	var r report
	for line := range strings.Lines(stderr) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "lisa: ")
		if !ok {
			continue
		}
		if m := testLine.FindStringSubmatch(text); m != nil {
			cases, _ := strconv.Atoi(m[2])
			r.tests = append(r.tests, testReport{name: m[1], cases: cases})
		} else if m := siteLine.FindStringSubmatch(text); m != nil && len(r.tests) > 0 {
			t := &r.tests[len(r.tests)-1]
			line, _ := strconv.Atoi(m[2])
			count, _ := strconv.Atoi(m[3])
			site := siteReport{line, oneLine(m[4]), count}
			if m[1] == "property" {
				t.properties = append(t.properties, site)
			} else {
				t.exclusions = append(t.exclusions, site)
			}
		} else if m := caseLine.FindStringSubmatch(text); m != nil && len(r.tests) > 0 {
			r.failed = &failedCase{test: r.tests[len(r.tests)-1].name, sentence: oneLine(m[1])}
		} else if r.failed == nil {
			continue
		} else if m := conditionLine.FindStringSubmatch(text); m != nil {
			r.failed.condition = m[1]
		} else if draws, ok := strings.CutPrefix(text, "#define LISA_CASE "); ok {
			r.failed.draws = draws
		} else if value, ok := strings.CutPrefix(text, "  "); ok {
			r.failed.lines = append(r.failed.lines, value)
		}
	}
	return r
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
