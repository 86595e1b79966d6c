package testrun

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Entry is a function of a test program that the harness calls.
type Entry struct {
	Name       string // as written in the source
	ReturnsInt bool   // a non-zero value fails the test; void otherwise
	ExternC    bool   // declared extern "C"
}

// Entries returns what to call in a program: main if it defines one; else every
// non-static function `void NAME(void)` or `int NAME(void)` whose name starts with
// "test", in order; else the only such function of any name. None means that a linker
// would not find an entry point either.
func Entries(p trial.Program) []Entry {
	var tests, others []Entry
	for _, f := range definitions(p.Source) {
		switch {
		case f.name == "main":
			return []Entry{{Name: "main", ReturnsInt: true}}
		case f.static || !f.noParams || (f.result != "int" && f.result != "void"):
		case strings.HasPrefix(f.name, "test"):
			tests = append(tests, Entry{Name: f.name, ReturnsInt: f.result == "int", ExternC: f.externC})
		default:
			others = append(others, Entry{Name: f.name, ReturnsInt: f.result == "int", ExternC: f.externC})
		}
	}
	if len(tests) == 0 && len(others) == 1 {
		return others
	}
	return tests
}

// A definition is a function defined at file scope.
type definition struct {
	name, result string
	static       bool
	noParams     bool
	externC      bool
}

// definitions finds the function definitions at file scope (and within extern "C" blocks)
// by their tokens: IDENT ( ... ) { with what stands before it since the last ; or }.
func definitions(src string) []definition {
	var found []definition
	toks := tokens(src)
	start, depth := 0, 0 // start of the current declaration
	block := false       // in an extern "C" block
	for i := 0; i < len(toks); i++ {
		switch t := toks[i]; {
		case t == "{" && depth == 0 && i >= 2 && toks[i-2] == "extern" && strings.HasPrefix(toks[i-1], `"C`):
			start, block = i+1, true // its declarations are file scope too
		case t == "{":
			if depth == 0 {
				if d, ok := parseDefinition(toks[start:i]); ok {
					d.externC = d.externC || block
					found = append(found, d)
				}
			}
			depth++
		case t == "}":
			block = block && depth > 0
			depth = max(depth-1, 0)
			if depth == 0 {
				start = i + 1
			}
		case t == ";" && depth == 0:
			start = i + 1
		}
	}
	return found
}

// parseDefinition reads the tokens before a function's body, e.g. static int f ( void ).
func parseDefinition(toks []string) (definition, bool) {
	open := -1
	for i, t := range toks {
		if t == "(" {
			open = i
			break
		}
	}
	if open < 1 || toks[len(toks)-1] != ")" || !isIdent(toks[open-1]) {
		return definition{}, false
	}
	d := definition{name: toks[open-1]}
	params := toks[open+1 : len(toks)-1]
	d.noParams = len(params) == 0 || len(params) == 1 && params[0] == "void"
	var result []string
	for _, t := range toks[:open-1] {
		switch {
		case t == "static":
			d.static = true
		case strings.HasPrefix(t, `"`):
			d.externC = true
		case t == "extern", t == "inline":
		default:
			result = append(result, t)
		}
	}
	d.result = strings.Join(result, " ")
	return d, true
}

// tokens splits C text into identifiers, literals and single punctuation marks, without
// comments and preprocessor lines. It never fails: on unbalanced text the compiler has
// the last word.
func tokens(src string) []string {
	var toks []string
	src = strings.ReplaceAll(src, "\\\n", "")
	bol := true // only blanks since the beginning of the line
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			bol = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case strings.HasPrefix(src[i:], "//"), c == '#' && bol:
			i = skipTo(src, i, "\n")
			continue
		case strings.HasPrefix(src[i:], "/*"):
			i = skipTo(src, i+2, "*/") + 2
			continue
		case c == '"' || c == '\'':
			end := literalEnd(src, i)
			toks = append(toks, src[i:end])
			i = end
		case isIdentByte(c):
			end := i
			for end < len(src) && isIdentByte(src[end]) {
				end++
			}
			toks = append(toks, src[i:end])
			i = end
		default:
			toks = append(toks, src[i:i+1])
			i++
		}
		bol = false
	}
	return toks
}

// skipTo returns the index of the next end in src from i on, or len(src).
func skipTo(src string, i int, end string) int {
	if i >= len(src) {
		return len(src)
	}
	if n := strings.Index(src[i:], end); n >= 0 {
		return i + n
	}
	return len(src)
}

// literalEnd returns the index after the string or character literal that starts at i; an
// unterminated one ends with its line.
func literalEnd(src string, i int) int {
	quote := src[i]
	for j := i + 1; j < len(src); j++ {
		switch src[j] {
		case '\\':
			j++
		case '\n':
			return j
		case quote:
			return j + 1
		}
	}
	return len(src)
}

func isIdent(t string) bool { return isIdentByte(t[0]) && (t[0] < '0' || t[0] > '9') }

func isIdentByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
