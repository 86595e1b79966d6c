package apispec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clangast"
	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// visit takes a declaration at the scope of the file or of a namespace.
func (x *extractor) visit(n *clangast.Node) {
	switch n.Kind {
	case "LinkageSpecDecl": // extern "C" { … }
		x.visitAll(n.Inner)
	case "NamespaceDecl":
		if n.Name == "" {
			return // its names have no linkage
		}
		outer := x.scope
		if !n.IsInline {
			x.scope = x.qualify(n.Name)
		}
		x.visitAll(n.Inner)
		x.scope = outer
	case "FunctionDecl":
		if n.ParentID == "" && n.StorageClass != "static" {
			x.function(n, n, Free)
		}
	case "FunctionTemplateDecl":
		if n.ParentID == "" {
			x.template(n, Free)
		}
	default:
		x.named(n)
	}
}

func (x *extractor) visitAll(nodes []*clangast.Node) {
	for _, in := range nodes {
		x.visit(in)
	}
}

// named takes a declaration of a type or a constant, in a file, a namespace or the public part of
// a class.
func (x *extractor) named(n *clangast.Node) {
	switch n.Kind {
	case "RecordDecl", "CXXRecordDecl":
		x.record(n)
	case "ClassTemplateDecl":
		x.names[x.qualify(n.Name)] = &Type{Kind: Record, CXX: true}
	case "EnumDecl":
		name, prefix := "", x.qualify("")
		if n.Name != "" {
			name = x.qualify(n.Name)
			x.names[name] = &Type{Kind: EnumRef, Name: name, Bits: 32, CXX: true}
		}
		if n.ScopedEnum != "" {
			prefix = name + "::"
		}
		x.enum(n, name, prefix)
	case "TypedefDecl", "TypeAliasDecl":
		x.typedef(n, x.qualify(n.Name), x.typeOf(n))
	case "VarDecl":
		if x.cxx {
			x.constant(n)
		}
	}
}

// qualify puts the present scope before a name; of "" it is what a name there begins with.
func (x *extractor) qualify(name string) string {
	if x.scope == "" {
		return name
	}
	return x.scope + "::" + name
}

// isInternal reports whether a scope is no part of the public API by the common convention
// for namespaces that headers need but users do not.
func isInternal(scope string) bool {
	return slices.ContainsFunc(strings.Split(scope, "::"), func(part string) bool {
		return part == "internal" || part == "detail" || part == "impl" ||
			strings.HasSuffix(part, "_internal") || strings.HasSuffix(part, "_detail")
	})
}

// typeOf is the type of a declaration. What is beyond the type parser, such as a pointer to a
// member, is Unknown.
func (x *extractor) typeOf(n *clangast.Node) *Type {
	spelling := n.Type.QualType
	t, err := parseType(strings.TrimSuffix(spelling, "..."), x.lookup)
	if err != nil {
		return &Type{Kind: Unknown, Name: spelling}
	}
	return t
}

// lookup finds a name from the innermost scope outwards.
func (x *extractor) lookup(name string) *Type {
	name = strings.TrimPrefix(name, "::")
	base, arguments, isTemplate := strings.Cut(name, "<")
	for scope := x.scope; ; {
		prefix := ""
		if scope != "" {
			prefix = scope + "::"
		}
		if def := x.typedefs[prefix+name]; def != nil {
			t := *def
			t.Typedef = prefix + name
			return &t
		}
		if def := x.names[prefix+base]; def != nil {
			t := *def
			t.Name = prefix + base
			if isTemplate {
				t.Name += "<" + arguments
			}
			return &t
		}
		if scope == "" {
			return nil
		}
		scope = scope[:max(strings.LastIndex(scope, "::"), 0)]
	}
}

// template takes a function template by its pattern, which is its first function.
func (x *extractor) template(n *clangast.Node, kind FunctionKind) {
	for _, in := range n.Inner {
		if in.Kind == "FunctionDecl" || in.Kind == "CXXMethodDecl" || in.Kind == "CXXConstructorDecl" {
			x.function(in, n, kind)
			return
		}
	}
}

// function takes a function; whole is the declaration with its template parameters.
func (x *extractor) function(n, whole *clangast.Node, kind FunctionKind) {
	pos := position(n)
	if !x.public[pos.File] || n.IsImplicit || n.Deleted || n.Defaulted != "" || strings.HasPrefix(n.Name, "operator") && !clex.WordByte((n.Name + " ")[len("operator")]) || isInternal(x.scope) {
		return
	}
	f := &Function{
		Name: x.qualify(n.Name), Kind: kind, Variadic: n.Variadic, Template: whole != n, Position: pos,
	}
	key := f.Name
	if x.cxx {
		f.Spelling, f.Symbol = n.Type.QualType, n.Mangled
		key = cmp.Or(f.Symbol, f.Name+" "+f.Spelling)
	}
	switch kind {
	case Free:
	case Method:
		if n.StorageClass == "static" {
			f.Kind = Static
		}
		fallthrough
	default:
		f.Class = x.scope
	}
	t := x.typeOf(n)
	switch {
	case kind == Constructor:
		f.Result = x.lookup(x.scope)
	case t.Kind == Func:
		f.Result, f.Const = t.Elem, t.Const
	default:
		f.Result = t
	}
	for _, in := range n.Inner {
		if in.Kind != "ParmVarDecl" {
			continue
		}
		written := x.written(in)
		p := Param{Name: in.Name, Type: x.typeOf(in), ArrayLen: arrayLen(written), Optional: in.Init != "", Pack: in.IsPack}
		if _, value, ok := strings.Cut(written, "="); ok && p.Optional {
			p.Default = strings.Join(strings.Fields(value), " ")
		}
		f.Params = append(f.Params, p)
	}
	if kind == Constructor && copies(f) {
		return
	}
	x.add(key, f, whole)
}

