package apispec

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clangast"
	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// visitCXX takes a C++ declaration at namespace scope.
func (x *extractor) visitCXX(n *clangast.Node) error {
	switch n.Kind {
	case "LinkageSpecDecl":
		return x.visitAll(n.Inner)
	case "NamespaceDecl":
		if n.Name == "" {
			return nil // its names have no linkage
		}
		outer := x.scope
		if !n.IsInline {
			x.scope = x.qualify(n.Name)
		}
		err := x.visitAll(n.Inner)
		x.scope = outer
		return err
	case "FunctionDecl":
		if n.ParentID == "" && n.StorageClass != "static" {
			x.cxxFunction(n, n, Free)
		}
	case "FunctionTemplateDecl":
		if n.ParentID == "" {
			x.template(n, Free)
		}
	default:
		x.cxxName(n)
	}
	return nil
}

func (x *extractor) visitAll(nodes []*clangast.Node) error {
	for _, in := range nodes {
		if in == nil {
			continue
		}
		if err := x.visitCXX(in); err != nil {
			return err
		}
	}
	return nil
}

// cxxName takes a declaration of a type or a constant, in a namespace or the public part of
// a class.
func (x *extractor) cxxName(n *clangast.Node) {
	switch n.Kind {
	case "CXXRecordDecl":
		x.class(n)
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
		x.enumNamed(n, name, prefix)
	case "TypedefDecl", "TypeAliasDecl":
		x.nameType(n, x.qualify(n.Name), x.cxxType(n.Type.QualType))
	case "VarDecl":
		x.cxxConstant(n)
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

// cxxType resolves a spelling in the present scope. What is beyond the type parser, such as
// a pointer to a member, is Unknown.
func (x *extractor) cxxType(spelling string) *Type {
	t, err := parseTypeIn(strings.TrimSuffix(spelling, "..."), x.cxxLookup)
	if err != nil {
		return &Type{Kind: Unknown, Name: spelling}
	}
	return t
}

// cxxLookup finds a name from the innermost scope outwards.
func (x *extractor) cxxLookup(name string) *Type {
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
		if in != nil && (in.Kind == "FunctionDecl" || in.Kind == "CXXMethodDecl" || in.Kind == "CXXConstructorDecl") {
			x.cxxFunction(in, n, kind)
			return
		}
	}
}

// cxxFunction takes a function; whole is the declaration with its template parameters.
func (x *extractor) cxxFunction(n, whole *clangast.Node, kind FunctionKind) {
	pos := position(n)
	if !x.public[pos.File] || n.IsImplicit || n.Deleted || n.Defaulted != "" || strings.HasPrefix(n.Name, "operator") && !clex.WordByte((n.Name + " ")[len("operator")]) || isInternal(x.scope) {
		return
	}
	f := &Function{
		Name: x.qualify(n.Name), Kind: kind, Variadic: n.Variadic, Template: whole != n,
		Spelling: n.Type.QualType, Symbol: n.Mangled, Position: pos,
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
	t := x.cxxType(n.Type.QualType)
	switch {
	case kind == Constructor:
		f.Result = x.cxxLookup(x.scope)
	case t.Kind == Func:
		f.Result, f.Const = t.Elem, t.Const
	default:
		f.Result = t
	}
	for _, in := range n.Inner {
		if in == nil || in.Kind != "ParmVarDecl" {
			continue
		}
		f.Params = append(f.Params, Param{
			Name: in.Name, Type: x.cxxType(in.Type.QualType), ArrayLen: x.writtenArrayLen(in),
			Optional: in.Init != "", Pack: in.IsPack,
		})
	}
	if kind == Constructor && copies(f) {
		return
	}
	key := f.Symbol
	if key == "" {
		key = f.Name + " " + f.Spelling
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

// class takes a class, struct or union, and what is public in it. Of other libraries' it
// only keeps the names, which types of ours may mention.
func (x *extractor) class(n *clangast.Node) {
	if n.IsImplicit {
		return
	}
	outer := x.scope
	defer func() { x.scope = outer }()
	r := &Struct{Union: n.TagUsed == "union", Opaque: true, Position: position(n)}
	if n.Name == "" {
		x.byID[n.ID] = &r.Name
		x.spec.Structs = append(x.spec.Structs, r)
	} else {
		if n.ParentID != "" { // class Outer::Inner { … }
			inner, public := x.classes[n.PreviousID]
			if !public {
				return
			}
			x.scope, _ = cutLast(inner)
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
		x.scope = r.Name
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
		case in == nil:
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
		x.cxxFunction(n, n, Method)
	case "CXXConstructorDecl":
		x.cxxFunction(n, n, Constructor)
	case "FunctionTemplateDecl":
		kind := Method
		if _, last := cutLast(r.Name); n.Name == last {
			kind = Constructor
		}
		x.template(n, kind)
	case "FieldDecl":
		r.Fields = append(r.Fields, Field{Name: n.Name, Type: x.cxxType(n.Type.QualType), BitField: n.IsBitfield, line: n.Loc.Line})
	default:
		x.cxxName(n)
	}
}

// cutLast splits a qualified name before its last part.
func cutLast(qualified string) (scope, name string) {
	if i := strings.LastIndex(qualified, "::"); i >= 0 {
		return qualified[:i], qualified[i+2:]
	}
	return "", qualified
}

// cxxConstant takes a constant variable with a literal integer value.
func (x *extractor) cxxConstant(n *clangast.Node) {
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
	if n == nil {
		return 0, false
	}
	switch n.Kind {
	case "IntegerLiteral":
		var text string
		if json.Unmarshal(n.Value, &text) != nil {
			return 0, false
		}
		v, err := strconv.ParseInt(text, 10, 64)
		return v, err == nil
	case "CXXBoolLiteralExpr":
		if string(n.Value) == "true" {
			return 1, true
		}
		return 0, true
	case "UnaryOperator":
		if n.Opcode == "-" && len(n.Inner) == 1 {
			v, ok := literal(n.Inner[0])
			return -v, ok
		}
	case "ImplicitCastExpr", "ParenExpr", "ConstantExpr":
		if len(n.Inner) == 1 {
			return literal(n.Inner[0])
		}
	}
	return 0, false
}
