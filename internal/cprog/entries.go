package cprog

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
)

// Entries returns the functions of a program that the harness calls: main if it defines one, else
// Tests. With none it cannot be run.
func (p *Program) Entries() []*Function {
	if f := p.Main(); f != nil {
		return []*Function{f}
	}
	return p.Tests()
}

// Main returns the program's main, or nil.
func (p *Program) Main() *Function {
	if list := p.with(isMain); len(list) > 0 {
		return list[0]
	}
	return nil
}

// with returns the functions that have a flag.
func (p *Program) with(flag Flags) []*Function {
	return lists.Filter(p.Functions, func(f *Function) bool { return f.Node.Is(flag) })
}

// Tests returns the functions that are tests by their names, in the order of their definition.
// Of the functions `void NAME(void)` and `int NAME(void)` at file scope (extern "C" or not) that
// are not static, nor main, those whose name begins with "test". If there is none, the only such
// function of any name.
func (p *Program) Tests() []*Function {
	all := lists.Filter(p.with(callable), func(f *Function) bool { return !f.Node.Is(isMain) })
	tests := lists.Filter(all, func(f *Function) bool { return strings.HasPrefix(f.Decl.Name, "test") })
	if len(tests) == 0 && len(all) == 1 {
		return all
	}
	return tests
}

// PassedOver says of each function whose name begins with "test" and that neither is an entry nor is called by one, why it is
// none. A program with a main has none: it calls what it wants.
func (p *Program) PassedOver() (why []string) {
	if p.Main() != nil {
		return nil
	}
	reached := Reached(p.Entries())
	for _, f := range p.Functions {
		if reached[f] || !strings.HasPrefix(f.Decl.Name, "test") {
			continue
		}
		reason := "is static"
		switch {
		case strings.Contains(f.Decl.Qualified, "::"):
			reason = "stands in a namespace or class"
		case f.Decl.Params > 0:
			reason = "has parameters"
		case f.Decl.Type != nil && f.Decl.Type.Elem != nil && f.Decl.Type.Elem.Kind != Void && !f.ReturnsInt:
			reason = "returns " + f.Decl.Type.Elem.Spelling
		}
		why = append(why, fmt.Sprintf("%s is not called: it %s", f.Decl.Name, reason))
	}
	return why
}

// TestBodies returns the bodies of the program's GoogleTest tests, in the order of their
// definition; a framework's main calls them, by no call that the program makes.
func (p *Program) TestBodies() []*Function { return p.with(isTestBody) }

// Reached returns the functions that those functions reach by Calls, themselves included.
func Reached(from []*Function) map[*Function]bool {
	seen := map[*Function]bool{}
	var reach func(list []*Function)
	reach = func(list []*Function) {
		for _, f := range list {
			if !seen[f] {
				seen[f] = true
				reach(f.Calls)
			}
		}
	}
	reach(from)
	return seen
}
