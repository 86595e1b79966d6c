package apispec

import (
	"cmp"
	"slices"
	"strings"
)

// A Spec describes a library's public C or C++ API. All lists are in the order of declaration.
type Spec struct {
	Functions []*Function `json:"functions"`
	Structs   []*Struct   `json:"structs"`
	Enums     []*Enum     `json:"enums"`
	Typedefs  []*Typedef  `json:"typedefs"`
	Constants []*Constant `json:"constants"` // object-like macros with a literal value
	Macros    []*Macro    `json:"macros"`    // macros that expand to a call of a Function
}

// A Position is where something is declared.
type Position struct {
	File string `json:"file"` // as clang found it
	Line int    `json:"line"` // 1-based
}

// A FunctionKind says what a C++ function is.
type FunctionKind string

// The kinds of functions.
const (
	Free        FunctionKind = "" // every C function
	Constructor FunctionKind = "constructor"
	Method      FunctionKind = "method" // of an object
	Static      FunctionKind = "static" // method of a class
)

// A Function is an exported function, or a public constructor or method of a class.
type Function struct {
	Name     string  `json:"name"` // in C++ qualified, e.g. re2::RE2::ok; overloads share it
	Result   *Type   `json:"result"`
	Params   []Param `json:"params"`
	Variadic bool    `json:"variadic,omitempty"`
	Doc      string  `json:"doc,omitempty"` // text of its comment, without the delimiters
	// BlockDoc is the comment of the block of declarations that it stands in, if it has none
	// of its own.
	BlockDoc string `json:"block_doc,omitempty"`

	// C++ only.
	Kind       FunctionKind `json:"kind,omitempty"`
	Class      string       `json:"class,omitempty"`      // qualified, of what is not Free
	Const      bool         `json:"const,omitempty"`      // a method that may be called on const objects
	Template   bool         `json:"template,omitempty"`   // a function template, described as it is declared
	Overloaded bool         `json:"overloaded,omitempty"` // another function has this Name
	Spelling   string       `json:"spelling,omitempty"`   // clang's spelling of its type, which tells overloads apart
	Symbol     string       `json:"symbol,omitempty"`     // mangled name; "" for a template
	Position
}

// A Param is a parameter of a Function.
type Param struct {
	Name     string `json:"name,omitempty"` // "" where the header names none
	Type     *Type  `json:"type"`
	ArrayLen int64  `json:"array_len,omitempty"` // N of a parameter written `T name[N]`, else 0
	Optional bool   `json:"optional,omitempty"`  // C++: has a default argument
	Pack     bool   `json:"pack,omitempty"`      // C++: stands for any number of arguments
	Default  string `json:"-"`                   // of an Optional one, as written; "" where a macro writes it
}

// A Struct is a struct, union or C++ class. The methods of a class are Functions of that Class.
type Struct struct {
	Name     string  `json:"name"` // its tag, or the typedef that names an anonymous one; in C++ qualified
	Union    bool    `json:"union,omitempty"`
	Untagged bool    `json:"untagged,omitempty"` // only its typedef names it: "struct Name" is no type
	Opaque   bool    `json:"opaque,omitempty"`   // declared, but its fields are not public
	Fields   []Field `json:"fields,omitempty"`   // the public ones
	Typedef  string  `json:"typedef,omitempty"`  // first typedef that names it, "" if none
	Position
}

// A Field is a member of a Struct.
type Field struct {
	Name     string `json:"name"`
	Type     *Type  `json:"type"`
	BitField bool   `json:"bit_field,omitempty"`
}

// An Enum is an enumeration.
type Enum struct {
	Name      string       `json:"name,omitempty"`     // tag or typedef; "" for one that only names constants; in C++ qualified
	Untagged  bool         `json:"untagged,omitempty"` // as of a Struct
	Constants []Enumerator `json:"constants"`
	Position
}

// An Enumerator is a constant of an Enum.
type Enumerator struct {
	Name  string `json:"name"` // in C++ qualified
	Value int64  `json:"value"`
}

