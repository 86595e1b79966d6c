package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// maxObservables bounds the variables that a prompt lists.
const maxObservables = 60

// observables are the variables that an assertion at the end of the program's next chunk can read:
// results, what the library wrote through a pointer, and what callbacks kept in variables at file
// scope. Each is told with its type and the calls that it was handed to.
func (p *program) observables() []string {
	if p.base == nil {
		return nil
	}
	end := len(p.parts.head)
	for _, c := range p.parts.chunks[:min(len(p.done)+1, len(p.parts.chunks))] {
		end += len(c.raw)
	}
	o := &observed{writers: map[*cprog.Decl][]string{}}
	for _, n := range p.base.Tree {
		o.declaration(n, end)
	}
	var list []string
	for _, v := range o.variables[:min(len(o.variables), maxObservables)] {
		line := fmt.Sprintf("`%s`, %s", v.Name, v.Type.Spelling)
		if by := distinct(o.writers[v.Decl]); len(by) > 0 {
			line += ": written by " + strings.Join(by, ", ")
		}
		list = append(list, line)
	}
	return list
}

// An observed collects variables and what writes to them.
type observed struct {
	variables []*cprog.Node
	writers   map[*cprog.Decl][]string
}

// declaration looks at one of the file's; of a test, at what comes before end.
func (o *observed) declaration(n *cprog.Node, end int) {
	if n.Begin.File != cprog.Main {
		return
	}
	o.variable(n)
	if n.Kind != "FunctionDecl" || n.Body() == nil {
		return
	}
	test := strings.HasPrefix(n.Name, "test")
	for _, statement := range n.Body().Inner {
		if test && int(statement.Begin.Offset) >= end {
			break
		}
		if test && statement.Kind == "DeclStmt" {
			for _, v := range statement.Inner {
				o.variable(v)
			}
		}
		for in := range statement.All() {
			switch {
			case in.Kind == "CallExpr" && in.Decl != nil && len(in.Inner) > 1:
				for _, arg := range in.Inner[1:] {
					if d := storage(arg, false); d != nil && writable(arg) {
						o.writers[d] = append(o.writers[d], in.Decl.Name)
					}
				}
			case !test && in.Kind == "BinaryOperator" && in.Op == "=" && in.Inner[0].Kind == "DeclRefExpr":
				o.writers[in.Inner[0].Decl] = append(o.writers[in.Inner[0].Decl], n.Name)
			}
		}
	}
}

// variable notes a variable that is no constant.
func (o *observed) variable(n *cprog.Node) {
	if n.Kind == "VarDecl" && n.Type != nil && n.Decl != nil && !strings.HasPrefix(n.Type.Spelling, "const ") {
		o.variables = append(o.variables, n)
	}
}
