package straightline

import (
	"cmp"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A resolver finds the library's function that a call means, by its linker name. For an instance of a template
// it uses the name of the template.
type resolver struct {
	spec      *apispec.Spec
	bySymbol  map[string]*apispec.Function
	templates map[string][]*apispec.Function
}

func newResolver(spec *apispec.Spec) *resolver {
	r := &resolver{spec: spec, bySymbol: map[string]*apispec.Function{}, templates: map[string][]*apispec.Function{}}
	for _, f := range spec.Functions {
		if f.Template {
			r.templates[f.Name] = append(r.templates[f.Name], f)
		} else {
			r.bySymbol[cmp.Or(f.Symbol, f.Name)] = f
		}
	}
	return r
}

// resolve returns the API that a call expression calls, or nil.
func (r *resolver) resolve(n *cprog.Node) *apispec.Function {
	switch n.Kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXConstructExpr", "CXXTemporaryObjectExpr":
		if n.Decl != nil && defined(n.Decl) == nil {
			return r.declared(n.Decl)
		}
	}
	return nil
}

// declared returns the API that a declaration is, or nil.
func (r *resolver) declared(d *cprog.Decl) *apispec.Function {
	if f := r.bySymbol[d.Mangled]; f != nil && d.Mangled != "" {
		return f
	}
	if !d.Instance {
		return nil
	}
	for _, f := range r.templates[d.Qualified] {
		if len(f.Params) == d.Params || len(f.Params) > 0 && f.Params[len(f.Params)-1].Pack {
			return f
		}
	}
	return nil
}
