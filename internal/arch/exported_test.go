package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
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
	root := filepath.Join("..", "..")
	names := map[string]map[string]*declared{} // by package and name
	used := map[[2]string]bool{}
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (d.Name() == "testdata" || d.Name() == "runs" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		files++
		pkg := filepath.ToSlash(rel)
		uses(f, used)
		if f.Name.Name != "main" && !strings.HasSuffix(name, "_test.go") {
			if names[pkg] == nil {
				names[pkg] = map[string]*declared{}
			}
			declares(f, names[pkg])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("found only %d Go files: the walk is broken", files)
	}
	for work := keysOf(used); len(work) > 0; {
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

func keysOf(m map[[2]string]bool) (keys [][2]string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
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
