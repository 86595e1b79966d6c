package alias

import (
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// names are those of a library that has one of each kind of identifier.
func names() *Names {
	return Of(trial.Target{Library: "libpng2", Headers: []string{"png.h", "sub/pngconf.h"}}, &apispec.Spec{
		Functions: []*apispec.Function{{Name: "png_read"}, {Name: "inflate"}, {Name: "ns::Set::Add", Kind: apispec.Method}, {Name: "ns::Set::size", Kind: apispec.Method}},
		Structs:   []*apispec.Struct{{Name: "png_struct", Typedef: "Bytef", Fields: []apispec.Field{{Name: "next"}, {Name: "total_out"}, {Name: "x"}}}},
		Enums:     []*apispec.Enum{{Name: "mode", Constants: []apispec.Enumerator{{Name: "MODE_A"}}}},
		Typedefs:  []*apispec.Typedef{{Name: "uInt"}},
		Constants: []*apispec.Constant{{Name: "Z_OK"}},
		Macros:    []*apispec.Macro{{Name: "inflateInit"}},
		Helpers:   []*apispec.Macro{{Name: "PNG_EACH"}},
	})
}

const text = `#include <png.h>
#include "sub/pngconf.h"
/* libpng2's inflate() fills next; LIBPNG2_VERSION, libpng and Png are names too, springer is none. */
uInt png_read(png_struct *p); Bytef b = Z_OK + MODE_A; PNG_EACH(p) p->total_out = p->next; Set s; s.Add(s.size()); png_internal(); inflateInit(p);
`

func TestNothingIsLeft(t *testing.T) {
	n := names()
	hidden := n.Hide(text)
	for _, name := range []string{"png", "Png", "PNG", "inflate", "Bytef", "Z_OK", "MODE_A", "uInt", "total_out", "Set", "Add"} {
		if strings.Contains(hidden, name) {
			t.Errorf("%s is still in\n%s", name, hidden)
		}
	}
	for _, word := range []string{"next", "size", "are names too, sp"} {
		if !strings.Contains(hidden, word) {
			t.Errorf("%q is not in\n%s", word, hidden)
		}
	}
	if got := n.Restore(hidden); got != text {
		t.Errorf("restored:\n%s\nwant\n%s", got, text)
	}
	if again := names().Hide(text); again != hidden {
		t.Errorf("the names are not the same the next time:\n%s", again)
	}
}

// What a model knows without having been shown it does not compile.
func TestRememberedNames(t *testing.T) {
	if got, want := names().Restore("#include <png.h>\ninflate(&s); int next = 0;"), "#include <png_not_here.h>\ninflate_not_here(&s); int next = 0;"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzHideAndRestore(f *testing.F) {
	n := names()
	f.Add(text)
	f.Add("xpngx PnG lIbPnG2 \\ndeflate")
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range word.FindAllString(strings.ToLower(s), -1) {
			for alias := range n.from {
				if strings.Contains(w, strings.ToLower(alias)) {
					t.Skip("it has an alias in it")
				}
			}
		}
		if got := n.Restore(n.Hide(s)); got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
	})
}
