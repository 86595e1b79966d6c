package auvc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// A kind sorts C types by how their values are modelled.
type kind int

const (
	other   kind = iota // records, and what is not known: values without structure
	boolean             // bool, _Bool
	integer
	floating
	pointer
	array
	void
)

// A ctype is a C or C++ type as far as formulas depend on it (x86-64 System V ABI).
type ctype struct {
	kind   kind
	bits   int // of integers, and of floating-point values in memory
	signed bool
	name   string // without qualifiers at its top
	elem   string // of pointers and arrays: the type pointed to, with its qualifiers
	length int    // of arrays; 0 if unknown
	konst  bool   // qualified const at its top
	ref    bool   // a C++ reference to this type
}

var (
	intType    = ctype{kind: integer, bits: 32, signed: true, name: "int"}
	boolType   = ctype{kind: boolean, bits: 8, name: "bool"}
	sizeType   = ctype{kind: integer, bits: 64, name: "unsigned long"}
	charType   = ctype{kind: integer, bits: 8, signed: true, name: "char"}
	doubleType = ctype{kind: floating, bits: 64, name: "double"}
	bytePtr    = ctype{kind: pointer, bits: 64, name: "char *", elem: "char"}
)

// basic are the types that have values. Enumerations in C are spelled with enum and are
// unsigned int unless an enumerator is negative, which clang tells with each cast.
var basic = map[string]ctype{
	"bool": boolType, "_Bool": boolType, "void": {kind: void},
	"char": charType, "signed char": {kind: integer, bits: 8, signed: true}, "unsigned char": {kind: integer, bits: 8},
	"short": {kind: integer, bits: 16, signed: true}, "unsigned short": {kind: integer, bits: 16},
	"int": intType, "unsigned int": {kind: integer, bits: 32}, "unsigned": {kind: integer, bits: 32},
	"long": {kind: integer, bits: 64, signed: true}, "unsigned long": sizeType,
	"long long": {kind: integer, bits: 64, signed: true}, "unsigned long long": {kind: integer, bits: 64},
	"__int128": {kind: integer, bits: 128, signed: true}, "unsigned __int128": {kind: integer, bits: 128},
	"wchar_t": {kind: integer, bits: 32, signed: true}, "char16_t": {kind: integer, bits: 16}, "char32_t": {kind: integer, bits: 32}, "char8_t": {kind: integer, bits: 8},
	"float": {kind: floating, bits: 32}, "double": doubleType, "long double": {kind: floating, bits: 128},
	"std::nullptr_t": {kind: pointer, bits: 64, elem: "void"}, "nullptr_t": {kind: pointer, bits: 64, elem: "void"},
}

// standard are typedefs that clang may leave inside a pointer type, where it does not resolve them.
var standard = map[string]string{
	"size_t": "unsigned long", "ssize_t": "long", "ptrdiff_t": "long", "off_t": "long",
	"int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short", "uint16_t": "unsigned short",
	"int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long", "uint64_t": "unsigned long",
	"intptr_t": "long", "uintptr_t": "unsigned long",
}

// A typeTable knows the typedefs of one program.
type typeTable map[string]string

// learn takes the typedefs from all types below n.
func (t typeTable) learn(n *clangast.Node) {
	if n == nil {
		return
	}
	from, to := n.Type.QualType, n.Type.Desugared
	if n.Kind == "TypedefDecl" {
		from, to = n.Name, n.Type.Canonical()
	}
	if to != "" && to != from {
		for strings.HasSuffix(from, " *") && strings.HasSuffix(to, " *") {
			from, to = strings.TrimSuffix(from, " *"), strings.TrimSuffix(to, " *")
		}
		from, _ = unqualified(from)
		to, _ = unqualified(to)
		if to != from && !strings.ContainsAny(from, "*&[(") {
			t[from] = to
		}
	}
	for _, in := range n.Children() {
		t.learn(in)
	}
}

// of returns the type of a node.
func (t typeTable) of(q clangast.QualType) ctype { return t.parse(q.Canonical(), 0) }

// named returns the type of that spelling.
func (t typeTable) named(spelling string) ctype { return t.parse(spelling, 0) }

const maxTypedefs = 20 // in a chain; more is a cycle

