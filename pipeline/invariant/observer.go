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
		if f.Class == "" && (observes(f) || gets(spec, f)) {
			list = append(list, f)
		}
	}
	return list
}

// observes reports whether a function has a result and can write through none of its
// parameters. If it returns a pointer to write through, it must have one of that type to have
// found it in, or constructors would count as well.
func observes(f *apispec.Function) bool {
	if f.Variadic || f.Template || f.Result == nil || f.Result.Kind == apispec.Void {
		return false
	}
	found := f.Result.Kind != apispec.Pointer || f.Result.Elem.Const
	for _, p := range f.Params {
		switch p.Type.Kind {
		case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef, apispec.Record, apispec.Union:
		case apispec.Pointer, apispec.Ref:
			if e := p.Type.Elem; !e.Const || e.Kind == apispec.Pointer || e.Kind == apispec.Func {
				return false
			}
			found = found || p.Type.Elem.Kind == apispec.Record && p.Type.Elem.Name == f.Result.Elem.Name
		default:
			return false
		}
	}
	return found
}

// observerNames returns the names by which programs call observers. In C++ a name counts if all
// functions of that last name are observers.
func observerNames(spec *apispec.Spec) map[string]bool {
	names := map[string]bool{}
	for _, f := range observers(spec) {
		names[lastName(f.Name)] = true
	}
	for _, f := range spec.Functions {
		if f.Class == "" && !observes(f) && !gets(spec, f) {
			delete(names, lastName(f.Name))
		}
	}
	return names
}

// getterWords are those of a name that say that a function asks, and doerWords that it does more.
var getterWords, doerWords = clex.Set("get is has count size length width height type version changes errcode"), clex.Set("set next read write new create dup copy alloc open")

// gets reports whether a function is a getter by its name and its types. It returns a number asked of an opaque handle,
// through which nothing that a program sees can be written.
func gets(spec *apispec.Spec, f *apispec.Function) bool {
	if f.Variadic || f.Template || f.Result == nil {
		return false
	}
	switch f.Result.Kind {
	case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef:
	default:
		return false
	}
	handles := 0
	for _, p := range f.Params {
		switch p.Type.Kind {
		case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef:
		case apispec.Pointer:
			if !handle(spec, p.Type) {
				return false
			}
			handles++
		default:
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
	return asks && handles == 1
}

// handle reports whether a pointer is one to what a program cannot look into.
func handle(spec *apispec.Spec, t *apispec.Type) bool {
	switch t.Elem.Kind {
	case apispec.Void:
		return t.Typedef != ""
	case apispec.Record:
		return !slices.ContainsFunc(spec.Structs, func(s *apispec.Struct) bool { return s.Name == t.Elem.Name && len(s.Fields) > 0 })
	}
	return false
}

func lastName(name string) string { return name[strings.LastIndex(name, ":")+1:] }
