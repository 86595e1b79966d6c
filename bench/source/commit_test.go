package source

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// TestOtherCommits takes a library at commits and at a tag, and re-introduces a bug at those from after its fix.
func TestOtherCommits(t *testing.T) {
	repo, commits := gitRepository(t, history...)
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{"git", "-C", repo, "tag", "v2", commits[2]}, Env: testEnv}); err != nil {
		t.Fatal(err)
	}
	s, lib := newStore(t), upstreamLibrary(repo, commits[2])
	bug := &lisabench.Bug{ID: "lib-1", Fix: commits[1], Upstream: &lisabench.Reintroduce{Strategy: lisabench.PairOf, Parent: commits[0]}}
	for _, c := range []struct{ rev, reference, buggy string }{
		{"v2", "ONE\ntwo\nthree\nfour\nfixed\n", "ONE\ntwo\nthree\nfour\nbuggy\n"},
		{commits[1], "one\ntwo\nthree\nfour\nfixed\n", "one\ntwo\nthree\nfour\nbuggy\n"},
	} {
		e, err := lisabench.AtCommit(c.rev)
		assert.NilError(t, err)
		ref, err := s.Reference(t.Context(), lib, e)
		assert.NilError(t, err)
		if got := read(t, ref, "a.c"); !strings.HasPrefix(got, c.reference) {
			t.Errorf("%s: reference\n%s", c.rev, got)
		}
		fixed, buggy, err := s.Buggy(t.Context(), lib, e, bug)
		assert.NilError(t, err)
		assert.Check(t, fixed == ref && strings.HasPrefix(read(t, buggy, "a.c"), c.buggy),
			"%s: buggy\n%s", c.rev, read(t, buggy, "a.c"))
	}
	if _, err := s.Reference(t.Context(), lib, "upstream-v3"); err == nil || !strings.Contains(err.Error(), "no tag of") {
		t.Errorf("an unknown tag: %v", err)
	}
}
