package invariant

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// observers returns the functions that assertions may call: those that, by their types, only
// look at their arguments.
func observers(spec *apispec.Spec) []*apispec.Function {
	var list []*apispec.Function
	for _, f := range spec.Functions {
		if f.Class == "" && observes(f) {
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
		if f.Class == "" && !observes(f) {
			delete(names, lastName(f.Name))
		}
	}
	return names
}

func lastName(name string) string { return name[strings.LastIndex(name, ":")+1:] }
