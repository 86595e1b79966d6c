package apispec

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// A Kind is the shape of a Type.
type Kind string

// The kinds. Bool, Int and Float are builtin scalars.
const (
	Void    Kind = "void"
	Bool    Kind = "bool"
	Int     Kind = "int"
	Float   Kind = "float"
	Pointer Kind = "pointer"
	Array   Kind = "array"
	Record  Kind = "struct"
	Union   Kind = "union"
	EnumRef Kind = "enum"
	Func    Kind = "function"
	Ref     Kind = "reference"        // C++: T &
	MoveRef Kind = "rvalue_reference" // C++: T &&
	Unknown Kind = "unknown"          // Name is its spelling
)

// A Type is a canonical C or C++ type: typedefs are resolved, and Typedef keeps the outermost
// one as written. A C++ class is a Record with its qualified name, template arguments included;
// of what it holds only the library's own classes are described (Spec.Structs).
type Type struct {
	Kind     Kind    `json:"kind"`
	Name     string  `json:"name,omitempty"`    // builtin spelling, or the name of a Struct or Enum
	Typedef  string  `json:"typedef,omitempty"` // as written, e.g. uLong
	Const    bool    `json:"const,omitempty"`   // of a Func: a const method
	Bits     int     `json:"bits,omitempty"`    // of Int and Float, on LP64
	Signed   bool    `json:"signed,omitempty"`  // of Int; plain char is signed
	Elem     *Type   `json:"elem,omitempty"`    // Pointer, references, Array: element; Func: result
	Len      int64   `json:"len,omitempty"`     // Array: -1 when incomplete
	Params   []*Type `json:"params,omitempty"`  // Func
	Variadic bool    `json:"variadic,omitempty"`
	CXX      bool    `json:"cxx,omitempty"` // Record, Union, EnumRef: spelled without its tag
}

// IsChar reports whether t is char, signed or not: the element of strings and bytes.
func (t *Type) IsChar() bool { return t.Kind == Int && t.Bits == 8 }

// IsScalar reports whether t is a builtin or enum value, which tests can compare.
func (t *Type) IsScalar() bool {
	switch t.Kind {
	case Bool, Int, Float, EnumRef:
		return true
	}
	return false
}

// builtins maps clang's canonical spellings to sizes on LP64 (x86-64 and aarch64 Linux).
var builtins = map[string]Type{
	"void":               {Kind: Void},
	"_Bool":              {Kind: Bool, Bits: 8},
	"bool":               {Kind: Bool, Bits: 8},
	"char":               {Kind: Int, Bits: 8, Signed: true},
	"signed char":        {Kind: Int, Bits: 8, Signed: true},
	"unsigned char":      {Kind: Int, Bits: 8},
	"short":              {Kind: Int, Bits: 16, Signed: true},
	"unsigned short":     {Kind: Int, Bits: 16},
	"int":                {Kind: Int, Bits: 32, Signed: true},
	"unsigned int":       {Kind: Int, Bits: 32},
	"long":               {Kind: Int, Bits: 64, Signed: true},
	"unsigned long":      {Kind: Int, Bits: 64},
	"long long":          {Kind: Int, Bits: 64, Signed: true},
	"unsigned long long": {Kind: Int, Bits: 64},
	"__int128":           {Kind: Int, Bits: 128, Signed: true},
	"unsigned __int128":  {Kind: Int, Bits: 128},
	"float":              {Kind: Float, Bits: 32},
	"double":             {Kind: Float, Bits: 64},
	"long double":        {Kind: Float, Bits: 128},
	"wchar_t":            {Kind: Int, Bits: 32, Signed: true},
}

// maxTypeDepth bounds nesting in a type's spelling, far above what headers hold.
const maxTypeDepth = 64

// A typeParser reads clang's spelling of a C type, e.g. "int (*const)(void *, size_t)".
type typeParser struct {
	tokens []string
	pos    int
	depth  int
	lookup func(name string) *Type // of a name that is not builtin; nil if it is unknown
}

