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

// A splitter reads the definitions of a program, one after the other. Where the text is none that compiles, a piece
// may hold several.
type splitter struct {
	list     []definition
	d        definition
	before   string // the token before this one
	depth    int    // of all kinds of brackets
	macro    bool   // in a preprocessor line of the outermost level
	function bool   // a parenthesis came at the outermost level, and no = before it
	value    bool   // behind the = of a variable
	exclude  int    // 0: in no EXCLUDE; 1: behind its name; 2 and more: in its parentheses
}

func definitionsOf(source string) []definition {
	var s splitter
	for t := range clex.Tokens(source) {
		if t.Kind == clex.Comment || s.excluded(t.Text) {
			continue
		}
		if s.depth == 0 && (t.Kind == clex.Directive || t.Directive != s.macro) {
			s.end()
			s.macro = t.Directive
		}
		s.take(t)
	}
	s.end()
	return s.list
}

// excluded reports whether a token belongs to an EXCLUDE statement.
func (s *splitter) excluded(text string) bool {
	switch {
	case s.exclude == 0 && (text != "EXCLUDE" || s.depth == 0):
		return false
	case s.exclude == 0 || text == "(":
		s.exclude++
	case text == ")":
		s.exclude--
	case s.exclude == 1: // the semicolon
		s.exclude = 0
	}
	return true
}

// take adds a token, and ends the definition with it if it is the last.
func (s *splitter) take(t clex.Token) {
	if s.d.first == 0 {
		s.d.first = t.Line
	}
	s.d.last = t.LastLine()
	s.d.text += t.Text + " "
	s.name(t)
	if t.Kind == clex.Word {
		s.d.words = append(s.d.words, t.Text)
	}
	s.before = t.Text
	if s.macro || t.Kind != clex.Punct {
		return
	}
	switch {
	case t.Text == "{" && s.depth == 0 && !s.function && len(s.d.words) > 0 && slices.Contains(enclosing, s.d.words[0]):
		s.end() // what it encloses is at the outermost level too
	case strings.Contains("([{", t.Text):
		s.function = s.function || t.Text == "(" && s.depth == 0 && !s.value
		s.depth++
	case strings.Contains(")]}", t.Text):
		s.depth = max(0, s.depth-1)
		if t.Text == "}" && s.depth == 0 && (s.function && !s.value || len(s.d.words) == 0) {
			s.end()
		}
	case s.depth > 0:
	case t.Text == "=":
		s.value = true
	case t.Text == ",":
		s.value = false
	case t.Text == ";":
		s.end()
	}
}

// enclosing begins a namespace or an extern "C".
var enclosing = []string{"namespace", "extern"}

// notNames are words before a parenthesis or a brace that name nothing of a program.
var notNames = clex.Set("void bool char short int long unsigned signed float double const struct union enum class " +
	"else do namespace __attribute__ alignas noexcept")

// name notes what the token before t, or t, defines.
func (s *splitter) name(t clex.Token) {
	name := ""
	switch {
	case s.macro:
		if s.before == "define" {
			name = t.Text
		}
	case s.depth == 0 && t.Text == "(" && s.before == ")" && !s.value && len(s.d.words) > 0: // (*name)(…)
		name = s.d.words[len(s.d.words)-1]
	case s.depth == 0 && t.Kind == clex.Punct && !s.value && strings.Contains("([{=;,", t.Text):
		name = s.before
	case s.depth == 1 && !s.function && slices.Contains(s.d.words, "enum"):
		name = t.Text
	}
	if word.FindString(name) == name && name != "" && !notNames[name] {
		s.d.names = append(s.d.names, name)
	}
}

// end keeps the definition read so far, if there is one, and begins another.
func (s *splitter) end() {
	if s.d.text != "" {
		s.list = append(s.list, s.d)
	}
	*s = splitter{list: s.list, macro: s.macro}
}