// A Typedef is a public typedef.
type Typedef struct {
	Name string `json:"name"`
	Type *Type  `json:"type"`
	Position
}

// A Constant is an object-like macro whose expansion is an integer constant expression
// or a string literal, or a C++ constant with a literal value.
type Constant struct {
	Name   string `json:"name"`
	Int    int64  `json:"int"`
	String string `json:"string,omitempty"`
	IsText bool   `json:"is_text,omitempty"` // String holds the value, not Int
	Doc    string `json:"doc,omitempty"`     // comments directly above and below its group of definitions
	Position
}

// A Macro expands, perhaps through other macros, to a call of an exported function.
type Macro struct {
	Name   string   `json:"name"`
	Params []string `json:"params"` // nil for an object-like macro, which renames a function
	Body   string   `json:"body"`
	Calls  []string `json:"calls"`         // exported functions named by the full expansion
	Doc    string   `json:"doc,omitempty"` // the comment that quotes its prototype
	Position
}

// NamedTypes returns the structs, unions, classes and enumerations in the type of f: of its
// result, then of each parameter, and of what these point to or take. One that occurs twice is
// there twice.
func (f *Function) NamedTypes() []*Type {
	var found []*Type
	var visit func(*Type)
	visit = func(t *Type) {
		if t == nil {
			return
		}
		switch t.Kind {
		case Record, Union, EnumRef:
			found = append(found, t)
		}
		visit(t.Elem)
		for _, p := range t.Params {
			visit(p)
		}
	}
	visit(f.Result)
	for _, p := range f.Params {
		visit(p.Type)
	}
	return found
}

// Struct returns the struct of that name, or nil when the headers do not declare it.
func (s *Spec) Struct(name string) *Struct {
	for _, r := range s.Structs {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// CalledThrough returns the names of the macros that expand to a call of f.
func (s *Spec) CalledThrough(f *Function) []string {
	var names []string
	for _, m := range s.Macros {
		if slices.Contains(m.Calls, f.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// DocOf returns what the headers tell of f. The comment of a macro through which it is called comes first,
// because it has the arguments that a caller gives. Then come its own and that of its block of declarations; ""
// if there is none.
func (s *Spec) DocOf(f *Function) string {
	for _, m := range s.Macros {
		if m.Doc != "" && slices.Contains(m.Calls, f.Name) {
			return m.Doc
		}
	}
	return cmp.Or(f.Doc, f.BlockDoc)
}

// Canonical returns the name under which prompts, energies and N-grams know f: its Name, and
// for an overloaded function the types of its parameters as the header spells them, e.g.
// "re2::RE2::RE2(const char *)". It is unique in a Spec.
func (f *Function) Canonical() string {
	if !f.Overloaded {
		return f.Name
	}
	_, params, _ := strings.Cut(f.Spelling, "(")
	return f.Name + "(" + params
}

// APIs returns the functions that tools are asked to test, in the order of declaration. They are all
// but those excluded, each named by its Name, which means every overload, or its Canonical
// name. An excluded name that the headers do not declare on this platform is no error.
//
// Their number is a library's API count. So a macro is no API of its own: it is another way
// to call the functions of its Calls. The counts of the paper (table tab:benchmark) are
// those of its artifact, which reads C headers as C++, where clang defines _GNU_SOURCE:
//
//   - cJSON 76 at c859b25: cJSON.h alone, without cJSON_InitHooks and cJSON_GetErrorPtr.
//   - zlib 87: zlib.h without gzvprintf, and with the seven functions for large files
//     (gzopen64 to crc32_combine_gen64) that only _LARGEFILE64_SOURCE declares.
func (s *Spec) APIs(excluded []string) []*Function {
	return slices.DeleteFunc(slices.Clone(s.Functions), func(f *Function) bool {
		return slices.Contains(excluded, f.Name) || slices.Contains(excluded, f.Canonical())
	})
}
