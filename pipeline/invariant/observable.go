package invariant

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
)

// maxObservables bounds the variables that a prompt lists.
const maxObservables = 60

// observables are the variables that an assertion at the end of the program's next chunk can read.
// They are results, what the library wrote through a pointer, and what callbacks kept in variables at file
// scope. Each is told with its type and the calls that it was handed to.
func (p *program) observables() []string {
	if p.base == nil {
		return nil
	}
	end := len(p.parts.head)
	for i := range p.done {
		end += len(p.parts.chunks[i].raw)
	}
	if p.active() {
		end += len(p.chunk().raw)
	}
	o := &observed{writers: map[*cprog.Decl][]string{}}
	for _, n := range p.base.decls {
		o.declaration(n, int32(end))
	}
	var list []string
	for _, v := range o.variables {
		line := fmt.Sprintf("`%s`, %s", v.Name, v.Type.Spelling)
		if by := distinct(o.writers[v.Decl]); len(by) > 0 {
			line += ": written by " + strings.Join(by, ", ")
		}
		if len(list) < maxObservables {
			list = append(list, line)
		}
	}
	return list
}

// An observed collects variables and what writes to them.
type observed struct {
	variables []*cprog.Node
	writers   map[*cprog.Decl][]string
}

// declaration looks at one of the file's; of functions, at what comes before end.
func (o *observed) declaration(n *cprog.Node, end int32) {
	switch {
	case n.Begin.File != cprog.Main:
	case n.Kind == "VarDecl":
		o.variable(n)
	case n.Kind == "FunctionDecl" && n.Body() != nil:
		test := strings.HasPrefix(n.Name, "test")
		for _, statement := range n.Body().Inner {
			if test && statement.Begin.Offset >= end {
				break
			}
			if test && statement.Kind == "DeclStmt" {
				for _, v := range statement.Inner {
					o.variable(v)
				}
			}
			for in := range statement.All() {
				o.written(in, n.Name)
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

// written notes what a call may write to, and what a function other than the test assigns.
func (o *observed) written(n *cprog.Node, within string) {
	switch {
	case n.Kind == "CallExpr" && n.Decl != nil && len(n.Inner) > 1:
		for _, arg := range n.Inner[1:] {
			if arg.Type == nil || readsOnly([]*cprog.Node{arg}) == "" {
				continue
			}
			if d := handed(arg); d != nil {
				o.writers[d] = append(o.writers[d], n.Decl.Name)
			}
		}
	case n.Kind == "BinaryOperator" && n.Op == "=" && !strings.HasPrefix(within, "test"):
		if root := n.Inner[0]; root.Kind == "DeclRefExpr" {
			o.writers[root.Decl] = append(o.writers[root.Decl], within)
		}
	}
}

// handed returns the variable whose own storage an argument points to, or nil.
func handed(n *cprog.Node) *cprog.Decl {
	address := false
	for {
		switch n.Kind {
		case "DeclRefExpr":
			if address {
				return n.Decl
			}
			return nil
		case "UnaryOperator":
			if n.Op != "&" {
				return nil
			}
			address = true
		case "ImplicitCastExpr":
			if n.Op == "LValueToRValue" {
				return nil
			}
			address = address || n.Op == "ArrayToPointerDecay"
		case "ParenExpr", "CStyleCastExpr", "ArraySubscriptExpr", "MemberExpr":
		default:
			return nil
		}
		if len(n.Inner) == 0 {
			return nil
		}
		n = n.Inner[0]
	}
}
