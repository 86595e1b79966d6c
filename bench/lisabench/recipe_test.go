package lisabench

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

func TestRecipeFor(t *testing.T) {
	lib := &Library{Recipe: Recipe{Sources: []string{"a.c"}, Defines: []string{"A"}, Link: []string{"-lm"}, SONAME: "liba.so.1",
		Editions: map[Edition]*Recipe{Debian: {Sources: []string{"b.c"}, Link: []string{}, SONAME: "liba.so.2"}}}}
	for _, tt := range []struct {
		edition Edition
		want    Recipe
	}{
		{Upstream, Recipe{Sources: []string{"a.c"}, Defines: []string{"A"}, Link: []string{"-lm"}, SONAME: "liba.so.1"}},
		{Debian, Recipe{Sources: []string{"b.c"}, Defines: []string{"A"}, Link: []string{}, SONAME: "liba.so.2"}},
	} {
		if got := lib.RecipeFor(tt.edition); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v\nwant %+v", tt.edition, got, tt.want)
		}
	}
	assert.Check(t, lib.Recipe.Sources[0] == "a.c" && len(lib.Recipe.Editions) == 1,
		"the library's own recipe became %+v", lib.Recipe)
}

func TestInstalledHeaders(t *testing.T) {
	headers := []string{"re2/re2.h", "include/lcms2.h", "include/sys/deep.h", "includes/other.h", "pcap/pcap.h", "zlib.h"}
	for _, tt := range []struct {
		name     string
		includes []string
		want     []string
	}{
		{"no directories: the root", nil, headers},
		{"the root by name", []string{"."}, headers},
		{"a directory", []string{"include"}, []string{"re2/re2.h", "lcms2.h", "sys/deep.h", "includes/other.h", "pcap/pcap.h", "zlib.h"}},
		{"the longest wins", []string{"include", ".", "include/sys"}, []string{"re2/re2.h", "lcms2.h", "deep.h", "includes/other.h", "pcap/pcap.h", "zlib.h"}},
		{"one without headers", []string{"src"}, headers},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lib := &Library{Headers: headers, Recipe: Recipe{Includes: []string{"."},
				Editions: map[Edition]*Recipe{Debian: {Includes: tt.includes}}}}
			assert.Check(t, is.DeepEqual(lib.InstalledHeaders(Debian), tt.want), "installed as")
			if got := lib.InstalledHeaders(Upstream); !slices.Equal(got, headers) {
				t.Errorf("another edition's recipe counts: %v", got)
			}
		})
	}
}

// scripts/install.sh reads the recipes' needs without a YAML parser.
func TestNeedsAreOnOneLine(t *testing.T) {
	b, err := Load(Embedded())
	assert.NilError(t, err)
	for _, l := range b.Libraries {
		text, err := fs.ReadFile(Embedded(), l.Name+"/library.yaml")
		assert.NilError(t, err)
		for _, e := range Editions {
			line := "needs: [" + strings.Join(l.RecipeFor(e).Needs, ", ") + "]\n"
			if len(l.RecipeFor(e).Needs) > 0 && !strings.Contains(string(text), line) {
				t.Errorf("%s/library.yaml: write %q", l.Name, line)
			}
		}
	}
}

// TestFreshBugs expects fresh bugs, and the fixes of them, in the edition of their own alone.
func TestFreshBugs(t *testing.T) {
	fix := &Reintroduce{Strategy: FixOnly, Edits: []Edit{{File: "a.c", Anchor: "wrong", Replacement: "right"}}}
	lib := &Library{Debian: &DebianPin{Backports: []Backport{{Bug: "a-1"}}},
		Bugs: []*Bug{{ID: "a-2", Selection: FreshlyAdded, Debian: fix}, {ID: "a-3", Selection: FreshlyAdded, Debian: fix}}}
	for _, tt := range []struct {
		edition Edition
		without string
		want    string
	}{{Debian, "", "a-1"}, {Fresh, "", "a-1 a-2 a-3"}, {Fresh, "a-2", "a-1 a-3"}, {Upstream, "", ""}} {
		var ids []string
		for _, b := range lib.BackportsIn(tt.edition, tt.without) {
			ids = append(ids, b.Bug)
		}
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%s without %q has the fixes of %q, want %q", tt.edition, tt.without, got, tt.want)
		}
	}
	assert.Check(t, lib.Has(Fresh) && lib.Bugs[0].In(Debian).Strategy == Absent && lib.Bugs[0].In(Fresh) == fix,
		"a fresh bug is not in the edition of its own alone")
	if got := fix.Diff(); !strings.Contains(got, "-right\n+wrong") {
		t.Errorf("the bug shows as\n%s", got)
	}
}
