package randoop

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// maxDocument is how much of one document is read.
const maxDocument = 1 << 20

var (
	quoted     = regexp.MustCompile(`"((?:[^"\\\n]|\\.){1,80})"|'([^'\n]{2,40})'|` + "`([^`\n]{1,80})`")
	fenced     = regexp.MustCompile("(?s)```[a-z]*\n(.*?)```")
	numberWord = regexp.MustCompile(`-?\b(?:0x[0-9a-fA-F]+|\d{1,6})\b`)
	spans      = regexp.MustCompile(`(-?\d{1,4})\s*(?:\.\.|to)\s*(-?\d{1,4})`)
	paragraphs = regexp.MustCompile(`\n\s*\n`)
)

// mineTexts collects strings from the documents that a target names and from the comments
// and constants of its headers: they show what the library's input looks like.
func mineTexts(t trial.Target, spec *apispec.Spec) (*pool, error) {
	found := newPool()
	for _, c := range spec.Constants {
		if c.IsText {
			found.add(c.String)
		}
	}
	for _, f := range spec.Functions {
		mineQuoted(found, f.Doc)
	}
	for _, name := range t.Documents {
		text, err := readHead(filepath.Join(t.SourceDir, name))
		if err != nil {
			return nil, fmt.Errorf("library %s: document %s: %w", t.Library, name, err)
		}
		for _, block := range fenced.FindAllStringSubmatch(text, -1) {
			found.add(strings.TrimSpace(block[1]))
		}
		mineQuoted(found, text)
	}
	return found, nil
}

func readHead(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxDocument))
	return string(text), err
}

func mineQuoted(found *pool, text string) {
	for _, s := range quotedIn(text) {
		found.add(s)
	}
}

// quotedIn returns what stands in quotes or backquotes, escapes resolved.
func quotedIn(text string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		s := m[1] + m[2] + m[3]
		if u, err := strconv.Unquote(`"` + s + `"`); err == nil && !strings.Contains(u, "\x00") {
			s = u
		}
		out = append(out, s)
	}
	return out
}

// A choice is a candidate value of a scalar parameter.
type choice struct {
	text   string // C expression
	weight float64
}

// A constant is a named number of the headers with what is near it.
type constant struct {
	name  string
	words []string
	about []string // stems of the words of the comment that heads its group
}

// constantsOf lists integer macros and enumerators, with the comments of their groups.
func constantsOf(spec *apispec.Spec) []constant {
	var out []constant
	for _, e := range spec.Enums {
		for _, c := range e.Constants {
			out = append(out, constant{name: c.Name, words: splitWords(c.Name)})
		}
	}
	for _, c := range spec.Constants {
		if !c.IsText {
			out = append(out, constant{name: c.Name, words: splitWords(c.Name), about: stems(c.Doc)})
		}
	}
	return out
}

func stems(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) }) {
		out = append(out, stem(strings.ToLower(w)))
	}
	return out
}

func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// scalarChoices returns candidate values for parameter i of c, best guesses first.
func scalarChoices(c *callable, i int, spec *apispec.Spec, constants []constant) []choice {
	p := &c.params[i]
	set := &choiceSet{seen: map[string]bool{}}
	if p.typ.Kind == apispec.Float {
		for _, text := range []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "1.5", "100.0", "1e-9", "2147483647.0", "2147483648.0", "-2147483649.0", "1e15", "1e17", "1e300", "1.0 / 3.0", "3.141592653589793", "NAN", "INFINITY", "-INFINITY"} {
			set.add(text, 1)
		}
		return set.list
	}
	if p.typ.Kind == apispec.EnumRef {
		for _, e := range spec.Enums {
			if e.Name == p.typ.Name {
				for _, k := range e.Constants {
					set.add(k.Name, 4)
				}
			}
		}
	}
	set.constants(p, constants)
	set.documented(c, p, constants)
	set.numbers(p)
	return set.list
}

type choiceSet struct {
	list []choice
	seen map[string]bool
}

func (s *choiceSet) add(text string, weight float64) {
	if !s.seen[text] {
		s.seen[text] = true
		s.list = append(s.list, choice{text, weight})
	}
}

// constants adds those that share a word with the parameter or whose group is about it.
func (s *choiceSet) constants(p *param, constants []constant) {
	for _, k := range constants {
		for _, w := range p.words {
			if len(w) < 3 {
				continue
			}
			if vocabulary(k.about).has([]string{stem(w)}) || vocabulary(k.words).has([]string{w, stem(w)}) {
				s.add(k.name, 3)
			}
		}
	}
}

// documented adds constants and numbers from the paragraphs of the function's comment
// that mention the parameter.
func (s *choiceSet) documented(c *callable, p *param, constants []constant) {
	if len(p.name) < 2 {
		return
	}
	for _, par := range paragraphs.Split(c.doc, -1) {
		mentioned := " " + strings.Join(strings.FieldsFunc(par, func(r rune) bool { return !isWordRune(r) }), " ") + " "
		if !strings.Contains(mentioned, " "+p.name+" ") {
			continue
		}
		for _, k := range constants {
			if strings.Contains(mentioned, " "+k.name+" ") {
				s.add(k.name, 2)
			}
		}
		for _, m := range spans.FindAllStringSubmatch(par, -1) {
			s.span(m[1], m[2])
		}
		for _, n := range numberWord.FindAllString(par, 12) {
			if n[0] != '0' || len(n) == 1 || n[1] == 'x' {
				s.add(n, 1)
			}
		}
	}
}

// span adds the ends of a documented range and a few values between.
func (s *choiceSet) span(from, to string) {
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(to)
	if errA != nil || errB != nil {
		return
	}
	if a > b {
		a, b = b, a
	}
	stride := max((b-a)/8, 1)
	for v := a; v <= b; v += stride {
		s.add(strconv.Itoa(v), 1.5)
	}
	s.add(strconv.Itoa(b), 1.5)
}

// numbers adds what any integer parameter is tried with.
func (s *choiceSet) numbers(p *param) {
	small := 0.6
	if indexWords.has(p.words) {
		small = 3
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		s.add(n, small)
	}
	if fdWords.has(p.words) {
		s.list = nil // any number might be a file of the harness
		s.add("-1", 1)
		return
	}
	for _, n := range []string{"4", "5", "7", "8", "10", "16", "31", "32", "64", "100", "255", "256", "1000", "4096", "65535", "65536"} {
		s.add(n, 0.12)
	}
	if p.typ.Signed {
		s.add("-1", 0.4)
		s.add("-2", 0.15)
	}
	for _, limit := range limits(p.typ) {
		s.add(limit, 0.15)
	}
	if p.typ.Bits == 8 || strings.Join(p.words, "") == "c" {
		for _, ch := range []string{"'a'", "'Z'", "'0'", "'\\n'", "' '", "'\\\\'"} {
			s.add(ch, 0.5)
		}
	}
}

// limits returns the largest and, if signed, the smallest value of an integer type.
func limits(t *apispec.Type) []string {
	switch {
	case t.Kind != apispec.Int:
		return nil
	case t.Signed && t.Bits == 32:
		return []string{"2147483647", "(-2147483647 - 1)"}
	case t.Bits == 32:
		return []string{"4294967295u", "2147483648u"}
	case t.Signed && t.Bits == 64:
		return []string{"9223372036854775807L", "(-9223372036854775807L - 1)", "2147483648L"}
	case t.Bits == 64:
		return []string{"18446744073709551615uL", "4294967296uL", "9223372036854775808uL"}
	}
	return nil
}
