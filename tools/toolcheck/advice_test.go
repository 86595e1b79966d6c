package toolcheck

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// TestAdvice: a problem is told in plain words, with what to change and the tool's own first lines.
func TestAdvice(t *testing.T) {
	crashed := func(message string) error {
		return &trial.IncompleteError{Kind: exttool.KindCrashed, Message: "tool mine: " + message}
	}
	for _, tt := range []struct {
		name, said string
		err        error
		problem    string
		change     string
	}{
		{"a package", "Traceback\nModuleNotFoundError: No module named 'x'\n", crashed("exit status 1 after 0 programs: Traceback"),
			"it ended before it was done: exit status 1 after 0 programs (tool_crashed)", "packages in your home directory"},
		{"a program", "gen.sh: 3: frob: not found", crashed("exit status 127 after 2 programs: frob"),
			"it ended before it was done: exit status 127 after 2 programs (tool_crashed)", "only programs in /usr and /bin are there"},
		{"nothing known", "oops", crashed("killed by signal segmentation fault after 2 programs"),
			"it ended before it was done: killed by signal segmentation fault after 2 programs (tool_crashed)", "end with status 0"},
		{"a line", "", &trial.IncompleteError{Kind: exttool.KindSuite, Message: "tool mine: suite.jsonl:1: no file"},
			"suite.jsonl:1: no file (tool_suite)", "mend the line that is named"},
		{"the harness", "", errors.New("disk: full"), "disk: full", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Check(t, is.Equal(problem(tt.err), tt.problem), "problem")
			c := &check{said: tt.said, failure: tt.err}
			f := c.advised(Finding{Check: "leaves programs", Problems: []string{"p"}})
			if got := strings.Join(f.Change, "\n"); !strings.HasPrefix(got, tt.change) || (got == "") != (tt.change == "") {
				t.Errorf("change %q, want %q", got, tt.change)
			}
			if got := strings.Join(f.Said, "\n"); got != strings.TrimSpace(tt.said) {
				t.Errorf("said %q, want %q", got, tt.said)
			}
		})
	}
	c := &check{said: strings.Repeat("line\n", 40)}
	f := c.advised(Finding{Problems: []string{"p"}})
	assert.Check(t, len(f.Said) == saidLines+1 && f.Said[saidLines] == "[…] 34 lines more", "said %q", f.Said)
	if f := c.advised(Finding{Check: "leaves programs"}); len(f.Said) != 0 || !slices.Equal(f.Change, nil) {
		t.Errorf("advice where nothing is wrong: %+v", f)
	}
}
