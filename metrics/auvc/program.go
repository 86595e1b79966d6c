package auvc

import (
	"io"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// A program is what a test program itself declares.
type program struct {
	own       func(file string) bool
	decls     []*clangast.Node
	functions map[string]*clangast.Node // with a body, by the id of each declaration
	records   map[string]*clangast.Node // by name
	enums     map[string]uint64         // enumerators by id
	types     typeTable
	previous  map[string]string
	cxx       bool
}

func readProgram(tree io.Reader, own func(string) bool, cxx bool) (*program, error) {
	p := &program{own: own, functions: map[string]*clangast.Node{}, records: map[string]*clangast.Node{},
		enums: map[string]uint64{}, types: typeTable{}, previous: map[string]string{}, cxx: cxx}
	err := clangast.TopLevel(tree, func(n *clangast.Node) error {
		if n.Kind == "TypedefDecl" || n.Kind == "EnumDecl" { // of headers too, where they are in the tree
			p.types.learn(n)
			p.enumerators(n)
		}
		if !n.IsImplicit && (own(n.Loc.File) || own(n.Range.Begin.File)) {
			p.decls = append(p.decls, n)
			p.types.learn(n)
			p.collect(n)
		}
		return nil
	})
	return p, err
}

func (p *program) collect(n *clangast.Node) {
	switch n.Kind {
	case "FunctionDecl", "CXXMethodDecl":
		if n.PreviousID != "" {
			p.previous[n.ID] = n.PreviousID
		}
		if n.Body() != nil && !n.IsImplicit {
			for id := n.ID; id != ""; id = p.previous[id] {
				p.functions[id] = n
			}
		}
	case "EnumDecl":
		p.enumerators(n)
	case "RecordDecl", "CXXRecordDecl":
		if n.Complete && n.Name != "" {
			p.records[n.Name] = n
		}
	}
	for _, in := range n.Children() {
		if in != nil {
			p.collect(in)
		}
	}
}

// enumerators learns the values of an enumeration's constants.
func (p *program) enumerators(n *clangast.Node) {
	if n.Kind != "EnumDecl" {
		return
	}
	next := uint64(0)
	for _, c := range n.Inner {
		if c == nil || c.Kind != "EnumConstantDecl" {
			continue
		}
		for _, in := range c.Inner {
			if v, ok := evaluated(in); ok {
				next = v
			}
		}
		p.enums[c.ID] = next
		next++
	}
}

// evaluated returns the value that clang computed for a constant expression.
func evaluated(n *clangast.Node) (uint64, bool) {
	for n != nil {
		if n.Kind == "ConstantExpr" || n.Kind == "IntegerLiteral" {
			if v, ok := integerText(string(n.Value)); ok {
				return v, true
			}
		}
		if len(n.Inner) != 1 {
			return 0, false
		}
		n = n.Inner[0]
	}
	return 0, false
}

// tests returns the functions that are executed as tests, by the rule of testrun.Entries: those
// whose names begin with test, else the only one that could be called. A program with a main,
// and GoogleTest's TestBody methods, are tests too.
func (p *program) tests() []*clangast.Node {
	var tests, others []*clangast.Node
	for _, n := range p.callable(p.decls) {
		if strings.HasPrefix(n.Name, "test") || n.Name == "main" || n.Kind == "CXXMethodDecl" {
			tests = append(tests, n)
		} else {
			others = append(others, n)
		}
	}
	if len(tests) == 0 && len(others) == 1 {
		return others
	}
	return tests
}

func (p *program) callable(decls []*clangast.Node) []*clangast.Node {
	var found []*clangast.Node
	for _, n := range decls {
		switch {
		case n == nil:
		case n.Kind == "LinkageSpecDecl" || n.Kind == "NamespaceDecl":
			found = append(found, p.callable(n.Inner)...)
		case n.Kind == "CXXMethodDecl" && n.Name == "TestBody" && n.Body() != nil:
			found = append(found, n)
		case n.Kind == "FunctionDecl" && n.Body() != nil && n.StorageClass != "static":
			switch strings.TrimSuffix(n.Type.QualType, " noexcept") {
			case "int (void)", "void (void)", "int ()", "void ()":
				found = append(found, n)
			default:
				if n.Name == "main" {
					found = append(found, n)
				}
			}
		}
	}
	return found
}

// fails reports whether a statement ends the test as failed: it aborts, exits or returns with
// a status other than 0, or calls a function of the program that does.
func (w *walker) fails(n *clangast.Node, depth int) bool {
	const most = 6 // functions and blocks inside one another
	if n == nil || depth > most {
		return false
	}
	switch n.Kind {
	case "CompoundStmt":
		for _, in := range n.Inner {
			if w.fails(in, depth+1) {
				return true
			}
		}
	case "ReturnStmt":
		if len(w.frames) != 1 || len(n.Inner) != 1 {
			return false
		}
		return constant(n.Inner[0]) && !allZero(n.Inner[0])
	case "CXXThrowExpr":
		return true
	case "ParenExpr", "ExprWithCleanups", "CStyleCastExpr", "ImplicitCastExpr", "StmtExpr", "CXXFunctionalCastExpr", "DoStmt":
		return len(n.Inner) > 0 && w.fails(n.Inner[0], depth+1)
	case "BinaryOperator":
		return n.Opcode == "," && len(n.Inner) == 2 && (w.fails(n.Inner[0], depth+1) || w.fails(n.Inner[1], depth+1))
	case "CallExpr":
		f := callee(n)
		if f == nil {
			return false
		}
		switch f.Name {
		case "__assert_fail", "__assert_rtn", "__assert", "__assert_perror_fail", "abort", "__builtin_abort", "__builtin_trap", "terminate":
			return true
		case "exit", "_exit", "_Exit", "quick_exit":
			return len(n.Inner) == 2 && !allZero(n.Inner[1])
		}
		if g := w.functions[f.ID]; g != nil {
			block := g.Body()
			for _, in := range block.Inner {
				if in != nil && in.Kind == "CallExpr" && w.fails(in, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// callee returns the function that a call names, or nil.
func callee(n *clangast.Node) *clangast.Reference {
	if len(n.Inner) == 0 {
		return nil
	}
	f := n.Inner[0]
	for f != nil && f.Kind != "DeclRefExpr" && len(f.Inner) == 1 {
		f = f.Inner[0]
	}
	if f == nil || f.Kind != "DeclRefExpr" || f.Referenced == nil {
		return nil
	}
	return f.Referenced
}
