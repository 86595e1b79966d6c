package invariant

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

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
		if p.Type.Kind == apispec.Pointer && opaque(spec, p.Type) {
			handles++
		} else if !p.Type.IsScalar() {
			return false
		}
	}
	asks := false
	for _, word := range clex.NameWords(lastName(f.Name)) {
		if doerWords[word] {
			return false
		}
		asks = asks || getterWords[word]
	}
	return asks && handles == 1 && f.Result.IsScalar()
}

// opaque reports whether a pointer is one to what a program cannot look into.
func opaque(spec *apispec.Spec, t *apispec.Type) bool {
	switch t.Elem.Kind {
	case apispec.Void:
		return t.Typedef != ""
	case apispec.Record:
		s := spec.Struct(t.Elem.Name)
		return s == nil || len(s.Fields) == 0
	}
	return false
}

func lastName(name string) string { return name[strings.LastIndex(name, ":")+1:] }