// parseType resolves a spelling by lookup, which returns a type of the caller's own.
func parseType(spelling string, lookup func(name string) *Type) (*Type, error) {
	p := &typeParser{tokens: tokenizeType(spelling), lookup: lookup}
	t, err := p.parse()
	if err == nil && p.pos < len(p.tokens) {
		err = fmt.Errorf("unexpected %q", p.tokens[p.pos])
	}
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", spelling, err)
	}
	return t, nil
}

// tokenizeType splits a spelling into words and punctuation. "(unnamed struct at f:1:2)"
// and attributes become one token each, because what they hold is not C; so does a qualified
// name with its template arguments.
func tokenizeType(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		kind, end := clex.At(s, i)
		switch {
		case kind == clex.Space || kind == clex.Newline:
			i = end
			continue
		case strings.HasPrefix(s[i:], "(unnamed ") || strings.HasPrefix(s[i:], "(anonymous "):
			if n := strings.IndexByte(s[i:], ')'); n >= 0 {
				end = i + n + 1
			} else {
				end = len(s)
			}
		case clex.WordByte(s[i]):
			for end = i; end < len(s) && (clex.WordByte(s[end]) || s[end] == ':' || s[end] == '<'); {
				end += max(argumentsLen(s[end:]), 1)
			}
		case s[i:end] != "...":
			end = i + 1
		}
		out = append(out, s[i:end])
		i = end
	}
	return out
}

// argumentsLen returns the length of the template arguments that s begins with, or 0.
func argumentsLen(s string) int {
	depth := 0
	for i := 0; i < len(s) && s[0] == '<'; i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func (p *typeParser) peek() string {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return ""
}

func (p *typeParser) accept(tok string) bool {
	if p.peek() != tok {
		return false
	}
	p.pos++
	return true
}

// parse reads specifiers and an abstract declarator.
func (p *typeParser) parse() (*Type, error) {
	if p.depth++; p.depth > maxTypeDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxTypeDepth)
	}
	defer func() { p.depth-- }()
	base, err := p.specifiers()
	if err != nil {
		return nil, err
	}
	wrap, err := p.declarator()
	if err != nil {
		return nil, err
	}
	return wrap(base), nil
}

func (p *typeParser) specifiers() (*Type, error) {
	var words []string
	isConst := false
	tag := ""
	for {
		tok := p.peek()
		switch {
		case tok == "const":
			isConst = true
		case tok == "volatile" || tok == "restrict" || strings.HasPrefix(tok, "_N") || tok == "_Atomic" || tok == "extern":
		case tok == "struct" || tok == "union" || tok == "enum":
			tag = tok
		case strings.HasPrefix(tok, "(unnamed") || strings.HasPrefix(tok, "(anonymous"):
			words = append(words, tok)
		case tok != "" && clex.WordByte(tok[0]) && !p.complete(words):
			words = append(words, tok)
		default:
			if len(words) == 0 {
				return nil, fmt.Errorf("no type before %q", tok)
			}
			return p.base(tag, strings.Join(words, " "), isConst), nil
		}
		p.pos++
	}
}

// complete reports whether words already name a type that no further word can extend.
func (p *typeParser) complete(words []string) bool {
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "unsigned", "signed", "long", "short", "int", "char", "double":
		return false
	}
	return true
}

// unnamedTag is the key under which typedefs hold the struct, union or enum of
// `typedef struct {…} T`. Clang spells it "struct T" in other types, but no such tag exists:
// in C it can be named by T alone.
func unnamedTag(k Kind, typedef string) string { return string(k) + " " + typedef }

func (p *typeParser) base(tag, name string, isConst bool) *Type {
	var t Type
	switch {
	case tag != "":
		t = Type{Kind: Kind(tag), Name: name}
		if t.Kind == EnumRef {
			t.Bits = 32
		}
		if p.lookup(unnamedTag(t.Kind, name)) != nil {
			t.Typedef = name
		}
	default:
		if b, ok := builtins[name]; ok {
			t = b
			t.Name = name
		} else if def := p.lookup(name); def != nil {
			t = *def
		} else {
			t = Type{Kind: Unknown, Name: name}
		}
	}
	t.Const = t.Const || isConst
	return &t
}

