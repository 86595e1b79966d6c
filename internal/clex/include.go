package clex

import (
	"regexp"
	"strings"
)

// An Include is one #include line.
type Include struct {
	Name       string // between the brackets or quotation marks; "" if a macro gives it
	Quoted     bool
	Start, End int // bytes of the line, with the blanks before its # and its end
	Depth      int // how many #if are open there
}

// Includes returns the #include lines of a text, of every branch of an #if.
func Includes(src string) (list []Include) {
	depth := 0
	var last Token // but for comments
	for t := range Tokens(src) {
		switch {
		case t.Kind == Comment:
			continue
		case last.Kind != Directive || !t.Directive:
		case strings.HasPrefix(t.Text, "if"):
			depth++
		case t.Text == "endif":
			depth--
		case t.Text == "include":
			in := Include{Start: last.Start, End: t.End, Depth: depth}
			if last.First {
				in.Start = strings.LastIndexByte(src[:last.Start], '\n') + 1
			}
			if m := included.FindStringSubmatch(src[t.End:]); m != nil {
				in.Name, in.Quoted = m[1]+m[2], m[2] != ""
			}
			for kind := Word; in.End < len(src) && kind != Newline; {
				kind, in.End = pieceAt(src, in.End)
			}
			list = append(list, in)
		}
		last = t
	}
	return list
}

var included = regexp.MustCompile(`^[ \t]*(?:<([^>\n]*)>|"([^"\n]*)")`)
