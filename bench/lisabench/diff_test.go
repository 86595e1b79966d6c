package lisabench

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		how  *Reintroduce
		want string
	}{
		{nil, ""},
		{&Reintroduce{Strategy: EditTree, Edits: []Edit{{File: "a.c", Anchor: "x = 1;\ny = 2;", Replacement: "x = 2;\n"}}},
			"--- a.c\n+++ a.c\n-x = 1;\n-y = 2;\n+x = 2;\n"},
		{&Reintroduce{Strategy: Revert}, "re-introduced by revert\n"},
		{&Reintroduce{Strategy: PairOf, Parent: "def", diff: "-a\n+b\n"}, "-a\n+b\n"},
	} {
		if got := tt.how.Diff(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.how, got, tt.want)
		}
	}
}

// TestKeptDiffs makes sure that every bug of the Debian edition shows what it changes.
func TestKeptDiffs(t *testing.T) {
	bench, err := Load(Embedded())
	assert.NilError(t, err)
	for _, lib := range bench.Libraries {
		for _, bug := range lib.Bugs {
			if how := bug.Debian; how != nil && how.Strategy != Absent && !strings.Contains(how.Diff(), "\n-") && !strings.Contains(how.Diff(), "\n+") {
				t.Errorf("%s comes back by %s: %q", bug.ID, how.Strategy, how.Diff())
			}
		}
	}
}
