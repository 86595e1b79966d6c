package randoop

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// words are the plain words of generated text.
var words = []string{"a", "b", "key", "name", "value", "item", "x", "list", "id", "text", "Hello", "world", "true", "false", "null", "foo", "bar", "t1", "zero", "42"}

// awkward are strings that parsers, printers and comparers often get wrong.
var awkward = []string{
	"", " ", "0", "-0", "-1", "1e5", "1.5", "1E-3", "123456789012345678901234567890", "2147483648", "-2147483649", "1e999",
	"0x1F", "007", "+1", ".5", "1.", "NaN", "Infinity", "true", "null", "a", "A", "abc", "ABC", "hello world", "\t\n\r", "line one\nline two\n",
	"\"quoted\"", "it's", "back\\slash", "\\u00e9", "\\ud83d\\ude00", "\\n", "caf\xc3\xa9", "\xe2\x82\xac", "\xff\xfe", "\x01\x02\x1f", "%s%d%n", "%%",
	"/", "//", "/a", "/a/b", "/0", "~0~1", "a/b", "../x", ".", "*", "?", "[a-z]+", "(a|b)*", "^$", "a=b", "a=b;c=d", "a,b,,c", "<a href=\"b\">c</a>", "<!-- x -->",
	"/* comment */", "// comment\n", "# comment", "--x", "'; --", "[", "]", "{", "}", "[]", "{}", "[[]]", "()", "2024-02-29", "12:34:56", "a@b.c", "http://a.b/c?d=e#f",
}

// A textMaker writes a random text of one kind, of at most a few hundred bytes.
type textMaker struct {
	name string
	make func(r *rand.Rand) string
}

// textMakers are the kinds of text that libraries at large take.
var textMakers = []textMaker{
	{"awkward", func(r *rand.Rand) string { return pick(r, awkward) }},
	{"word", func(r *rand.Rand) string { return pick(r, words) }},
	{"phrase", phrase},
	{"number", number},
	{"long", func(r *rand.Rand) string {
		return strings.Repeat(pick(r, words)+pick(r, []string{"", " ", ","}), 20+r.IntN(100))
	}},
	{"object", func(r *rand.Rand) string { return nested(r, 0) }},
	{"broken", func(r *rand.Rand) string { return mutate(r, nested(r, 0)) }},
	{"pairs", pairs},
	{"markup", func(r *rand.Rand) string { return markup(r, 0) }},
	{"statement", statement},
	{"expression", func(r *rand.Rand) string { return expression(r, 0) }},
	{"pointer", pointerPath},
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func phrase(r *rand.Rand) string {
	var out []string
	for range 1 + r.IntN(12) {
		out = append(out, pick(r, words))
	}
	return strings.Join(out, " ")
}

func number(r *rand.Rand) string {
	switch r.IntN(5) {
	case 0:
		return fmt.Sprint(r.IntN(10))
	case 1:
		return fmt.Sprint(r.Int32() - 1<<30)
	case 2:
		return fmt.Sprintf("%.*g", 1+r.IntN(17), r.NormFloat64()*100)
	case 3:
		return fmt.Sprintf("%de%d", r.IntN(100), r.IntN(40)-20)
	}
	return fmt.Sprintf("%d.%d", r.IntN(1000), r.IntN(1000))
}

// nested writes an object notation: braces, brackets, quoted keys and literals.
func nested(r *rand.Rand, depth int) string {
	n := r.IntN(4)
	space := pick(r, []string{"", "", " ", "\n\t"})
	var parts []string
	kind := r.IntN(6)
	if depth == 0 {
		kind = r.IntN(4)
	}
	switch {
	case depth < 4 && kind < 2:
		for range n {
			parts = append(parts, quote(r)+":"+space+nested(r, depth+1))
		}
		return "{" + space + strings.Join(parts, ","+space) + space + "}"
	case depth < 4 && kind < 4:
		for range n {
			parts = append(parts, nested(r, depth+1))
		}
		return "[" + space + strings.Join(parts, ","+space) + space + "]"
	case kind == 4:
		return quote(r)
	}
	return pick(r, []string{"true", "false", "null", number(r), number(r)})
}

func quote(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return `"` + pick(r, []string{`\n`, `\"`, `\\`, `\/`, `\u0041`, `\u20ac`, `\ud83d\ude00`, "\xc3\xa9", `\t\b\f\r`, ""}) + pick(r, words) + `"`
	}
	return `"` + pick(r, words) + `"`
}

func pairs(r *rand.Rand) string {
	var sb strings.Builder
	assign, end := pick(r, []string{"=", ": ", " = "}), pick(r, []string{"\n", ";", "&"})
	for range 1 + r.IntN(4) {
		fmt.Fprintf(&sb, "%s%s%s%s", pick(r, words), assign, pick(r, []string{pick(r, words), number(r)}), end)
	}
	return sb.String()
}

