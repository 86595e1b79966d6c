package apispec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A comment is a block that no code stands before on its first line.
type comment struct {
	first, last int // lines, 1-based
	text        string
}

// document gives what a header declares its comments.
func (d *declarations) document(file, text string) {
	comments := scanComments(text)
	above, below := map[int]string{}, map[int]string{}
	for _, c := range comments {
		above[c.last+1] = c.text
		below[c.first-1] = c.text
	}
	d.describeConstants(file, above, below)
	functions := slices.DeleteFunc(slices.Clone(d.Functions), func(f *function) bool { return f.File != file })
	attachDocs(functions, above, below)
	for _, f := range functions { // without names, but quoted with them in a comment
		unnamed := !slices.ContainsFunc(f.Params, func(p Param) bool { return p.Name != "" })
		for _, c := range comments {
			names := quotedNames(c.text, f.Name, len(f.Params))
			if !unnamed || names == nil {
				continue
			}
			for i := range f.Params {
				f.Params[i].Name = names[i]
			}
			if f.Doc == "" {
				f.Doc = c.text
			}
			break
		}
	}
	for _, m := range d.Spec.Macros {
		for _, c := range comments {
			if m.File == file && m.Doc == "" && quotedNames(c.text, m.Name, len(m.Params)) != nil {
				m.Doc = c.text
			}
		}
	}
}

// attachDocs gives each function of a header its comment. Headers put comments either above or below a declaration,
// and keep to one habit: the one that more functions have. Functions without a comment get that of their block:
// declarations on consecutive lines, the first or, where comments are below, the last of which has one.
func attachDocs(functions []*function, above, below map[int]string) {
	balance := 0
	for _, f := range functions {
		if _, has := above[f.Lines[0]]; has {
			balance++
		}
		if _, has := below[f.Lines[1]]; has {
			balance--
		}
	}
	if balance < 0 {
		functions = slices.Clone(functions)
		slices.Reverse(functions)
	}
	block := ""
	for i, f := range functions {
		f.Doc = above[f.Lines[0]]
		if balance < 0 {
			f.Doc = below[f.Lines[1]]
		}
		if i > 0 {
			if last := functions[i-1]; last.Lines[1]+1 != f.Lines[0] && f.Lines[1]+1 != last.Lines[0] {
				block = ""
			}
		}
		if f.Doc != "" {
			block = f.Doc
		} else {
			f.BlockDoc = block
		}
	}
}

// describeConstants gives each constant of a header the comments that touch the block of
// lines in which it is defined: one comment usually speaks for a whole block.
func (d *declarations) describeConstants(file string, above, below map[int]string) {
	all := slices.DeleteFunc(slices.Clone(d.Constants), func(c *Constant) bool { return c.File != file })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Line == all[n-1].Line+1 {
			n++
		}
		doc := strings.TrimSpace(above[all[0].Line] + "\n" + below[all[n-1].Line])
		for _, c := range all[:n] {
			c.Doc = doc
		}
		all = all[n:]
	}
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
		lines := strings.Split(strings.TrimSuffix(t.Text, "*/"), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(l), "/*!<"))
		}
		c := comment{t.Line, t.LastLine(), strings.TrimSpace(strings.Join(lines, "\n"))}
		if n := len(out); t.Text[1] == '/' && n > 0 && out[n-1].last == c.first-1 && remark != c.first-1 {
			out[n-1].last = c.last
			out[n-1].text += "\n" + c.text
			continue
		}
		out = append(out, c)
	}
	return out
}

var lastWord = regexp.MustCompile(`[\s*]([A-Za-z_]\w*)\s*(?:\[\d*\])?$`)

// quotedNames finds a prototype of a function in a comment, K&R wrappers included, and returns the
// names of its parameters, or nil.
func quotedNames(comment, function string, params int) []string {
	if params == 0 || !strings.Contains(comment, function) { // of the many comments of a header
		return nil
	}
	prototype := regexp.MustCompile(`\b` + regexp.QuoteMeta(function) + `\s*(?:[A-Z]+\s*)?\(\(?([^()]*)\)`)
	for _, m := range prototype.FindAllStringSubmatch(comment, -1) {
		parts := strings.Split(m[1], ",")
		if len(parts) != params {
			continue
		}
		var names []string
		for _, part := range parts {
			if w := lastWord.FindStringSubmatch(strings.TrimSpace(part)); w != nil {
				names = append(names, w[1])
			}
		}
		if len(names) == len(parts) {
			return names
		}
	}
	return nil
}
