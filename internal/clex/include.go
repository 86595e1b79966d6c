package clex

import "strings"

// An Include is one #include line.
type Include struct {
	Name       string // between the brackets or quotation marks; "" if a macro gives it
	Quoted     bool
	Start, End int // bytes of the line, with the blanks before its # and its end
	Depth      int // how many #if are open there
}

// Includes returns the #include lines of a text, of every branch of an #if.
func Includes(src string) []Include {
	var list []Include
	depth, hash := 0, Token{Start: -1} // of the line whose name comes next
	for t := range Tokens(src) {
		switch {
		case t.Kind == Directive:
			hash = t
		case t.Kind == Comment || hash.Start < 0:
		case !t.Directive:
			hash.Start = -1
		default:
			switch {
			case strings.HasPrefix(t.Text, "if"):
				depth++
			case t.Text == "endif":
				depth--
			case t.Text == "include":
				list = append(list, include(src, hash, t.End, depth))
			}
			hash.Start = -1
		}
	}
	return list
}

// include reads the line of hash, whose name ends at byte i.
func include(src string, hash Token, i, depth int) Include {
	in := Include{Start: hash.Start, Depth: depth}
	if hash.First {
		in.Start = strings.LastIndexByte(src[:hash.Start], '\n') + 1
	}
	in.End = i
	for kind := Word; in.End < len(src) && kind != Newline; {
		at := in.End
		kind, in.End = pieceAt(src, at)
		text := src[at:in.End]
		switch {
		case in.Name != "":
		case kind == String && len(text) > 1 && text[0] == '"' && strings.HasSuffix(text, `"`):
			in.Name, in.Quoted = text[1:len(text)-1], true
		case text == "<":
			line, _, _ := strings.Cut(src[in.End:], "\n")
			if name, _, closed := strings.Cut(line, ">"); closed {
				in.Name = name
				in.End += len(name) + 1
			}
		}
	}
	return in
}