// declarator reads pointers, a parenthesised inner declarator, and array or parameter
// suffixes; the returned function applies them to the base type.
func (p *typeParser) declarator() (func(*Type) *Type, error) {
	if p.depth++; p.depth > maxTypeDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxTypeDepth)
	}
	defer func() { p.depth-- }()

	var pointers []Type // Kind and Const of each
	for {
		kind := p.indirection()
		if kind == "" {
			break
		}
		isConst := false
		for tok := p.peek(); tok == "const" || tok == "restrict" || tok == "volatile" || strings.HasPrefix(tok, "_N"); tok = p.peek() {
			isConst = isConst || tok == "const"
			p.pos++
		}
		pointers = append(pointers, Type{Kind: kind, Const: isConst})
	}
	inner := func(t *Type) *Type { return t }
	if p.peek() == "(" && p.pos+1 < len(p.tokens) && strings.Contains("*&([", p.tokens[p.pos+1]) {
		p.pos++
		var err error
		if inner, err = p.declarator(); err != nil {
			return nil, err
		}
		if !p.accept(")") {
			return nil, fmt.Errorf("expected ) before %q", p.peek())
		}
	}
	suffix, err := p.suffixes()
	if err != nil {
		return nil, err
	}
	return func(t *Type) *Type {
		for _, ptr := range pointers {
			t = &Type{Kind: ptr.Kind, Elem: t, Const: ptr.Const}
		}
		return inner(suffix(t))
	}, nil
}

// indirection consumes a pointer's or reference's sign and returns its kind, or "".
func (p *typeParser) indirection() Kind {
	switch {
	case p.accept("*"):
		return Pointer
	case !p.accept("&"):
		return ""
	case p.accept("&"):
		return MoveRef
	}
	return Ref
}

func (p *typeParser) suffixes() (func(*Type) *Type, error) {
	var wraps []func(*Type) *Type
	for {
		var wrap func(*Type) *Type
		var err error
		switch {
		case p.accept("["):
			wrap, err = p.arrayLen()
		case p.accept("("):
			wrap, err = p.params()
		case strings.HasPrefix(p.peek(), "__attribute"):
			p.pos = len(p.tokens) // clang prints attributes last
			continue
		default:
			return func(t *Type) *Type {
				for i := len(wraps) - 1; i >= 0; i-- {
					t = wraps[i](t)
				}
				return t
			}, nil
		}
		if err != nil {
			return nil, err
		}
		wraps = append(wraps, wrap)
	}
}

func (p *typeParser) arrayLen() (func(*Type) *Type, error) {
	n := int64(-1)
	for p.peek() != "]" {
		tok := p.peek()
		if tok == "" {
			return nil, fmt.Errorf("array without ]")
		}
		if v, err := strconv.ParseInt(tok, 10, 64); err == nil {
			n = v
		}
		p.pos++
	}
	p.pos++
	return func(t *Type) *Type { return &Type{Kind: Array, Elem: t, Len: n} }, nil
}

func (p *typeParser) params() (func(*Type) *Type, error) {
	var params []*Type
	variadic := false
	for !p.accept(")") {
		if p.accept("...") {
			variadic = true
			continue
		}
		t, err := p.parse()
		if err != nil {
			return nil, err
		}
		if t.Kind != Void {
			params = append(params, t)
		}
		if !p.accept(",") && p.peek() != ")" {
			return nil, fmt.Errorf("expected , or ) before %q", p.peek())
		}
	}
	isConst := p.methodQualifiers()
	return func(t *Type) *Type {
		return &Type{Kind: Func, Elem: t, Params: params, Variadic: variadic, Const: isConst}
	}, nil
}

// methodQualifiers consumes what follows a C++ function's parameters; isConst says whether
// const is among it.
func (p *typeParser) methodQualifiers() (isConst bool) {
	for {
		switch tok := p.peek(); {
		case tok == "const":
			isConst = true
		case tok == "volatile" || tok == "&" || tok == "noexcept" && p.pos+1 == len(p.tokens):
		default:
			return isConst
		}
		p.pos++
	}
}
