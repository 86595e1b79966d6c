package arch

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A declared is an exported name of a package and the names of the same package that a user of it meets.
type declared struct{ meets []string }

// TestExportedIsUsed finds names that are exported for nobody: no other package uses them, tests
// included, nor meets them in the declaration of a name that it uses. Constants of one block stay together.
func TestExportedIsUsed(t *testing.T) {
	names := map[string]map[string]*declared{} // by package and name
	used := map[[2]string]bool{}
	for _, f := range goFiles(t) {
		uses(f.syntax, used)
		if f.syntax.Name.Name != "main" && !f.test {
			if names[f.pkg] == nil {
				names[f.pkg] = map[string]*declared{}
			}
			declares(f.syntax, names[f.pkg])
		}
	}
	for work := slices.Collect(maps.Keys(used)); len(work) > 0; {
		u := work[0]
		work = work[1:]
		if d := names[u[0]][u[1]]; d != nil {
			for _, m := range d.meets {
				if next := [2]string{u[0], m}; !used[next] {
					used[next] = true
					work = append(work, next)
				}
			}
		}
	}
	for pkg, of := range names {
		for name := range of {
			if token.IsExported(name) && !used[[2]string{pkg, name}] {
				t.Errorf("%s.%s is used by no other package: lower-case it, or delete it", pkg, name)
			}
		}
	}
}

// uses notes which names of the module's packages a file selects.
func uses(f *ast.File, used map[[2]string]bool) {
	imports := map[string]string{} // package by its name in the file
	for _, imp := range f.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		own, ok := strings.CutPrefix(p, module)
		if !ok {
			continue
		}
		name := path.Base(own)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		imports[name] = own
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && imports[x.Name] != "" {
				used[[2]string{imports[x.Name], s.Sel.Name}] = true
			}
		}
		return true
	})
}

// declares adds a file's top-level names, exported or not: an exported one may be met through another.
func declares(f *ast.File, names map[string]*declared) {
	get := func(name string) *declared {
		if names[name] == nil {
			names[name] = &declared{}
		}
		return names[name]
	}
	meet := func(name string, in ...ast.Node) {
		d := get(name)
		for _, n := range in {
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					d.meets = append(d.meets, id.Name)
				}
				return true
			})
		}
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil { // its signature is its type's
				if !decl.Name.IsExported() {
					continue
				}
				ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok && name == decl.Name.Name {
						name = id.Name
					}
					return true
				})
			}
			meet(name, decl.Type)
		case *ast.GenDecl:
			var block []string
			for _, s := range decl.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					meet(s.Name.Name, s.Type)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						block = append(block, id.Name)
						get(id.Name)
						if s.Type != nil {
							meet(id.Name, s.Type)
							if t, ok := s.Type.(*ast.Ident); ok && decl.Tok == token.CONST { // an enumeration
								get(t.Name).meets = append(get(t.Name).meets, id.Name)
							}
						}
						for _, v := range s.Values {
							if decl.Tok == token.VAR {
								meet(id.Name, v)
							}
						}
					}
				}
			}
			if decl.Tok == token.CONST {
				for _, name := range block {
					d := get(name)
					d.meets = slices.Concat(d.meets, block)
				}
			}
		}
	}
}