func (t typeTable) parse(s string, depth int) ctype {
	s, konst := unqualified(s)
	c := ctype{kind: other, name: s, konst: konst}
	if b, ok := basic[s]; ok {
		b.name, b.konst = s, konst
		return b
	}
	switch {
	case strings.HasPrefix(s, "enum "):
		return ctype{kind: integer, bits: 32, name: s, konst: konst}
	case strings.HasSuffix(s, "&"):
		c = t.parse(strings.TrimRight(s, "& "), depth)
		c.ref = true
		return c
	case strings.HasSuffix(s, "]"):
		open := strings.IndexByte(s, '[')
		if open < 0 {
			return c
		}
		end := strings.IndexByte(s[open:], ']')
		n, err := strconv.Atoi(s[open+1 : open+end])
		if err != nil {
			n = 0
		}
		elem := strings.TrimSpace(s[:open]) + s[open+end+1:]
		if konst {
			elem = "const " + elem
		}
		return ctype{kind: array, name: s, elem: elem, length: n, konst: konst}
	case strings.HasSuffix(s, "*"):
		return ctype{kind: pointer, bits: 64, name: s, elem: strings.TrimSpace(strings.TrimSuffix(s, "*")), konst: konst}
	case strings.Contains(s, "(*)"):
		return ctype{kind: pointer, bits: 64, name: s, elem: "void ()", konst: konst}
	case depth < maxTypedefs:
		if to, ok := t[s]; ok {
			c = t.parse(to, depth+1)
			c.konst = c.konst || konst
			return c
		}
		if to, ok := standard[s]; ok {
			c = t.parse(to, depth+1)
			c.konst = konst
			return c
		}
	}
	return c
}

// unqualified takes the qualifiers off the top of a type.
func unqualified(s string) (string, bool) {
	konst := false
	for {
		s = strings.TrimSpace(s)
		was := s
		for _, q := range []string{"const", "volatile", "restrict", "__restrict"} {
			// Before a pointer the qualifier is the pointee's, behind the star the pointer's.
			if rest, ok := strings.CutPrefix(s, q+" "); ok && !strings.HasSuffix(s, "*") && !strings.HasSuffix(s, "&") {
				s, konst = rest, konst || q == "const"
			}
			if rest, ok := strings.CutSuffix(s, q); ok && (strings.HasSuffix(rest, "*") || strings.HasSuffix(rest, " ")) {
				s, konst = rest, konst || q == "const"
			}
		}
		if s == was {
			return s, konst
		}
	}
}

// size returns a type's size in bytes; ok is false where it is not known.
func (t typeTable) size(c ctype) (bytes uint64, ok bool) {
	switch c.kind {
	case boolean:
		return 1, true
	case integer, pointer:
		return uint64(c.bits / 8), true
	case floating:
		return uint64(c.bits / 8), true
	case void:
		return 1, true // as in GNU C's pointer arithmetic
	case array:
		n, ok := t.size(t.named(c.elem))
		return n * uint64(c.length), ok && c.length > 0
	}
	return 0, false
}

// sort returns the SMT sort of a type's values.
func (c ctype) sort() sort {
	switch c.kind {
	case boolean:
		return boolSort
	case integer:
		return bitVec(c.bits)
	case pointer, array:
		return bitVec(64)
	case floating:
		switch c.bits {
		case 32:
			return sort("(_ FloatingPoint 8 24)")
		case 64:
			return sort("(_ FloatingPoint 11 53)")
		}
		return sort("(_ FloatingPoint 15 64)") // x87
	}
	return objectSort
}

// character reports whether pointers to the type may point to strings.
func (c ctype) character() bool {
	return c.kind == integer && c.bits == 8
}

// record reports whether a type is spelled as, or resolves to, a struct, union or class.
func (c ctype) record() bool { return c.kind == other }

func (c ctype) union() bool { return strings.HasPrefix(c.name, "union ") }

// A sort is an SMT-LIB sort as it is written.
type sort string

const (
	boolSort   sort = "Bool"
	objectSort sort = "Obj" // values without structure
	textSort   sort = "Str" // contents of strings
)

func bitVec(bits int) sort { return sort(fmt.Sprintf("(_ BitVec %d)", bits)) }
