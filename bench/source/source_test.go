package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

func TestApplyEdits(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit lisabench.Edit
		want string // of the file, or of the error after "error: "
	}{
		{"once", lisabench.Edit{File: "a.c", Anchor: "b = 2", Replacement: "b = 3"}, "a = 1; b = 3; a = 1;"},
		{"several lines are one anchor", lisabench.Edit{File: "sub/x.c", Anchor: "p\nq", Replacement: "r"}, "r\n"},
		{"never", lisabench.Edit{File: "a.c", Anchor: "c = 3\nmore", Replacement: "x"}, `error: a.c: the anchor that starts with "c = 3" occurs 0 times`},
		{"twice", lisabench.Edit{File: "a.c", Anchor: "a = 1", Replacement: "x"}, "occurs 2 times"},
		{"no such file", lisabench.Edit{File: "b.c", Anchor: "x", Replacement: "y"}, "no such file"},
		{"out of the tree", lisabench.Edit{File: "../outside", Anchor: "x", Replacement: "y"}, "escapes"},
		{"out of the tree by a link", lisabench.Edit{File: "link", Anchor: "x", Replacement: "y"}, "escapes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "tree")
			for name, text := range map[string]string{"tree/a.c": "a = 1; b = 2; a = 1;", "tree/sub/x.c": "p\nq\n", "outside": "x"} {
				path := filepath.Join(parent, name)
				assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
			}
			assert.NilError(t, os.Symlink("../outside", filepath.Join(dir, "link")))
			err := applyEdits(dir, []lisabench.Edit{tt.edit})
			if err != nil {
				assert.Check(t, strings.Contains("error: "+err.Error(), tt.want), "error = %v, want %q", err, tt.want)
				if out, _ := os.ReadFile(filepath.Join(parent, "outside")); string(out) != "x" {
					t.Errorf("the file outside is now %q", out)
				}
				return
			}
			if got, err := os.ReadFile(filepath.Join(dir, tt.edit.File)); string(got) != tt.want {
				t.Errorf("file = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// TestDebianEdition fetches cJSON's Debian source and makes every tree that can be made of it. `bench validate` does
// so for all libraries.
func TestDebianEdition(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	lib, err := bench.Library("cJSON")
	assert.NilError(t, err)
	s := newStore(t)
	ref, err := s.Reference(t.Context(), lib, lisabench.Debian)
	assert.NilError(t, err)
	for _, bug := range lib.Bugs {
		if how := bug.In(lisabench.Debian); how == nil || how.Strategy == lisabench.Absent {
			continue
		}
		if fixed, buggy, err := s.Buggy(t.Context(), lib, lisabench.Debian, bug); err != nil || fixed != ref || buggy.Key == ref.Key {
			t.Errorf("%s: fixed %v, buggy %v, %v", bug.ID, fixed, buggy, err)
		}
	}
}

func TestDebianErrors(t *testing.T) {
	pin := lisabench.DebianPin{Package: "cjson", Version: "1.7.15-1+deb12u4", DscSHA256: strings.Repeat("0", 64)}
	gone := pin
	gone.Version = "1.0-1"
	unknown := lisabench.DebianPin{Package: "no-such-package-here", Version: "1", DscSHA256: pin.DscSHA256}
	for _, tt := range []struct {
		name string
		pin  lisabench.DebianPin
		want string
	}{
		{"hash differs", pin, "not the pinned 0000"},
		{"version gone", gone, "is not in the archive any more, which has 1.7.15"},
		{"unknown package", unknown, "scripts/install.sh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			_, err := s.Reference(t.Context(), &lisabench.Library{Name: "lib", Debian: &tt.pin}, lisabench.Debian)
			assert.Check(t, err != nil && strings.Contains(err.Error(), tt.want), "error = %v, want %q", err, tt.want)
			if left, _ := filepath.Glob(filepath.Join(s.dir, "*", ".tmp-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
