package knowledge

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

func unescaped(name string) string {
	return strings.NewReplacer(`\\`, `\`, `\_`, " ").Replace(name)
}

// A dtraceReader reads line by line.
type dtraceReader struct {
	lines []string
	next  int
	trace *trace
}

// readTrace reads declarations and samples. Arrays and strings are left out, with the samples'
// values for them. An error has the line.
func readTrace(r io.Reader) (*trace, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	d := &dtraceReader{lines: strings.Split(string(text), "\n"), trace: &trace{}}
	all := map[string][]traceVariable{} // with those that are left out
	for d.next < len(d.lines) {
		line := strings.TrimSpace(d.lines[d.next])
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//"):
			d.next++
		case word == "decl-version" && rest != "2.0":
			return nil, fmt.Errorf("%d: decl-version is %s, want 2.0", d.next+1, rest)
		case word == "decl-version" || word == "var-comparability" || word == "input-language":
			d.next++
		case word == "ppt":
			err = d.point(all)
		default:
			err = d.sample(all)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", d.next+1, err)
		}
	}
	return d.trace, nil
}

// point reads a declaration.
func (d *dtraceReader) point(all map[string][]traceVariable) error {
	p := &point{Name: unescaped(strings.TrimPrefix(strings.TrimSpace(d.lines[d.next]), "ppt "))}
	if _, twice := all[p.Name]; twice {
		return fmt.Errorf("program point %s is declared twice", p.Name)
	}
	var vars []traceVariable
	for d.next++; d.next < len(d.lines) && strings.TrimSpace(d.lines[d.next]) != ""; d.next++ {
		word, rest, _ := strings.Cut(strings.TrimSpace(d.lines[d.next]), " ")
		if word == "variable" {
			vars = append(vars, traceVariable{Name: unescaped(rest), Comparability: -1})
			continue
		}
		if len(vars) == 0 {
			continue // ppt-type, flags
		}
		v := &vars[len(vars)-1]
		switch word {
		case "var-kind":
			v.Kind = unescaped(rest)
		case "enclosing-var":
			v.Enclosing = unescaped(rest)
		case "rep-type":
			v.RepType = rest
		case "flags":
			v.Param = slices.Contains(strings.Fields(rest), "is_param")
		case "comparability":
			n, err := strconv.Atoi(rest)
			if err != nil && !strings.Contains(rest, "[") {
				return fmt.Errorf("comparability %q is no number", rest)
			}
			if err == nil {
				v.Comparability = n
			}
		}
	}
	all[p.Name] = vars
	for _, v := range vars {
		if scalar(v) {
			p.Vars = append(p.Vars, v)
		}
	}
	d.trace.Points = append(d.trace.Points, p)
	return nil
}

func scalar(v traceVariable) bool {
	return v.RepType == stringRep || v.RepType == "int" || v.RepType == "double" || v.RepType == "hashcode" || v.RepType == "boolean"
}

// sample reads one visit.
func (d *dtraceReader) sample(all map[string][]traceVariable) error {
	name := strings.TrimSpace(d.lines[d.next])
	vars, known := all[name]
	if !known {
		return fmt.Errorf("no declaration of program point %s", name)
	}
	s := sample{Nonce: -1}
	for _, p := range d.trace.Points {
		if p.Name == name {
			s.Point = p
		}
	}
	line := func() string {
		d.next++
		if d.next >= len(d.lines) {
			return ""
		}
		return strings.TrimSpace(d.lines[d.next])
	}
	first := line()
	if first == "this_invocation_nonce" {
		n, err := strconv.Atoi(line())
		if err != nil {
			return fmt.Errorf("the nonce is no number")
		}
		s.Nonce = n
		first = line()
	}
	for i, v := range vars {
		if i > 0 {
			first = line()
		}
		if first != v.Name {
			return fmt.Errorf("%s: the value of %s is wanted, not of %q", name, v.Name, first)
		}
		value, modified := line(), line()
		if modified != "0" && modified != "1" && modified != "2" {
			return fmt.Errorf("%s: modified is %q, want 0, 1 or 2", name, modified)
		}
		if modified == "2" {
			value = ""
		}
		if scalar(v) {
			s.Values = append(s.Values, value)
		}
	}
	d.next++
	d.trace.Samples = append(d.trace.Samples, s)
	return nil
}
