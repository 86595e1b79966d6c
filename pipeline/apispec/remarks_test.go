package apispec

import (
	"strings"
	"testing"
)

func TestDocsOfTypesAndParts(t *testing.T) {
	spec := loadHeader(t, "remarks.h")
	w := spec.Struct("whole")
	if w == nil || len(w.Fields) != 4 || len(spec.Enums) != 1 || len(spec.Enums[0].Constants) != 2 {
		t.Fatalf("struct %+v, enums %+v", w, spec.Enums)
	}
	var visit *Typedef
	for _, def := range spec.Typedefs {
		if def.Name == "whole_visit" {
			visit = def
		}
	}
	for _, tc := range []struct{ name, got, want string }{
		{"struct", w.Doc, "A whole."},
		{"field with a remark", w.Fields[0].Doc, "owned by the whole"},
		{"field below a comment", w.Fields[1].Doc, "Bytes in all."},
		{"field without", w.Fields[2].Doc, ""},
		{"field with a // remark", w.Fields[3].Doc, "NUL-terminated"},
		{"enum", spec.Enums[0].Doc, "What went wrong."},
		{"enumerator", spec.Enums[0].Constants[0].Doc, "nothing did"},
		{"typedef", visit.Doc, "Called for each part."},
		{"function", spec.function("whole_open").Doc, "Opens it."},
	} {
		if tc.got != tc.want {
			t.Errorf("doc of the %s = %q, want %q", tc.name, tc.got, tc.want)
		}
	}
}

func TestBlockDocs(t *testing.T) {
	for _, tc := range []struct{ header, function, doc, block string }{
		{"remarks.h", "whole_parts", "These count.", ""},
		{"remarks.h", "whole_bytes", "", "These count."},
		{"remarks.h", "whole_names", "", "These count."},
		{"remarks.h", "whole_alone", "", ""},
		{"blocks.h", "blocks_a", "", "A and B are alike."},
		{"blocks.h", "blocks_b", "A and B are alike.", ""},
		{"blocks.h", "blocks_c", "", ""},
	} {
		f := loadHeader(t, tc.header).function(tc.function)
		if f.Doc != tc.doc || f.BlockDoc != tc.block {
			t.Errorf("%s: doc %q, block's %q; want %q and %q", tc.function, f.Doc, f.BlockDoc, tc.doc, tc.block)
		}
	}
}

// TestHelpers: what users of a header may write, not what the header itself writes.
func TestHelpers(t *testing.T) {
	got := map[string]string{}
	for _, m := range loadHeader(t, "remarks.h").Helpers {
		got[m.Name] = m.Doc
	}
	if len(got) != 2 || got["remarks_each"] != "Visits every part." {
		t.Errorf("helpers = %v, want remarks_each with its comment, and REMARKS_INNER", got)
	}
}

// FuzzComments checks that comments are found within the text.
func FuzzComments(f *testing.F) {
	f.Add("/* a\n * b */ int x; // c\n\"// d\"\n// e\n// f")
	f.Add("/*")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, c := range scanComments(text) {
			if c.first < 1 || c.last < c.first || c.last > lines {
				t.Errorf("comment on lines %d to %d of %d", c.first, c.last, lines)
			}
		}
	})
}
