package toolchain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestDumpUnitsTogether checks that units without errors share a process.
func TestDumpUnitsTogether(t *testing.T) {
	var log bytes.Buffer
	c, err := NewCompiler(testTools(t), t.TempDir(), testcache.Dir("plugins"), 1, NewCommandLog(&log))
	if err != nil {
		t.Fatal(err)
	}
	var units []Unit
	for _, id := range []string{"first", "second", "third"} {
		units = append(units, Unit{ID: id, Lang: trial.C, Source: "#include <string.h>\nint " + id + "(void) { return 1; }\n"})
	}
	trees, err := c.DumpUnits(context.Background(), t.TempDir(), Flags{}, units)
	if err != nil {
		t.Fatal(err)
	}
	for i, tree := range trees {
		name := fmt.Appendf(nil, `"offset": %d,`, strings.Index(units[i].Source, units[i].ID)) // of the source, not of what stands in for it
		if !bytes.Contains(tree.JSON, name) {
			t.Errorf("unit %s: nothing is at the name's offset", units[i].ID)
		}
		if !tree.OK || !json.Valid(tree.JSON) || !bytes.Contains(tree.JSON, []byte(`"name": "`+units[i].ID+`"`)) {
			t.Errorf("unit %s has no tree of its own", units[i].ID)
		}
	}
	if n := strings.Count(log.String(), "-ast-dump=json"); n != 1 {
		t.Errorf("%d processes made the trees, want 1", n)
	}
}

// TestDumpUnits checks that each unit gets its own tree, whichever way it was parsed.
func TestDumpUnits(t *testing.T) {
	units := []Unit{
		{ID: "plain", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\n\nint plain(void) { return 1; }\n"},
		{ID: "again", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\n\nint again(void) { return 2; }\n"},
		{ID: "broken", Lang: trial.C, Source: "#include <string.h>\n#include <stdio.h>\nint broken(void) { return x; }\n"},
		{ID: "nowhere", Lang: trial.C, Source: "#include <nowhere.h>\nint nowhere(void) { return 1; }\n"},
		{ID: "bare", Lang: trial.C, Source: "int bare(void) { return 1; }\n"},
		{ID: "late", Lang: trial.C, Source: "int x;\n#include <string.h>\nint late(void) { return 1; }\n"},
		{ID: "pragma", Lang: trial.C, Source: "#include <string.h>\n#pragma GCC diagnostic ignored \"-Wall\"\nint pragma(void) { return 1; }\n"},
		{ID: "classy", Lang: trial.CXX, Source: "#include <string>\nint classy() { std::string s(\"a\"); return s.size(); }\n"},
	}
	trees, err := testCompiler(t, 1).DumpUnits(context.Background(), t.TempDir(), Flags{}, units)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range units {
		tree := trees[i]
		bad := u.ID == "broken" || u.ID == "nowhere"
		if tree.ID != u.ID || tree.OK == bad {
			t.Errorf("unit %s: tree of %s, ok = %v", u.ID, tree.ID, tree.OK)
		}
		if bad {
			continue
		}
		if !json.Valid(tree.JSON) {
			t.Errorf("unit %s: not one JSON value", u.ID)
		}
		if !bytes.Contains(tree.JSON, []byte(`"name": "`+u.ID+`"`)) {
			t.Errorf("unit %s: its function is not in its tree", u.ID)
		}
		if !bytes.Contains(tree.JSON, []byte(`"file": "`+u.File()+`"`)) {
			t.Errorf("unit %s: no location in %s", u.ID, u.File())
		}
		if u.ID != "late" && bytes.Contains(tree.JSON, []byte(`"name": "strlen"`)) {
			t.Errorf("unit %s: the tree holds what it includes", u.ID)
		}
	}
	if line := `"line": 4`; !strings.Contains(string(trees[0].JSON), line) {
		t.Errorf("the tree of plain has no %s: lines moved", line)
	}
}

func TestSplitTrees(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"none", "", nil},
		{"one", "{\n  \"a\": 1\n}\n", []string{"{\n  \"a\": 1\n}"}},
		{"two as clang writes them", "{\n}{\n  \"a\": {\n  }\n}\n", []string{"{\n}", "{\n  \"a\": {\n  }\n}"}},
		{"two on lines of their own", "{\n}\n{\n}\n", []string{"{\n}", "{\n}"}},
		{"cut short", "{\n}{\n  \"a\"", []string{"{\n}"}},
		{"no last newline", "{\n}", []string{"{\n}"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, tree := range splitTrees([]byte(tc.in)) {
				got = append(got, string(tree))
			}
			if strings.Join(got, "|") != strings.Join(tc.want, "|") {
				t.Errorf("trees %q, want %q", got, tc.want)
			}
		})
	}
}
