package experiments

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const commitsOf = "name: c\nbudget: {programs: 3}\nlibraries: [{name: cJSON, commits: [v1.7.15, c859b25da02955fef659d658b8f324b5cde87be3], bugs: [cJSON-1]}, {name: zlib}]\ntools: [{name: randoop}]\n"

// TestCommitsAreEditions expects a library once at each commit, with the bugs that it names.
func TestCommitsAreEditions(t *testing.T) {
	e := load(t, commitsOf)
	var got []string
	for _, c := range e.Plan().Cells {
		got = append(got, c.ID()+" "+strings.Join(c.Bugs, "+"))
	}
	want := []string{"randoop.default.cJSON.upstream-v1.7.15.1 cJSON-1", "randoop.default.cJSON.upstream-c859b25da02955fef659d658b8f324b5cde87be3.1 cJSON-1"}
	assert.Check(t, slices.Equal(got[:2], want) && strings.HasPrefix(got[2], "randoop.default.zlib.debian.1 "),
		"got\n%s", strings.Join(got, "\n"))
	text, err := e.YAML()
	assert.Assert(t, err == nil && !strings.Contains(string(text), "commit"), "%v\n%s", err, text)
	again := load(t, string(text))
	assert.Check(t, len(again.Plan().Cells) == len(got), "the resolved form is another plan:\n%s", text)
}
