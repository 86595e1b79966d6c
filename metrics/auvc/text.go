package auvc

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// maxSpelled is the longest literal that is compared character by character.
const maxSpelled = 32

// textConst is the contents of a literal. It is told from others by a number, the hash of its
// text, and has its length.
func textConst(text string) term {
	symbol := smt.Symbol("text " + short(text) + ":>" + string(textSort))
	sum := sha256.Sum256([]byte(text))
	t := term{text: symbol, sort: textSort, typ: ctype{kind: other, name: "text"}, field: literalField + text}
	return t.assuming(fmt.Sprintf("(= %s %s)", apply("identity", bitVec(64), t).text, smt.BitVec(binary.LittleEndian.Uint64(sum[:]), 64))).
		assuming(fmt.Sprintf("(= %s %s)", length(t).text, smt.BitVec(uint64(len(cut(text))), 64)))
}

// cut ends a text where C's string functions see its end.
func cut(text string) string {
	s, _, _ := strings.Cut(text, "\x00")
	return s
}

func length(contents term) term {
	t := apply("strlen", bitVec(64), term{text: contents.text, sort: textSort})
	t.typ = sizeType
	return t
}

// contents returns the text that a pointer to characters, or a std::string, holds now.
func (w *walker) contents(at term) term {
	if at.sort == textSort {
		return at
	}
	if strings.HasPrefix(at.field, literalField) && strings.HasPrefix(at.text, "|") {
		return literalText(at)
	}
	m := w.objects[at.root].memory
	if m.text != "" && w.isVariable(at) {
		return w.known[m.text]
	}
	from := at
	if m.here != "" {
		from.text = strings.ReplaceAll(at.text, m.here, m.there)
	}
	t := apply("text:"+short(w.characters(at.root, at.field)), textSort, from).with(at)
	t.typ = ctype{kind: other, name: "text"}
	return t
}

// characters names the version of an object's characters only: a string is not changed by a
// write to a number beside it.
func (w *walker) characters(root int, field string) string {
	m := w.objects[root].memory
	var b strings.Builder
	b.WriteString(m.name)
	for _, typ := range []string{"char", "signed char", "unsigned char"} {
		for _, f := range []string{"", field} {
			if c, ok := m.cells[key{typ, f}]; ok && (c.version > 0 || len(c.stores) > 0) {
				fmt.Fprintf(&b, "/%s.%d", typ, c.version)
				for _, s := range c.stores {
					fmt.Fprintf(&b, ",%s=%s", s.addr, s.value.text)
				}
			}
		}
	}
	return b.String()
}

// spelled relates a string in memory to a literal: they are equal if and only if the
// characters are, up to and including the end; and its length is that of the literal only if
// it ends there.
func (w *walker) spelled(result, at, contents, lit term) term {
	text := cut(strings.TrimPrefix(lit.field, literalField))
	if at.sort != bitVec(64) || at.typ.kind != pointer || len(text) > maxSpelled || lit.field == "" || strings.HasPrefix(at.field, literalField) {
		return result
	}
	var same []string
	for i := 0; i <= len(text); i++ {
		c := byte(0)
		if i < len(text) {
			c = text[i]
		}
		same = append(same, fmt.Sprintf("(= %s %s)", w.character(at, i).text, smt.BitVec(uint64(c), 8)))
	}
	all := same[0]
	if len(same) > 1 {
		all = "(and " + strings.Join(same, " ") + ")"
	}
	return result.with(lit).assuming(fmt.Sprintf("(= (= %s %s) %s)", contents.text, lit.text, all)).
		assuming(fmt.Sprintf("(=> (= %s %s) %s)", length(contents).text, smt.BitVec(uint64(len(text)), 64), same[len(same)-1]))
}

// character is the one at an offset from a pointer.
func (w *walker) character(at term, i int) term {
	typ := charType
	return w.objects[at.root].memory.load(add(at, uint64(i)), key{typ: typ.name, field: at.field}, typ)
}

// stringLength translates strlen.
func (w *walker) stringLength(at term) term {
	c := w.contents(at)
	t := length(c).with(c)
	empty := textConst("")
	return w.spelled(emptiness(t, c, empty), at, c, empty)
}

// compareTexts translates strcmp and what is like it: 0 if and only if the contents are equal,
// and the sign turns when the arguments are exchanged (C17 7.24.4).
func (w *walker) compareTexts(a, b term) term {
	x, y := w.contents(a), w.contents(b)
	t := apply("strcmp", bitVec(32), x, y)
	back := apply("strcmp", bitVec(32), y, x)
	t.typ = intType
	t = t.assuming(fmt.Sprintf("(= (= %s #x00000000) (= %s %s))", t.text, x.text, y.text))
	t = emptiness(emptiness(signs(t, back), x, y), y, x)
	return w.spelled(w.spelled(t, a, x, y), b, y, x)
}

// emptiness says, of contents that are compared with the empty string, that it alone has the
// length 0.
func emptiness(t, contents, lit term) term {
	if lit.field != literalField {
		return t
	}
	return t.with(lit).assuming(fmt.Sprintf("(= (= %s #x0000000000000000) (= %s %s))", length(contents).text, contents.text, lit.text))
}

func signs(t, back term) term {
	return t.assuming(fmt.Sprintf("(= (bvslt %s #x00000000) (bvsgt %s #x00000000))", t.text, back.text)).
		assuming(fmt.Sprintf("(= (bvsgt %s #x00000000) (bvslt %s #x00000000))", t.text, back.text))
}

// sameTexts says that two contents are equal.
func (w *walker) sameTexts(a, b term) term {
	x, y := w.contents(a), w.contents(b)
	t := emptiness(emptiness(truth(equality("==", x, y).text, x, y), x, y), y, x)
	return w.spelled(w.spelled(t, a, x, y), b, y, x)
}

// comparePart translates strncmp and memcmp. With a literal that ends within the length both
// are comparisons of whole strings; with one that does not, of its characters.
func (w *walker) comparePart(name string, a, b, n term) term {
	x, y := w.contents(a), w.contents(b)
	bytes, constant := constantBits(n.text)
	for _, side := range [][2]term{{a, y}, {b, x}} {
		lit := side[1]
		text := strings.TrimPrefix(lit.field, literalField)
		if !constant || lit.field == "" || strings.Contains(text, "\x00") {
			continue
		}
		if bytes > uint64(len(text)) && (name == "strncmp" || bytes == uint64(len(text))+1) {
			return w.compareTexts(a, b)
		}
	}
	t := apply(name, bitVec(32), x, y, n)
	back := apply(name, bitVec(32), y, x, n)
	t.typ = intType
	t = signs(t, back)
	if !constant || bytes > maxSpelled {
		return t
	}
	for _, side := range [][2]term{{a, y}, {b, x}} {
		at, lit := side[0], side[1]
		text := strings.TrimPrefix(lit.field, literalField)
		if lit.field == "" || bytes > uint64(len(text)) || at.sort != bitVec(64) || strings.HasPrefix(at.field, literalField) {
			continue
		}
		same := []string{"true"}
		for i := range int(bytes) {
			same = append(same, fmt.Sprintf("(= %s %s)", w.character(at, i).text, smt.BitVec(uint64(text[i]), 8)))
		}
		t = w.spelled(t.assuming(fmt.Sprintf("(= (= %s #x00000000) (and %s))", t.text, strings.Join(same, " "))), at, w.contents(at), lit)
	}
	return t
}
