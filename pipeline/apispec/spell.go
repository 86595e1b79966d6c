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
