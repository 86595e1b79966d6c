package straightline

import (
	"io"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clangast"
)

// A program is what is the test program's own in a syntax tree.
type program struct {
	own       func(file string) bool // of a file as clang names it
	decls     []*clangast.Node       // at file scope, in order
	functions []*clangast.Node       // with a body, in order of their definition
	byID      map[string]*clangast.Node
	previous  map[string]string // redeclared functions: id of the declaration before
}

// readProgram reads a tree and keeps what the program itself declares.
func readProgram(tree io.Reader, own func(string) bool) (*program, error) {
	p := &program{own: own, byID: map[string]*clangast.Node{}, previous: map[string]string{}}
	err := clangast.TopLevel(tree, func(n *clangast.Node) error {
		if !n.IsImplicit && (own(n.Loc.File) || own(n.Range.Begin.File)) {
			p.decls = append(p.decls, n)
			p.collect(n)
		}
		return nil
	})
	return p, err
}

// collect finds the functions in and below a declaration. Lambdas are part of the function
// that holds them.
func (p *program) collect(n *clangast.Node) {
	if isFunction(n) && !n.IsImplicit {
		if n.PreviousID != "" {
			p.previous[n.ID] = n.PreviousID
		}
		if n.Body() != nil {
			p.functions = append(p.functions, n)
			p.byID[n.ID] = n
			for id := n.PreviousID; id != ""; id = p.previous[id] {
				p.byID[id] = n // a call before the definition names the declaration
			}
		}
	}
	if n.Kind == "LambdaExpr" {
		return
	}
	for _, in := range n.Children() {
		if in != nil {
			p.collect(in)
		}
	}
}

func isFunction(n *clangast.Node) bool {
	switch n.Kind {
	case "FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl":
		return true
	}
	return false
}

// function returns the program's own function that a reference means, or nil.
func (p *program) function(id string) *clangast.Node { return p.byID[id] }

// tests returns the functions that the harness calls, by the rule of testrun.Entries: those
// whose names begin with test, else the only one that could be called.
func (p *program) tests() []*clangast.Node {
	var tests, others []*clangast.Node
	for _, n := range p.callable(p.decls) {
		if strings.HasPrefix(n.Name, "test") {
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
		case n.Kind == "LinkageSpecDecl":
			found = append(found, p.callable(n.Inner)...)
		case n.Kind == "FunctionDecl" && n.Body() != nil && n.StorageClass != "static" && n.Name != "main":
			switch strings.TrimSuffix(n.Type.QualType, " noexcept") {
			case "int (void)", "void (void)", "int ()", "void ()":
				found = append(found, n)
			}
		}
	}
	return found
}

// line returns where a node begins in the program: of a macro, where it is used.
func line(n *clangast.Node) int { return n.Range.Begin.Line }

// ofHeader reports whether a node as a whole is the text of a macro that the program does not
// define itself.
func (p *program) ofHeader(n *clangast.Node) bool {
	b, e := n.Range.Begin, n.Range.End
	return p.foreign(b) && p.foreign(e) && offset(b.ExpansionLoc) == offset(e.ExpansionLoc)
}

// foreign reports whether the text at l comes from a macro that the program does not define.
func (p *program) foreign(l clangast.Location) bool {
	return l.SpellingLoc != nil && l.ExpansionLoc != nil && !p.own(l.SpellingLoc.File)
}

func offset(l *clangast.Location) int {
	if l == nil || l.Offset == nil {
		return -1
	}
	return *l.Offset
}
