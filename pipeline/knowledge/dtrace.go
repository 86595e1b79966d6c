package knowledge

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A traceVariable is one of a program point, as Daikon's file format version 2.0 declares it (Daikon
// developer manual, appendix "File formats"). RepType is int, double, hashcode or java.lang.String: no arrays.
type traceVariable struct {
	Name          string // t->count, return
	Kind          string // var-kind: variable, field NAME or return
	Enclosing     string // of a field: the pointer
	RepType       string
	Param         bool
	Comparability int // the same number: may be compared; -1: with all
}

// A point is a place in the program: NAME(types):::ENTER or :::EXIT1.
type point struct {
	Name string
	Vars []traceVariable
}

// A sample is one visit of a point. Values are as written, in the order of its variables; ""
// stands for nonsensical.
type sample struct {
	Point  *point
	Nonce  int // the same at entry and exit of one call
	Values []string
}

// A trace is what programs were seen doing.
type trace struct {
	Points  []*point
	Samples []sample
}

// Write writes declarations and samples in one file.
func (t *trace) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("decl-version 2.0\nvar-comparability implicit\n")
	for _, p := range t.Points {
		kind := "enter"
		if strings.Contains(p.Name, ":::EXIT") {
			kind = "subexit"
		}
		fmt.Fprintf(b, "\nppt %s\nppt-type %s\n", escaped(p.Name), kind)
		for _, v := range p.Vars {
			fmt.Fprintf(b, "variable %s\n var-kind %s\n", escaped(v.Name), escapedKind(v.Kind))
			if v.Enclosing != "" {
				fmt.Fprintf(b, " enclosing-var %s\n", escaped(v.Enclosing))
			}
			// Daikon relates variables of one declared type only, and knows none of C but int: what may
			// be compared is said by comparability.
			fmt.Fprintf(b, " dec-type %s\n rep-type %s\n", v.RepType, v.RepType)
			if v.Param {
				b.WriteString(" flags is_param\n")
			}
			fmt.Fprintf(b, " comparability %d\n", v.Comparability)
		}
	}
	for _, s := range t.Samples {
		fmt.Fprintf(b, "\n%s\nthis_invocation_nonce\n%d\n", s.Point.Name, s.Nonce)
		for i, v := range s.Point.Vars {
			value, modified := s.Values[i], 1
			if value == "" {
				value, modified = "nonsensical", 2
			}
			fmt.Fprintf(b, "%s\n%s\n%d\n", v.Name, value, modified)
		}
	}
	return b.Flush()
}

// escaped is a name as declarations spell it.
func escaped(name string) string {
	return strings.NewReplacer(`\`, `\\`, " ", `\_`).Replace(name)
}

func escapedKind(kind string) string {
	word, name, ok := strings.Cut(kind, " ")
	if !ok {
		return word
	}
	return word + " " + escaped(name)
}
