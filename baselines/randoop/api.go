package randoop

import (
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A role is what a parameter is for, as far as its type, name and neighbours tell.
type role int

const (
	roleNumber   role = iota // a number, a flag or an enumerator
	roleText                 // a NUL-terminated string
	roleBytes                // memory, usually with a length beside it
	roleList                 // numbers, usually with a length beside them
	roleLength               // the length of one of the last two, or a pointer to it
	roleSize                 // the size of the struct that an initialiser gets, as of zlib's deflateInit_
	roleCell                 // a pointer to a number or pointer that the call may set
	roleObject               // a pointer to an object of the library
	roleCallback             // a function
)

// A param is a parameter with its role.
type param struct {
	words     []string // of its name
	typ       *apispec.Type
	role      role
	object    string   // kind of the object that it is, or points to a pointer to; "" for none
	pair      int      // of memory or a list: index of its length, or -1
	out       bool     // the call may write what it points to
	size      int64    // of a parameter written as an array
	constants []string // of a number: those of the API that it may stand for
}

// A callable is a function with what its name says of it.
type callable struct {
	name     string
	result   *apispec.Type
	params   []param
	object   string // kind of its first object, "" for none
	creates  string // kind of the object that it returns, "" for none
	init     bool   // makes a struct of the caller usable
	destroys bool   // ends the life of its object
	owns     bool   // its first object takes over the others
	removes  bool   // may end the life of what its first object holds

	tried, shown float64 // calls that were run, and those that showed something new
}

// weight is how likely a callable is drawn: by the share of its calls that showed something new.
func (c *callable) weight() float64 { return (c.shown + 2) / (c.tried + 2) }

// An api is everything that can be called.
type api struct {
	spec      *apispec.Spec
	callables []*callable
	makers    map[string][]*callable // by kind of object: those that return one or make one usable
}

// newAPI classifies the functions of spec that tests can call.
func newAPI(spec *apispec.Spec, excluded []string) *api {
	a := &api{spec: spec, makers: map[string][]*callable{}}
	handles := map[string]bool{} // typedefs of void * that some function returns
	for _, f := range spec.Functions {
		if t := f.Result; t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Void && t.Typedef != "" {
			handles[t.Typedef] = true
		}
	}
	for _, f := range spec.Functions {
		if c := newCallable(spec, f, handles); c != nil && !slices.Contains(excluded, c.name) {
			a.callables = append(a.callables, c)
		}
	}
	for _, c := range a.callables {
		if c.creates != "" {
			a.makers[c.creates] = append(a.makers[c.creates], c)
		}
		for _, p := range c.params {
			if p.role == roleCell && p.object != "" && !c.destroys {
				a.makers[p.object] = append(a.makers[p.object], c)
			}
		}
	}
	returned := maps.Clone(a.makers)
	for _, c := range a.callables { // a struct of the caller is initialised only if no call returns one
		if c.init = c.init && len(returned[c.object]) == 0; c.init {
			a.makers[c.object] = append(a.makers[c.object], c)
		}
	}
	return a
}

// objectKind names the kind of object that t points to, or returns "".
func objectKind(t *apispec.Type, handles map[string]bool) string {
	switch {
	case t.Kind != apispec.Pointer:
	case t.Elem.Kind == apispec.Record || t.Elem.Kind == apispec.Union:
		return t.Elem.Name
	case t.Elem.Kind == apispec.Void && handles[t.Typedef]:
		return t.Typedef
	}
	return ""
}

// newCallable returns nil for a function that a straight-line test cannot call.
func newCallable(spec *apispec.Spec, f *apispec.Function, handles map[string]bool) *callable {
	unknown := f.Result.Kind == apispec.Unknown || f.Result.Kind == apispec.Int && f.Result.Bits > 64
	if f.Variadic || unknown {
		return nil
	}
	c := &callable{name: f.Name, result: f.Result, creates: objectKind(f.Result, handles)}
	objects := 0
	for _, fp := range f.Params {
		p := param{words: splitWords(fp.Name), typ: fp.Type, pair: -1, size: fp.ArrayLen}
		if !p.assignRole(handles) {
			return nil
		}
		if p.role == roleObject {
			if objects++; objects == 1 {
				c.object = p.object
			}
		}
		c.params = append(c.params, p)
	}
	words := splitWords(f.Name)
	c.init = c.creates == "" && spec.Struct(c.object) != nil && initWords.ends(words)
	c.destroys = len(c.params) > 0 && endWords.ends(words) && (len(c.params) == 1 || c.params[0].role == roleCell)
	c.owns = objects > 1 && ownWords.has(words)
	c.removes = objects > 0 && removeWords.has(words)
	def := spec.Struct(c.object)
	for i := range c.params {
		p := &c.params[i]
		p.constants = constantsFor(spec, p)
		if c.init && !def.Opaque && p.role == roleNumber && lengthWords.ends(p.words) {
			p.role = roleSize
		}
	}
	for i := range c.params {
		c.pairLength(i)
	}
	return c
}

// assignRole judges a parameter by itself; pairLength then looks at its neighbours.
func (p *param) assignRole(handles map[string]bool) bool {
	switch t := p.typ; t.Kind {
	case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef:
		p.role = roleNumber
		return t.Bits <= 64 || t.Kind == apispec.Float
	case apispec.Pointer:
		return p.pointerRole(t.Elem, handles)
	}
	return false
}

func (p *param) pointerRole(e *apispec.Type, handles map[string]bool) bool {
	p.out = !e.Const
	p.object = objectKind(p.typ, handles)
	switch {
	case e.Kind == apispec.Func:
		p.role = roleCallback
	case p.object == "__va_list_tag" || strings.HasPrefix(p.object, "("):
		return false
	case p.object != "":
		p.role = roleObject
	case e.Name == "char" && e.Const:
		p.role = roleText
	case e.IsChar() || e.Kind == apispec.Void:
		p.role = roleBytes
	case e.IsScalar() && (e.Const || p.size > 0):
		p.role = roleList
	case e.IsScalar() || e.Kind == apispec.Pointer:
		p.role, p.object = roleCell, objectKind(e, handles)
	default:
		return false
	}
	return true
}

// pairLength finds the length of memory or a list: the next parameter, or the one before.
func (c *callable) pairLength(i int) {
	p := &c.params[i]
	if p.role != roleBytes && p.role != roleText && p.role != roleList {
		return
	}
	for _, j := range []int{i + 1, i - 1} {
		if j < 0 || j >= len(c.params) {
			continue
		}
		l, number := &c.params[j], c.params[j].typ
		if l.role == roleCell && j > i {
			number = number.Elem
		}
		named := lengthWords.ends(l.words) || j > i && number.Typedef == "size_t"
		free := l.role == roleNumber || l.role == roleCell
		if !free || number.Kind != apispec.Int || number.Bits < 32 || !named || notLength.has(l.words) {
			continue
		}
		p.pair, l.role = j, roleLength
		if p.role == roleText {
			p.role = roleBytes
		}
		return
	}
}
