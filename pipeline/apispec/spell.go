package apispec

import (
	"fmt"
	"strings"
)

// String spells t in C with its typedef where it has one, e.g. "const Bytef *".
func (t *Type) String() string { return t.Declare("") }

// Declare spells a declaration of name with type t, e.g. "int (*f)(void *)".
func (t *Type) Declare(name string) string {
	isConst := ""
	if t.Const {
		isConst = "const "
	}
	join := func(base string) string {
		if name == "" {
			return isConst + base
		}
		return isConst + base + " " + name
	}
	if t.Typedef != "" {
		return join(t.Typedef)
	}
	switch t.Kind {
	case Pointer, Ref, MoveRef:
		inner := map[Kind]string{Pointer: "*", Ref: "&", MoveRef: "&&"}[t.Kind] + isConst + name
		if t.Elem.Typedef == "" && (t.Elem.Kind == Array || t.Elem.Kind == Func) {
			inner = "(" + inner + ")"
		}
		return t.Elem.Declare(strings.TrimRight(inner, " "))
	case Array:
		if t.Len < 0 {
			return t.Elem.Declare(name + "[]")
		}
		return t.Elem.Declare(fmt.Sprintf("%s[%d]", name, t.Len))
	case Func:
		qualifier := ""
		if t.Const {
			qualifier = " const"
		}
		return t.Elem.Declare(name + "(" + t.paramList() + ")" + qualifier)
	case EnumRef, Record, Union:
		if t.CXX {
			return join(t.Name)
		}
		return join(string(t.Kind) + " " + t.Name)
	}
	return join(t.Name)
}

func (t *Type) paramList() string {
	var out []string
	for _, p := range t.Params {
		out = append(out, p.String())
	}
	switch {
	case t.Variadic:
		out = append(out, "...")
	case len(out) == 0:
		return "void"
	}
	return strings.Join(out, ", ")
}

// Declaration spells the declaration of f under a name, as it is or without its class; of default
// arguments and a template's parameters only that there are some.
func (f *Function) Declaration(name string) string {
	var params []string
	for _, p := range f.Params {
		t := p.Type.Declare(p.Name)
		if p.ArrayLen > 0 && p.Type.Elem != nil {
			t = p.Type.Elem.Declare(fmt.Sprintf("%s[%d]", p.Name, p.ArrayLen))
		}
		if p.Pack {
			t = strings.Replace(t, "&&", "&&...", 1)
		}
		if p.Optional {
			t += " = …"
		}
		params = append(params, t)
	}
	if f.Variadic {
		params = append(params, "...")
	}
	list := strings.Join(params, ", ")
	if list == "" && f.Kind == Free && f.Class == "" {
		list = "void"
	}
	call := name + "(" + list + ")"
	if f.Const {
		call += " const"
	}
	line := call + ";"
	if f.Kind != Constructor {
		line = returning(f.Result, call) + ";"
	}
	if f.Kind == Static {
		line = "static " + line
	}
	if f.Template {
		line = "template <…> " + line
	}
	return line
}

// returning puts the type of a function's result before its call. Clang gives the whole type of
// a variadic template, of which only the result is wanted.
func returning(t *Type, call string) string {
	if result, _, whole := strings.Cut(t.Name, " ("); t.Kind == Unknown && whole {
		return result + " " + call
	}
	return t.Declare(call)
}
