package apispec

import "strings"

// A comment is a block that stands alone on its lines, or a remark on the code before it.
type comment struct {
	first, last int // lines, 1-based
	text        string
	remark      bool
}

// attachDocs gives each function its comment. Headers put comments either above or below
// a declaration, and keep to one habit: the one that more functions of the header have.
func (x *extractor) attachDocs() {
	for file, text := range x.texts {
		above, below, behind := map[int]string{}, map[int]string{}, map[int]string{}
		for _, c := range scanComments(text) {
			if c.remark {
				behind[c.first] = c.text
				continue
			}
			above[c.last+1] = c.text
			below[c.first-1] = c.text
		}
		x.describeConstants(file, above, below)
		x.describeTypes(file, above, behind)
		balance := 0
		for i, f := range x.spec.Functions {
			if f.File == file {
				balance += hasKey(above, x.begins[i]) - hasKey(below, x.ends[i])
			}
		}
		for i, f := range x.spec.Functions {
			switch {
			case f.File != file:
			case balance >= 0:
				f.Doc = above[x.begins[i]]
			default:
				f.Doc = below[x.ends[i]]
			}
		}
		x.shareDocs(file, balance >= 0)
	}
}

// shareDocs gives functions without a comment that of their block: declarations on
// consecutive lines with one comment above the first or, if docsAbove is not set, below the
// last.
func (x *extractor) shareDocs(file string, docsAbove bool) {
	var block string
	last := -1 // index of the function before
	share := func(i int) {
		f := x.spec.Functions[i]
		if f.File != file {
			return
		}
		if last < 0 || x.ends[min(i, last)]+1 != x.begins[max(i, last)] {
			block = ""
		}
		if f.Doc != "" {
			block = f.Doc
		} else {
			f.BlockDoc = block
		}
		last = i
	}
	n := len(x.spec.Functions)
	for i := range n {
		if docsAbove {
			share(i)
		} else {
			share(n - 1 - i)
		}
	}
}

// describeTypes gives the types of a header the comments above them, and their parts those
// on the same line or, if there is none, above.
func (x *extractor) describeTypes(file string, above, behind map[int]string) {
	part := func(line int) string {
		if text := behind[line]; text != "" {
			return text
		}
		return above[line]
	}
	for _, r := range x.spec.Structs {
		if r.File != file {
			continue
		}
		r.Doc = above[r.Line]
		for i := range r.Fields {
			r.Fields[i].Doc = part(r.Fields[i].line)
		}
	}
	for _, e := range x.spec.Enums {
		if e.File != file {
			continue
		}
		e.Doc = above[e.Line]
		for i := range e.Constants {
			e.Constants[i].Doc = part(e.Constants[i].line)
		}
	}
	for _, t := range x.spec.Typedefs {
		if t.File == file {
			t.Doc = above[t.Line]
		}
	}
}

// describeConstants gives each constant of a header the comments that touch the block of
// lines in which it is defined: one comment usually speaks for a whole block.
func (x *extractor) describeConstants(file string, above, below map[int]string) {
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
	for _, c := range x.spec.Constants {
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

// scanComments returns the comments of a header; consecutive // comments that begin a line
// are one.
func scanComments(text string) []comment {
	var out []comment
	line := 1
	lineStart := true
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "//"):
			n := commentLen(rest)
			c := comment{first: line, last: line + strings.Count(rest[:n], "\n"), text: cleanComment(rest[:n])}
			switch {
			case !lineStart:
				c.remark = true
				out = append(out, c)
			case rest[1] == '/' && len(out) > 0 && out[len(out)-1].last == line-1 && !out[len(out)-1].remark:
				out[len(out)-1].last = line
				out[len(out)-1].text += "\n" + c.text
			default:
				out = append(out, c)
			}
			line = c.last
			i += n
			lineStart = false
			continue
		case rest[0] == '"':
			i += stringLen(rest)
			lineStart = false
			continue
		case rest[0] == '\n':
			line++
			lineStart = true
		case rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\r':
			lineStart = false
		}
		i++
	}
	return out
}

// withoutComments blanks the comments of a header and keeps its lines.
func withoutComments(text string) string {
	var sb strings.Builder
	for i := 0; i < len(text); {
		n := 1
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "/*"), strings.HasPrefix(rest, "//"):
			n = commentLen(rest)
			sb.WriteString(strings.Repeat("\n", strings.Count(rest[:n], "\n")) + " ")
		case rest[0] == '"':
			n = stringLen(rest)
			sb.WriteString(rest[:n])
		default:
			sb.WriteByte(rest[0])
		}
		i += n
	}
	return sb.String()
}

// commentLen returns the length of the comment that s begins with.
func commentLen(s string) int {
	end, closing := "\n", 0
	if s[1] == '*' {
		end, closing = "*/", 2
	}
	if n := strings.Index(s[2:], end); n >= 0 {
		return 2 + n + closing
	}
	return len(s)
}

// stringLen returns the length of the string literal that s begins with; a stray quote
// ends with its line.
func stringLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
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
