package straightline

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A resolver finds the library's function that a call means. The tree names a callee by its
// last name and its type as the header spells it; classes are those of the call's object.
type resolver struct {
	spec   *apispec.Spec
	byLast map[string][]*apispec.Function // by the last part of their names
	alias  map[string]string              // class that a typedef names
	text   string                         // the program's source, for qualifiers as written
}

func newResolver(spec *apispec.Spec) *resolver {
	r := &resolver{spec: spec, byLast: map[string][]*apispec.Function{}, alias: map[string]string{}}
	for _, f := range spec.Functions {
		name := lastName(f.Name)
		r.byLast[name] = append(r.byLast[name], f)
	}
	for _, t := range spec.Typedefs {
		if t.Type.Kind == apispec.Record && t.Type.CXX {
			r.alias[t.Name] = t.Type.Name
		}
	}
	return r
}

func lastName(qualified string) string {
	return qualified[strings.LastIndex(qualified, ":")+1:]
}

// declares reports whether the library itself has a function of that name and type.
func (r *resolver) declares(name, spelling string) bool {
	for _, f := range r.byLast[name] {
		if f.Class == "" && (f.Spelling == "" || f.Spelling == spelling) {
			return true
		}
	}
	return false
}

// resolve returns the API that a call expression calls, or nil.
func (r *resolver) resolve(n *clangast.Node, p *program) *apispec.Function {
	switch n.Kind {
	case "CXXConstructExpr", "CXXTemporaryObjectExpr":
		return r.constructor(n)
	case "CallExpr", "CXXMemberCallExpr":
	default:
		return nil
	}
	if len(n.Inner) == 0 {
		return nil
	}
	f, m := direct(n.Inner[0])
	switch {
	case f != nil && p.function(f.Referenced.ID) == nil:
		return r.function(f, p)
	case m != nil && p.function(m.ReferencedID) == nil:
		return r.method(m, n.Inner[1:])
	}
	return nil
}

// direct returns the name of a function or the member of a class that a callee expression
// is, through parentheses, casts, & and *. Both are nil for any other expression, such as a
// function pointer.
func direct(n *clangast.Node) (function, member *clangast.Node) {
	for n != nil {
		switch n.Kind {
		case "DeclRefExpr":
			if n.Referenced != nil && (n.Referenced.Kind == "FunctionDecl" || n.Referenced.Kind == "CXXMethodDecl") {
				return n, nil
			}
			return nil, nil
		case "MemberExpr":
			if n.Type.QualType == "<bound member function type>" {
				return nil, n
			}
			return nil, nil
		case "ParenExpr", "ImplicitCastExpr", "UnaryOperator":
			if n.Kind == "UnaryOperator" && n.Opcode != "&" && n.Opcode != "*" || len(n.Inner) != 1 {
				return nil, nil
			}
			n = n.Inner[0]
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// function resolves a free function or a static method. In C the name says everything.
func (r *resolver) function(ref *clangast.Node, p *program) *apispec.Function {
	var exact, templates []*apispec.Function
	for _, f := range r.byLast[ref.Referenced.Name] {
		switch {
		case f.Kind == apispec.Constructor || f.Kind == apispec.Method && !f.Template:
		case f.Template:
			templates = append(templates, f)
		case f.Spelling == "" || f.Spelling == ref.Referenced.Type.QualType:
			exact = append(exact, f)
		}
	}
	if len(exact) == 0 && ref.Found != nil && ref.Found.Kind == "FunctionTemplateDecl" {
		exact = templates
	}
	return r.written(exact, ref, p)
}

// written chooses among functions of one name and type by the qualifier in the source.
func (r *resolver) written(candidates []*apispec.Function, ref *clangast.Node, p *program) *apispec.Function {
	if len(candidates) < 2 {
		if len(candidates) == 0 {
			return nil
		}
		return candidates[0]
	}
	b, e := ref.Range.Begin, ref.Range.End
	if p.own(b.File) && b.Offset != nil && e.Offset != nil && *b.Offset >= 0 && *b.Offset <= *e.Offset && *e.Offset+e.TokLen <= len(r.text) {
		name := strings.TrimPrefix(r.text[*b.Offset:*e.Offset+e.TokLen], "::")
		for _, f := range candidates {
			if f.Name == name || strings.HasSuffix(f.Name, "::"+name) {
				return f
			}
		}
	}
	return candidates[0]
}

// className returns the class of an object, pointer or array type, with its namespaces as
// far as clang spells them.
func className(t clangast.QualType) string {
	name := t.Canonical()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimRight(name, " *&")
	for {
		word, rest, ok := strings.Cut(name, " ")
		if !ok || word != "const" && word != "volatile" && word != "class" && word != "struct" {
			return name
		}
		name = rest
	}
}

// inClass reports whether a function belongs to the class that clang spells that way, which
// may lack namespaces or be a typedef.
func (r *resolver) inClass(f *apispec.Function, class string) bool {
	if class == "" || f.Class == "" {
		return false
	}
	if f.Class == class || strings.HasSuffix(f.Class, "::"+class) {
		return true
	}
	for name, meant := range r.alias {
		if meant == f.Class && (name == class || strings.HasSuffix(name, "::"+class)) {
			return true
		}
	}
	return false
}

func (r *resolver) constructor(n *clangast.Node) *apispec.Function {
	if n.CtorType == nil {
		return nil
	}
	class := className(n.Type)
	bare, _, _ := strings.Cut(class, "<")
	for _, f := range r.byLast[lastName(bare)] {
		if f.Kind == apispec.Constructor && r.inClass(f, class) &&
			(f.Spelling == n.CtorType.QualType || f.Template && len(f.Params) == len(n.Inner)) {
			return f
		}
	}
	return nil
}

// method resolves a call on an object: of the overloads of its class, the one whose
// parameters fit best.
func (r *resolver) method(m *clangast.Node, args []*clangast.Node) *apispec.Function {
	if len(m.Inner) == 0 || m.Inner[0] == nil {
		return nil
	}
	object := m.Inner[0].Type
	var best *apispec.Function
	bestFit := -1
	for _, f := range r.byLast[strings.TrimPrefix(m.Name, "~")] {
		if f.Kind != apispec.Method && f.Kind != apispec.Static || !r.inClass(f, className(object)) {
			continue
		}
		if fit := fitness(f, args, strings.HasPrefix(object.Canonical(), "const ")); fit > bestFit {
			best, bestFit = f, fit
		}
	}
	return best
}

// fitness counts how well arguments, already converted to the parameters' types, match a
// function; -1 if their number does not.
func fitness(f *apispec.Function, args []*clangast.Node, isConst bool) int {
	fit := 0
	if f.Const == isConst {
		fit++
	}
	for i, p := range f.Params {
		if p.Pack {
			return fit
		}
		if i >= len(args) || args[i] == nil {
			return -1
		}
		t := args[i].Type
		resolved := *p.Type
		resolved.Typedef = ""
		for _, spelling := range []string{p.Type.String(), resolved.String()} {
			if loosely(spelling) == loosely(t.QualType) || loosely(spelling) == loosely(t.Canonical()) {
				fit += 2
				break
			}
		}
	}
	if len(args) > len(f.Params) && !f.Variadic {
		return -1
	}
	return fit
}

var qualifiers = strings.NewReplacer("const ", "", "&", "", " ", "")

// loosely spells a type without what differs between a parameter and its argument: const,
// references, and how much of the namespaces is written.
func loosely(spelling string) string {
	text := qualifiers.Replace(spelling)
	if strings.Contains(text, "<") {
		return text
	}
	return lastName(text)
}
