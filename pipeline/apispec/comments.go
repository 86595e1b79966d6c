package apispec

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A comment is a block that no code stands before on its first line.
type comment struct {
	first, last int // lines, 1-based
	text        string
}

// attachDocs gives each function its comment. Headers put comments either above or below
// a declaration, and keep to one habit: the one that more functions of the header have.
func (d *declarations) attachDocs() {
	for file, text := range d.texts {
		above, below := map[int]string{}, map[int]string{}
		for _, c := range scanComments(text) {
			above[c.last+1] = c.text
			below[c.first-1] = c.text
		}
		d.describeConstants(file, above, below)
		var functions []*function
		balance := 0
		for _, f := range d.Functions {
			if f.File == file {
				functions = append(functions, f)
				balance += hasKey(above, f.Lines[0]) - hasKey(below, f.Lines[1])
			}
		}
		for _, f := range functions {
			f.Doc = above[f.Lines[0]]
			if balance < 0 {
				f.Doc = below[f.Lines[1]]
			}
		}
		if balance < 0 {
			slices.Reverse(functions)
		}
		shareDocs(functions)
	}
}

// shareDocs gives functions without a comment that of their block: declarations on consecutive lines, the
// first or, where comments are below, the last of which has one.
func shareDocs(functions []*function) {
	var block string
	var last *function // the one before
	for _, f := range functions {
		if last == nil || (last.Lines[1]+1 != f.Lines[0] && f.Lines[1]+1 != last.Lines[0]) {
			block = ""
		}
		if f.Doc != "" {
			block = f.Doc
		} else {
			f.BlockDoc = block
		}
		last = f
	}
}

// describeConstants gives each constant of a header the comments that touch the block of
// lines in which it is defined: one comment usually speaks for a whole block.
func (d *declarations) describeConstants(file string, above, below map[int]string) {
	var block []*Constant
	flush := func() {
		if len(block) == 0 {
			return
		}
		doc := strings.TrimSpace(above[block[0].Line] + "\n" + below[block[len(block)-1].Line])
		for _, c := range block {
			c.Doc = doc
		}
		block = block[:0]
	}
	for _, c := range d.Constants {
		if c.File != file {
			continue
		}
		if len(block) > 0 && c.Line != block[len(block)-1].Line+1 {
			flush()
		}
		block = append(block, c)
	}
	flush()
}

func hasKey(m map[int]string, key int) int {
	if _, ok := m[key]; ok {
		return 1
	}
	return 0
}

// scanComments returns the comments of a header but for remarks behind code; consecutive // comments are one.
func scanComments(text string) []comment {
	var out []comment
	remark := 0 // last line of the remark before
	for t := range clex.Tokens(text) {
		if t.Kind != clex.Comment {
			continue
		}
		if !t.First {
			remark = t.LastLine()
			continue
		}
		c := comment{t.Line, t.LastLine(), cleanComment(t.Text)}
		if n := len(out); t.Text[1] == '/' && n > 0 && out[n-1].last == c.first-1 && remark != c.first-1 {
			out[n-1].last = c.last
			out[n-1].text += "\n" + c.text
			continue
		}
		out = append(out, c)
	}
	return out
}

// cleanComment strips delimiters and leading asterisks.
func cleanComment(s string) string {
	s = strings.TrimSuffix(s, "*/")
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l), "/*!<"))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
