package apispec

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
