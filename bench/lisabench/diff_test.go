package lisabench

import "testing"

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		how  *Reintroduce
		want string
	}{
		{nil, ""},
		{&Reintroduce{Strategy: EditTree, Edits: []Edit{{File: "a.c", Anchor: "x = 1;\ny = 2;", Replacement: "x = 2;\n"}}},
			"--- a.c\n+++ a.c\n-x = 1;\n-y = 2;\n+x = 2;\n"},
		{&Reintroduce{Strategy: Revert}, "without the fix\n"},
		{&Reintroduce{Strategy: Revert, Commit: "abc"}, "without commit abc\n"},
		{&Reintroduce{Strategy: OmitPatch, Patch: "p.patch"}, "without debian/patches/p.patch\n"},
		{&Reintroduce{Strategy: PairOf, Parent: "def"}, "commit def, the last without the fix\n"},
	} {
		if got := tt.how.Diff(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.how, got, tt.want)
		}
	}
}
