package apispec

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestBlockDocs(t *testing.T) {
	for _, tc := range []struct{ header, function, doc, block string }{
		{"remarks.h", "whole_open", "Opens it.", ""},
		{"remarks.h", "whole_parts", "These count.", ""},
		{"remarks.h", "whole_bytes", "", "These count."},
		{"remarks.h", "whole_names", "", "These count."},
		{"remarks.h", "whole_alone", "", ""},
		{"blocks.h", "blocks_a", "", "A and B are alike."},
		{"blocks.h", "blocks_b", "A and B are alike.", ""},
		{"blocks.h", "blocks_c", "", ""},
	} {
		f := loadHeader(t, tc.header).function(tc.function)
		assert.Check(t, f.Doc == tc.doc && f.BlockDoc == tc.block,
			"%s: doc %q, block's %q; want %q and %q", tc.function, f.Doc, f.BlockDoc, tc.doc, tc.block)
	}
}

// FuzzComments checks that comments are found within the text.
func FuzzComments(f *testing.F) {
	f.Add("/* a\n * b */ int x; // c\n\"// d\"\n// e\n// f")
	f.Add("/*")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Count(text, "\n") + 1
		for _, c := range scanComments(text) {
			assert.Check(t, c.first >= 1 && c.last >= c.first && c.last <= lines,
				"comment on lines %d to %d of %d", c.first, c.last, lines)
		}
	})
}
