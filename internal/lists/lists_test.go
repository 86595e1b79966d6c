package lists_test

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/lists"
)

func TestLists(t *testing.T) {
	words := []string{"bug", "trial", "tool", "cell", "budget"}
	first := func(word string) byte { return word[0] }
	assert.DeepEqual(t, lists.Group(words, first), [][]string{{"bug", "budget"}, {"trial", "tool"}, {"cell"}})
	long := func(word string) bool { return len(word) > 4 }
	assert.DeepEqual(t, lists.Filter(words, long), []string{"trial", "budget"})
	assert.Equal(t, len(lists.Group(nil, first))+len(lists.Filter(nil, long)), 0)
}
