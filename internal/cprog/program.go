package cprog

// A Program is one program that compiles.
type Program struct {
	// Unreadable means that the program exceeds the bounds of a reading, or that the compiler fails on it in reading
	// only: the rest is empty.
	Unreadable bool
	Tree       []*Node // the program's declarations at file scope, in order
	// Functions are those with a body, in order: methods and instances of templates too, but not
	// lambdas, which are part of the function that holds them.
	Functions []*Function
}

// A Node is a declaration, a statement or an expression of the program itself.
type Node struct {
	Kind string // clang's name of the node's class, e.g. "CallExpr"; "" for an absent statement, such as the condition of for (;;)
	Flags
	Name string // of a declaration, a member, a label; "sizeof" and its like
	Op   string // an operator ("+", "<<="), the kind of a cast ("LValueToRValue"), the keyword of a record or enumeration ("struct")
	// Text is the bytes of a string literal, without its end, or the decimal digits of a
	// floating-point literal.
	Text    string
	Storage string // "static", "extern", …; of variables and functions
	Init    string // how a variable is initialised: "c", "call", "list"; "" if not
	Type    *Type  // of an expression or declaration; nil for statements
	Arg     *Type  // the type that sizeof measures, that new allocates, in which += computes
	// Decl is what a declaration declares, what a name or member refers to, and the function
	// that a call or a construction resolves to. It is nil for a call through a pointer. Redeclarations
	// share one Decl.
	Decl *Decl
	// Value is that of an integer expression or enumerator that is Constant: as unsigned, or
	// for signed types sign-extended to 64 bits. What is wider than 64 bits is no Constant.
	Value      uint64
	Begin, End Place // its first and its last token
	Inner      []*Node
}

// Flags are what there is to know of a node in one bit each.
type Flags uint32

// The flags, as the plugin writes them.
const (
	Postfix  Flags = 1 << iota // x++
	Else                       // an if with an else
	Selected                   // the chosen association of a _Generic
	LValue
	XValue
	Filler // the first of Inner is for the elements that a list of initialisers does not name
	Arrow  // p->x
	Constant
	defines    // a function with its body
	callable   // void or int NAME(void), not static, at file scope
	returnsInt // whatever its name for int
	isMain
	isTestBody // a method TestBody, as GoogleTest's TEST makes it
)

// Is reports whether a flag is set.
func (f Flags) Is(flag Flags) bool { return f&flag != 0 }

// Body returns the block of a function's definition, or nil for a declaration.
func (n *Node) Body() *Node {
	for _, in := range n.Inner {
		if in.Kind == "CompoundStmt" || in.Kind == "CXXTryStmt" {
			return in
		}
	}
	return nil
}

// Int returns a constant's value as a signed number; ok is false where it is none.
func (n *Node) Int() (v int64, ok bool) { return int64(n.Value), n.Is(Constant) }

// A File says which file a place is in.
type File int32

// The files.
const (
	NoFile   File = iota // the place is unknown
	Main                 // the program's source
	Preamble             // stands in for the directives at the source's start: places there are none of the source
	Scratch              // made by the preprocessor with # and ##
	Header               // any other
)

// Own reports whether text of that file is the program's own.
func (f File) Own() bool { return f == Main || f == Preamble || f == Scratch }

// A Place is where a token is. Of a token that a macro writes it is the macro's name where the
// macro is used, and Macro says where the token itself comes from.
type Place struct {
	File   File
	Line   int32 // 1-based
	Offset int32 // of its first byte in the file; in Main those of the program's source
	Len    int32 // of the token, in bytes
	Macro  *Macro
}

// Limit is the offset of the byte after the token.
func (p Place) Limit() int { return int(p.Offset + p.Len) }

// A Macro is where a token that a macro writes is spelled: for an argument where the macro is used, else in
// the #define. Of Scratch no more than that is known.
type Macro struct {
	File        File
	Offset, Len int32
}

// A Decl is something that has a name: a function, a variable, a type, a field, an enumerator.
type Decl struct {
	Kind      string // clang's, e.g. "FunctionDecl", "VarDecl", "EnumConstantDecl"
	Name      string // last part
	Qualified string // with namespaces and classes
	Mangled   string // of a function that is no template: the linker's name, of a constructor that of the complete object
	Type      *Type
	Instance  bool      // of a template
	Class     *Record   // of a method or field
	Params    int       // how many a function has
	Function  *Function // its definition in the program, or nil
}

// A Function is one that the program defines.
type Function struct {
	Decl       *Decl
	Node       *Node // its definition
	FirstLine  int
	LastLine   int
	ReturnsInt bool
	// Calls are the program's own functions that it names, each once, in order: those that it
	// calls, and those of which it takes the address. They are not in sizeof and its like.
	Calls []*Function
}

// A TypeKind sorts types by what their values are.
type TypeKind int

// The kinds of types.
const (
	OtherType TypeKind = iota // of no use in a formula: vectors, members of classes, templates' parameters
	Void
	Bool
	Int  // with characters
	Enum // Elem is the integer type that holds it
	Float
	Pointer   // Elem is what it points to
	Reference // Elem is what it refers to
	Array     // Elem is the element
	RecordType
	FunctionType // Elem is the result
	NullPtr      // of nullptr
)

// A Type is a type as it is written at some place, and what clang knows of it for x86-64.
type Type struct {
	Kind      TypeKind
	Spelling  string // as written: "size_t"
	Desugared string // without typedefs at its top: "unsigned long"
	// Same is the same for two types if and only if they are one type, whatever their
	// qualifiers at the top and their spelling.
	Same          *Type
	Signed, Const bool
	Bits          int   // width of the values of Bool, Int, Enum, Float, Pointer, NullPtr; of a _Bool 8
	Size          int64 // in bytes; -1 if it is not known: void, functions, incomplete types
	Elem          *Type
	Record        *Record
}

// A Record is a struct, union or class.
type Record struct {
	Name string // qualified; "" if it has none
	// Fields are empty for an incomplete record and for a class of a system's header.
	Fields []Field
}

// A Field is a member of a record.
type Field struct {
	Name   string
	Offset int // in bits
	Bits   int // width of a bit-field; 0 if it is none
}