// copies reports whether a constructor copies or moves its class, which programs seldom ask
// for by name.
func copies(f *Function) bool {
	if len(f.Params) == 0 {
		return false
	}
	for _, p := range f.Params[1:] {
		if !p.Optional {
			return false
		}
	}
	t := f.Params[0].Type
	return (t.Kind == Ref || t.Kind == MoveRef) && t.Elem.Kind == Record && t.Elem.Name == f.Class
}

// record takes a class, struct or union, and what is public in it. Of other libraries' it
// only keeps the names, which types of ours may mention.
func (x *extractor) record(n *clangast.Node) {
	if n.IsImplicit {
		return
	}
	outer := x.scope
	defer func() { x.scope = outer }()
	r := &Struct{Union: n.TagUsed == "union", Opaque: true, Position: position(n)}
	if n.Name == "" {
		x.anonymous[n.ID] = func(typedef string) {
			r.Name, r.Untagged, x.records[typedef] = typedef, true, r
		}
		x.spec.Structs = append(x.spec.Structs, r)
	} else {
		if x.cxx && n.ParentID != "" { // class Outer::Inner { … }
			inner, public := x.classes[n.PreviousID]
			if !public {
				return
			}
			x.scope, _ = CutLast(inner)
		}
		r.Name = x.qualify(n.Name)
		x.classes[n.ID] = r.Name
		kind := Record
		if r.Union {
			kind = Union
		}
		x.names[r.Name] = &Type{Kind: kind, Name: r.Name, CXX: true}
		if old := x.records[r.Name]; old != nil {
			r = old
		} else {
			x.records[r.Name] = r
			x.spec.Structs = append(x.spec.Structs, r)
		}
		if x.cxx { // in C a nested tag has file scope
			x.scope = r.Name
		}
	}
	if !n.Complete {
		return
	}
	r.Opaque, r.Position = false, position(n)
	for _, b := range n.Bases {
		if b.Access == "public" {
			r.Bases = append(r.Bases, b.Type.Canonical())
		}
	}
	public := n.TagUsed != "class"
	for _, in := range n.Inner {
		switch {
		case in.Kind == "AccessSpecDecl":
			public = in.Access == "public"
		case public:
			x.member(in, r)
		}
	}
}

func (x *extractor) member(n *clangast.Node, r *Struct) {
	switch n.Kind {
	case "CXXMethodDecl":
		x.function(n, n, Method)
	case "CXXConstructorDecl":
		x.function(n, n, Constructor)
	case "FunctionTemplateDecl":
		kind := Method
		if _, last := CutLast(r.Name); n.Name == last {
			kind = Constructor
		}
		x.template(n, kind)
	case "FieldDecl":
		r.Fields = append(r.Fields, Field{Name: n.Name, Type: x.typeOf(n), BitField: n.IsBitfield, line: n.Loc.Line})
	default:
		x.named(n)
	}
}

// CutLast splits a qualified name of C++ before its last part.
func CutLast(qualified string) (scope, name string) {
	if i := strings.LastIndex(qualified, "::"); i >= 0 {
		return qualified[:i], qualified[i+2:]
	}
	return "", qualified
}

// constant takes a constant variable with a literal integer value.
func (x *extractor) constant(n *clangast.Node) {
	pos := position(n)
	if n.Init == "" || n.Name == "" || !strings.HasPrefix(n.Type.QualType, "const ") || !x.ours(pos.File) || isInternal(x.scope) {
		return
	}
	for _, in := range n.Inner {
		if v, ok := literal(in); ok {
			x.spec.Constants = append(x.spec.Constants, &Constant{Name: x.qualify(n.Name), Int: v, Position: pos})
			return
		}
	}
}

// literal evaluates an integer or truth literal, perhaps negative, converted or in
// parentheses.
func literal(n *clangast.Node) (int64, bool) {
	switch {
	case n.Kind == "IntegerLiteral":
		return integer(n)
	case n.Kind == "CXXBoolLiteralExpr":
		return map[string]int64{"true": 1}[string(n.Value)], true
	case len(n.Inner) != 1:
	case n.Kind == "UnaryOperator" && n.Opcode == "-":
		v, ok := literal(n.Inner[0])
		return -v, ok
	case n.Kind == "ImplicitCastExpr" || n.Kind == "ParenExpr" || n.Kind == "ConstantExpr":
		return literal(n.Inner[0])
	}
	return 0, false
}
