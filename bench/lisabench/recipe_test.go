package lisabench

import (
	"reflect"
	"slices"
	"testing"
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
	if lib.Recipe.Sources[0] != "a.c" || len(lib.Recipe.Editions) != 1 {
		t.Errorf("the library's own recipe became %+v", lib.Recipe)
	}
}

func TestDocumentsFor(t *testing.T) {
	lib := &Library{Documents: []string{"lib.h"}, EditionDocuments: map[Edition][]string{Upstream: {"manuals/lib.txt"}}}
	for e, want := range map[Edition][]string{Upstream: {"lib.h", "manuals/lib.txt"}, Debian: {"lib.h"}} {
		if got := lib.DocumentsFor(e); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", e, got, want)
		}
	}
	if len(lib.Documents) != 1 {
		t.Errorf("the common documents became %q", lib.Documents)
	}
}
