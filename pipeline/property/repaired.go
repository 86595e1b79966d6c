package property

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A second opinion sees a case and what the reference build made of it. What is written after that may be argued
// from documents, and may be what was seen: nobody can tell. Its class is trial.OracleRepaired. A property keeps
// its class if the definition that it stands in, and those that this one uses, were there before. An EXCLUDE may
// be added, for it only leaves cases out.

// A definition is a piece of a program at its outermost level: a function, a variable, a type or a macro.
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
	definitions := definitionsOf(source)
	written := func(d definition) bool { return !w.argued[d.text] }
	names := map[string]bool{}
	for {
		var left []definition
		for _, d := range definitions {
			if !written(d) {
				left = append(left, d)
				continue
			}
			for i := d.first; i <= d.last; i++ {
				lines[i] = true
			}
			for _, n := range d.names {
				names[n] = true
			}
		}
		if len(left) == len(definitions) {
			return lines
		}
		definitions = left
		written = func(d definition) bool { return slices.ContainsFunc(d.words, func(w string) bool { return names[w] }) }
	}
}

// definitionsOf splits a program. Where the text is none that compiles, a piece may hold several definitions.
func definitionsOf(source string) []definition {
	var list []definition
	var s splitter
	for t := range clex.Tokens(source) {
		if t.Kind == clex.Comment || s.excluded(t.Text) {
			continue
		}
		if d, done := s.directive(t); done {
			list = append(list, d)
		}
		if d, done := s.take(t); done {
			list = append(list, d)
		}
	}
	if d, ok := s.end(); ok {
		list = append(list, d)
	}
	return list
}

// A splitter reads one definition after the other.
type splitter struct {
	d           definition
	text        strings.Builder
	last, prior string // tokens
	depth       int    // of all kinds of brackets
	skip        int    // 0: not in an EXCLUDE; 1: behind its name; 2 and more: in its parentheses
	macro       bool   // the definition is a preprocessor line
	function    bool   // a parenthesis came at the outermost level, and no = before it
	value       bool   // behind the = of a variable
	enum, open  bool   // open: the brace of a namespace or an extern "C" comes
}

// excluded reports whether a token belongs to an EXCLUDE statement.
func (s *splitter) excluded(text string) bool {
	switch {
	case s.skip == 0 && text == "EXCLUDE" && s.depth > 0:
		s.skip = 1
	case s.skip == 0:
		return false
	case text == "(":
		s.skip++
	case text == ")":
		s.skip--
	case s.skip == 1: // the semicolon
		s.skip = 0
	}
	return true
}

// directive ends a preprocessor line, and what a line begins within.
func (s *splitter) directive(t clex.Token) (definition, bool) {
	if s.depth == 0 && (s.macro && (!t.Directive || t.Kind == clex.Directive) || !s.macro && t.Kind == clex.Directive) {
		d, ok := s.end()
		s.macro = t.Directive
		return d, ok
	}
	return definition{}, false
}

// take adds a token, and returns the definition that ends with it.
func (s *splitter) take(t clex.Token) (definition, bool) {
	if s.d.first == 0 {
		s.d.first = t.Line
	}
	s.d.last = t.LastLine()
	s.text.WriteString(t.Text + " ")
	before, prior := s.last, s.prior
	s.last, s.prior = t.Text, before
	if t.Kind == clex.Word {
		s.d.words = append(s.d.words, t.Text)
	}
	if s.macro {
		if before == "define" {
			s.d.names = append(s.d.names, t.Text)
		}
		return definition{}, false
	}
	s.name(t, before, prior)
	if t.Kind != clex.Punct {
		return definition{}, false
	}
	switch t.Text {
	case "(", "[", "{":
		if t.Text == "{" && s.open && s.depth == 0 {
			return s.end()
		}
		s.function = s.function || t.Text == "(" && s.depth == 0 && !s.value
		s.depth++
	case ")", "]", "}":
		s.depth = max(0, s.depth-1)
		if t.Text == "}" && s.depth == 0 && (s.function && !s.value || len(s.d.words) == 0) {
			return s.end()
		}
	case "=":
		s.value = s.value || s.depth == 0 && !slices.Contains(s.d.words, "operator") && !slices.Contains(s.d.words, "template")
	case ",":
		s.value = s.value && s.depth > 0
	case ";":
		if s.depth == 0 {
			return s.end()
		}
	}
	return definition{}, false
}

// notNames are words before a parenthesis or a brace that name nothing of a program.
var notNames = strings.Fields("void bool char short int long unsigned signed float double const struct union enum class else do namespace __attribute__ alignas noexcept")

// name notes what the token before t, or t, defines. Prior is the token before before.
func (s *splitter) name(t clex.Token, before, prior string) {
	switch {
	case s.depth == 0 && (t.Text == "namespace" || before == "extern" && t.Kind == clex.String):
		s.open = true
	case s.depth == 0 && t.Text == "enum":
		s.enum = true
	}
	name := ""
	switch {
	case s.depth == 0 && !s.value && strings.Contains("([{=;,", t.Text):
		name = before
	case s.depth == 1 && (prior+before == "(*" && !s.value || s.enum) && t.Kind == clex.Word: // (*name)(…), or of an enum
		name = t.Text
	}
	if name != "" && word.FindString(name) == name && !slices.Contains(notNames, name) {
		s.d.names = append(s.d.names, name)
	}
}

// end returns the definition read so far, if there is one, and begins another.
func (s *splitter) end() (definition, bool) {
	d := s.d
	d.text = strings.TrimSpace(s.text.String())
	*s = splitter{}
	return d, d.text != ""
}