func markup(r *rand.Rand, depth int) string {
	tag := pick(r, words)
	body := pick(r, words)
	if depth < 3 && r.IntN(2) == 0 {
		body = markup(r, depth+1) + markup(r, depth+2)
	}
	return fmt.Sprintf("<%s>%s</%s>", tag, body, tag)
}

// statement writes a statement of a query language.
func statement(r *rand.Rand) string {
	table, column := pick(r, []string{"t1", "t2", "foo"}), pick(r, []string{"a", "b", "id"})
	value := pick(r, []string{"1", "NULL", "'x'", "-5", "2.5", "'it''s'", expression(r, 1)})
	switch r.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("CREATE TABLE %s(%s, b%d, c%d);", table, column, r.IntN(3), r.IntN(3))
	case 2, 3:
		return fmt.Sprintf("INSERT INTO %s VALUES(%s, %s, %s);", table, value, number(r), value)
	case 4:
		return fmt.Sprintf("SELECT %s FROM %s WHERE %s > %s ORDER BY 1 LIMIT %d;", column, table, column, value, r.IntN(5))
	case 5:
		return fmt.Sprintf("UPDATE %s SET %s = %s;", table, column, value)
	case 6:
		return fmt.Sprintf("SELECT %s, count(*), max(%s) FROM %s GROUP BY %s;", column, column, table, column)
	}
	return "SELECT " + value + ";"
}

func expression(r *rand.Rand, depth int) string {
	operand := pick(r, []string{pick(r, words), number(r), "port 80", "host 10.0.0.1"})
	if depth > 2 || r.IntN(3) == 0 {
		return operand
	}
	op := pick(r, []string{"+", "*", "-", "and", "or", "&&", "==", "<", "|"})
	return fmt.Sprintf("(%s %s %s)", operand, op, expression(r, depth+1))
}

func pointerPath(r *rand.Rand) string {
	var sb strings.Builder
	for range r.IntN(4) {
		sb.WriteString("/" + pick(r, append([]string{"0", "1", "-", "~1", "m~0n"}, words[:8]...)))
	}
	return sb.String()
}

// mutate makes a few small changes: a parser's error paths start there.
func mutate(r *rand.Rand, s string) string {
	b := []byte(s)
	for range 1 + r.IntN(3) {
		if len(b) == 0 {
			return pick(r, awkward)
		}
		i := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b = b[:i]
		case 1:
			b[i] = byte(1 + r.IntN(255))
		case 2:
			b = append(b[:i], b[i+1:]...)
		case 3:
			j := i + r.IntN(len(b)-i)
			b = append(b[:j:j], append([]byte(string(b[i:j])), b[j:]...)...)
		case 4:
			b = append(b[:i:i], append([]byte(pick(r, awkward)), b[i:]...)...)
		}
	}
	return strings.ReplaceAll(string(b), "\x00", "0")
}

// A pool holds contents found in the library's documents and produced by its own calls.
type pool struct {
	items []string
	seen  map[string]bool
	next  int // the oldest item, overwritten when the pool is full
}

// Limits of a pool: enough variety, small enough to spell out in a test.
const (
	poolItems   = 300
	poolItemLen = 700
)

func newPool() *pool { return &pool{seen: map[string]bool{}} }

// add keeps s unless it is there already, is empty, or is too long.
func (p *pool) add(s string) {
	if s == "" || len(s) > poolItemLen || p.seen[s] {
		return
	}
	p.seen[s] = true
	if len(p.items) < poolItems {
		p.items = append(p.items, s)
		return
	}
	delete(p.seen, p.items[p.next])
	p.items[p.next] = s
	p.next = (p.next + 1) % poolItems
}

// pick returns a random item; ok is false when there is none.
func (p *pool) pick(r *rand.Rand) (s string, ok bool) {
	if len(p.items) == 0 {
		return "", false
	}
	return pick(r, p.items), true
}

// A blobStore holds bytes that calls wrote, by the callable that wrote them: what one call
// writes is often what another reads.
type blobStore struct {
	origins []string // in the order of their first blob
	pools   map[string]*pool
}

func newBlobStore() *blobStore { return &blobStore{pools: map[string]*pool{}} }

func (s *blobStore) add(origin, blob string) {
	if s.pools[origin] == nil {
		s.origins = append(s.origins, origin)
		s.pools[origin] = newPool()
	}
	s.pools[origin].add(blob)
}

func (s *blobStore) pick(r *rand.Rand, origin string) (string, bool) {
	p := s.pools[origin]
	if p == nil {
		return "", false
	}
	return p.pick(r)
}

// pickOrNone draws one of from, or returns "" when there is none.
func pickOrNone(r *rand.Rand, from []string) string {
	if len(from) == 0 {
		return ""
	}
	return pick(r, from)
}
