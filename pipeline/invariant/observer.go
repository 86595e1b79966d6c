package invariant

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// rules are what a program with assertions must keep from its seed. The prompt tells them to the model; the comparison
// (compare.go, addition.go) enforces them. Names of functions come from the lists that it uses.
var rules = []string{
	"Keep every statement as it is, in its order. Add only `assert(…);` statements, variables for them, and assignments and copies into these variables.",
	"You may keep the result of a call that the program throws away: `f(x);` becomes `int rc = f(x);`.",
	"Copies are made with " + listed(copies) + ", into a variable or array of your own, also at an offset (`memcpy(copy + 4, …)`), never through a pointer variable.",
	"Give every scalar variable a value, and a name that the program does not use. No `static` variable, and no other declaration.",
	"No loops, branches or functions.",
	"Assertions, and the values of your variables, change nothing: no assignment, no `++`. Of the standard library they may call " + listed(told) + ".",
	straightline.RuleOf(straightline.ConditionalCall).Text,
	"Nothing may depend on the value of an address (no pointer as a number), on memory that was not set, on time or chance.",
}

func listed(names string) string {
	list := strings.Fields(names)
	slices.Sort(list)
	return "`" + strings.Join(list, "`, `") + "`"
}

// observers returns the functions that assertions may call: those that, by their types, only
// look at their arguments, and getters of libraries whose handles are never const.
func observers(spec *apispec.Spec) []*apispec.Function {
	var list []*apispec.Function
	for _, f := range spec.Functions {
		if f.Class == "" && !f.Variadic && !f.Template && f.Result != nil && (observes(f) || gets(spec, f)) {
			list = append(list, f)
		}
	}
	return list
}

// observerNames returns the names by which programs call observers. In C++ a name counts if all
// functions of that last name are observers.
func observerNames(spec *apispec.Spec) map[string]bool {
	names := map[string]bool{}
	all := observers(spec)
	for _, f := range all {
		names[lastName(f.Name)] = true
	}
	for _, f := range spec.Functions {
		if f.Class == "" && !slices.Contains(all, f) {
			delete(names, lastName(f.Name))
		}
	}
	return names
}

// observes reports whether a function has a result and can write through none of its
// parameters. If it returns a pointer to write through, it must have one of that type to have
// found it in, or constructors would count as well.
func observes(f *apispec.Function) bool {
	found := f.Result.Kind != apispec.Pointer || f.Result.Elem.Const
	for _, p := range f.Params {
		switch t := p.Type; t.Kind {
		case apispec.Record, apispec.Union:
		case apispec.Pointer, apispec.Ref:
			if e := t.Elem; !e.Const || e.Kind == apispec.Pointer || e.Kind == apispec.Func {
				return false
			}
			found = found || t.Elem.Kind == apispec.Record && t.Elem.Name == f.Result.Elem.Name
		default:
			if !t.IsScalar() {
				return false
			}
		}
	}
	return found && f.Result.Kind != apispec.Void
}

// getterWords are those of a name that say that a function asks, and doerWords that it does more.
var (
	getterWords = clex.Set("get is has count size length width height type version changes errcode")
	doerWords   = clex.Set("set next read write new create dup copy alloc open")
)

// gets reports whether a function is a getter by its name and its types: it returns a number asked
// of one opaque handle, through which nothing that a program sees can be written.
func gets(spec *apispec.Spec, f *apispec.Function) bool {
	handles := 0
	for _, p := range f.Params {
		switch {
		case p.Type.IsScalar():
		case p.Type.Kind == apispec.Pointer && p.Type.Elem.Kind == apispec.Void && p.Type.Typedef != "":
			handles++
		case p.Type.Kind == apispec.Pointer && p.Type.Elem.Kind == apispec.Record:
			if s := spec.Struct(p.Type.Elem.Name); s != nil && len(s.Fields) > 0 {
				return false
			}
			handles++
		default:
			return false
		}
	}
	words := clex.NameWords(lastName(f.Name))
	among := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(word string) bool { return set[word] })
	}
	return among(getterWords) && !among(doerWords) && handles == 1 && f.Result.IsScalar()
}

func lastName(name string) string { return name[strings.LastIndex(name, ":")+1:] }
