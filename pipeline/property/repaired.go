package property

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A second opinion sees a case and what the reference build made of it. What is written after that may be argued
// from documents, and may be what was seen: nobody can tell. Its class is trial.OracleRepaired. A property keeps
// its class if the definition that it stands in, and those that this one uses, were there before. An EXCLUDE may
// be added, for it only leaves cases out.

// A definition is a piece of a program at its outermost level: a function, a variable, a type or a macro. Where the
// text is none that compiles, a piece may hold several.
type definition struct {
	text        string   // without comments and EXCLUDEs
	first, last int      // lines
	names       []string // that it defines
	words       []string
}

// argue notes the definitions of a new version of a program, unless an outcome was shown before it.
func (w *work) argue(source string) {
	if w.shown {
		return
	}
	if w.argued == nil {
		w.argued = map[string]bool{}
	}
	for _, d := range definitionsOf(source) {
		w.argued[d.text] = true
	}
}

// repaired returns the lines of a program whose properties were written, or rest on what was written, after
// an outcome was shown.
func (w *work) repaired(source string) map[int]bool {
	lines := map[int]bool{}
	if !w.shown {
		return lines
	}
	left := definitionsOf(source)
	names := map[string]bool{} // of what was written
	for before := -1; before != len(left); {
		before = len(left)
		left = slices.DeleteFunc(left, func(d definition) bool {
			if w.argued[d.text] && !slices.ContainsFunc(d.words, func(w string) bool { return names[w] }) {
				return false
			}
			for i := d.first; i <= d.last; i++ {
				lines[i] = true
			}
			for _, n := range d.names {
				names[n] = true
			}
			return true
		})
	}
	return lines
}

var (
	// enclosing begins a namespace or an extern "C", of which the content is at the outermost level too.
	enclosing = []string{"namespace", "extern"}
	defined   = regexp.MustCompile(`\b([A-Za-z_]\w*) [(\[{=;,]|^# define (\w+)`)
	// notNames are words before a parenthesis or a brace that name nothing of a program.
	notNames = clex.Set("void bool char short int long unsigned signed float double const struct union enum class " +
		"else do namespace __attribute__ alignas noexcept")
)

// definitionsOf reads the definitions of a program, one after the other.
func definitionsOf(source string) (list []definition) {
	var d definition
	var head, before string  // of d what is at the outermost level, without values; the token before this one
	var macro bool           // in a preprocessor line of the outermost level
	var function, value bool // a parenthesis came there, and no = before it; behind the = of a variable
	var excluding bool
	depth, parentheses := 0, 0 // brackets of all kinds; those of an EXCLUDE
	end := func() {
		for _, m := range defined.FindAllStringSubmatch(head, -1) {
			if name := m[1] + m[2]; !notNames[name] && macro == (m[2] != "") {
				d.names = append(d.names, name)
			}
		}
		if d.text != "" {
			list = append(list, d)
		}
		d, head, before, depth, function, value = definition{}, "", "", 0, false, false
	}
	for t := range clex.Tokens(source) {
		switch {
		case t.Kind == clex.Comment:
			continue
		case excluding:
			parentheses += map[string]int{"(": 1, ")": -1}[t.Text]
			excluding = parentheses > 0 || t.Text != ";"
			continue
		case t.Text == "EXCLUDE" && depth > 0:
			excluding = true
			continue
		case depth == 0 && (t.Kind == clex.Directive || t.Directive != macro):
			end()
			macro = t.Directive
		}
		if d.first == 0 {
			d.first = t.Line
		}
		d.last = t.LastLine()
		d.text += t.Text + " "
		if t.Kind == clex.Word {
			d.words = append(d.words, t.Text)
		}
		switch {
		case depth == 0 && !value && t.Text == "(" && before == ")" && len(d.words) > 0: // (*name)(…)
			head += d.words[len(d.words)-1] + " ( "
		case depth == 0 && !value:
			head += t.Text + " "
		case depth == 1 && !function && t.Kind == clex.Word && slices.Contains(d.words, "enum"):
			head += t.Text + " , "
		}
		before = t.Text
		if macro || t.Kind != clex.Punct {
			continue
		}
		switch {
		case t.Text == "{" && depth == 0 && !function && len(d.words) > 0 && slices.Contains(enclosing, d.words[0]):
			end()
		case strings.Contains("([{", t.Text):
			function = function || t.Text == "(" && depth == 0 && !value
			depth++
		case strings.Contains(")]}", t.Text):
			depth = max(0, depth-1)
			if t.Text == "}" && depth == 0 && (function && !value || len(d.words) == 0) {
				end()
			}
		case depth > 0:
		case t.Text == "=":
			value = true
		case t.Text == ",":
			value = false
		case t.Text == ";":
			end()
		}
	}
	end()
	return list
}
