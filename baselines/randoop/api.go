package randoop

import (
	"regexp"
	"slices"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// What names of C functions and parameters say about the lives of objects and the lengths of buffers.
var (
	freshName = regexp.MustCompile(`(?i)create|new|open|parse|alloc|dup|copy|clone|make|load|build|init|detach|read|` +
		`generate|compile`)
	borrowName = regexp.MustCompile(`(?i)reference|borrow|alias|view`)
	ownName    = regexp.MustCompile(`(?i)add|insert|append|attach|push|put|replace|set|prepend`)
	removeName = regexp.MustCompile(`(?i)delete|remove|detach|replace|clear|reset|erase|pop`)
	lengthName = regexp.MustCompile(`(?i)(len|length|size|sz|count|cnt|num|bytes?|capacity|avail)$|^n$`)
)

// A role is what a parameter is for, as far as its type, name and neighbours tell.
type role int

const (
	roleNumber     role = iota // a number, a flag or an enumerator
	roleText                   // a NUL-terminated string
	roleBytes                  // memory, often with a length beside it
	roleList                   // numbers or strings, often with a length beside them
	roleLength                 // the length of a roleBytes or roleList, or a pointer to it
	roleOutPointer             // a pointer to a pointer that the call may set
	roleObject                 // a pointer to an object of the library
	roleCallback               // a function
)

// A param is a parameter with its role.
type param struct {
	name      string
	typ       *apispec.Type
	role      role
	object    string   // kind of the object that it is, or points to a pointer to; "" for none
	pair      int      // of a buffer: index of its length; of a length: of its buffer; else -1
	out       bool     // the call may write what it points to
	size      int64    // of a parameter written as an array
	constants []string // of the headers, that a roleNumber may stand for
}

// A callable is a function with what its name says of it.
type callable struct {
	name     string
	result   *apispec.Type
	params   []param
	receiver int    // index of its first object, or -1
	creates  string // kind of the object that it returns, "" for none
	fresh    bool   // what it returns is the caller's to end
	destroys bool   // ends the life of its first argument
	owns     bool   // its receiver takes over the other objects
	removes  bool   // may end the life of what its receiver holds
	reads    bool   // only reads its first argument, an object, and returns what it found

	tried, novel float64 // runs so far, and those that showed what was not seen before
}

// An api is everything that can be called.
type api struct {
	spec      *apispec.Spec
	callables []*callable
	made      map[string]bool // kinds of objects that calls return or set
}

// memory is the kind of pointers to bytes, which the caller may have to free.
const memory = "char *"

// newAPI classifies the functions of spec that tests can call.
func newAPI(spec *apispec.Spec, excluded []string) *api {
	a := &api{spec: spec, made: map[string]bool{memory: true}}
	handles := map[string]bool{} // typedefs of void * that some function returns
	for _, f := range spec.Functions {
		if t := f.Result; t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Void && t.Typedef != "" {
			handles[t.Typedef] = true
		}
	}
	for _, f := range spec.Functions {
		if slices.Contains(excluded, f.Name) {
			continue
		}
		if c := newCallable(f, handles); c != nil {
			a.callables = append(a.callables, c)
		}
	}
	for _, c := range a.callables {
		a.made[c.creates] = true
		for i := range c.params {
			switch p := &c.params[i]; p.role {
			case roleNumber:
				p.constants = constants(spec, p.name, p.typ)
			case roleOutPointer:
				a.made[p.object] = a.made[p.object] || !c.destroys
			}
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
func newCallable(f *apispec.Function, handles map[string]bool) *callable {
	if f.Variadic || f.Result.Kind == apispec.Unknown || f.Result.Kind == apispec.Int && f.Result.Bits > 64 {
		return nil
	}
	c := &callable{name: f.Name, result: f.Result, receiver: -1}
	objects := 0
	for i, fp := range f.Params {
		p := param{name: fp.Name, typ: fp.Type, pair: -1, size: fp.ArrayLen}
		if !p.assignRole(handles) {
			return nil
		}
		if p.role == roleObject {
			if objects++; objects == 1 {
				c.receiver = i
			}
		}
		c.params = append(c.params, p)
	}
	c.pairLengths()
	c.assignLives(f, objects, handles)
	return c
}

// assignLives guesses what the function does to the lives of objects.
func (c *callable) assignLives(f *apispec.Function, objects int, handles map[string]bool) {
	borrows := borrowName.MatchString(c.name)
	switch t := c.result; {
	case t.Kind != apispec.Pointer || t.Elem.Const:
		c.creates = objectKind(t, handles)
	case objectKind(t, handles) != "":
		c.creates = objectKind(t, handles)
		c.fresh = objects == 0 || freshName.MatchString(c.name) && !borrows
	case t.Elem.Kind == apispec.Void || t.Elem.Name == "char":
		c.creates, c.fresh = memory, true
	}
	c.owns = objects > 1 && ownName.MatchString(c.name) && !borrows
	c.removes = objects > 0 && removeName.MatchString(c.name)
	c.reads = c.receiver == 0 && !c.params[0].out && c.result.Kind != apispec.Void &&
		(c.creates == "" || c.creates == memory)
	if len(c.params) > 0 && (recorded.Function{Function: f}).Ends() {
		first := &c.params[0]
		if len(c.params) == 1 && first.role == roleBytes && first.typ.Elem.Kind == apispec.Void {
			first.role, first.object = roleObject, memory
		}
		c.destroys = len(c.params) == 1 && first.role == roleObject || first.role == roleOutPointer
	}
}

// assignRole judges a parameter by itself; pairLengths then looks at its neighbours. It is false for what a test
// cannot pass, such as a struct.
func (p *param) assignRole(handles map[string]bool) bool {
	t, e := p.typ, p.typ.Elem
	p.object, p.out = objectKind(t, handles), t.Kind == apispec.Pointer && !e.Const
	switch {
	case t.IsScalar():
		p.role = roleNumber
		return t.Bits <= 64 || t.Kind == apispec.Float
	case t.Kind != apispec.Pointer:
		return false
	case e.Kind == apispec.Func:
		p.role = roleCallback
	case p.object != "":
		p.role = roleObject
	case e.Name == "char" && e.Const:
		p.role = roleText
	case e.IsChar() || e.Kind == apispec.Void:
		p.role = roleBytes
	case e.IsScalar(), e.Kind == apispec.Pointer && e.Const && e.Elem.IsChar(): // the last is a list of strings
		p.role = roleList
	case e.Kind == apispec.Pointer:
		p.role, p.object = roleOutPointer, objectKind(e, handles)
	default:
		return false
	}
	return true
}

// pairLengths finds for each buffer the parameter that holds its length: the next one, or the one before.
func (c *callable) pairLengths() {
	for i := range c.params {
		buf := &c.params[i]
		if buf.role != roleBytes && buf.role != roleText && buf.role != roleList {
			continue
		}
		for _, j := range []int{i + 1, i - 1} {
			if j < 0 || j >= len(c.params) || !c.params[j].isLength(j > i) {
				continue
			}
			l := &c.params[j]
			buf.pair, l.pair = j, i
			if buf.role == roleText {
				buf.role = roleBytes
			}
			l.role = roleLength
			break
		}
	}
}

// isLength reports whether p may be the length of the buffer beside it.
func (p *param) isLength(after bool) bool {
	t := p.typ
	if after && t.Kind == apispec.Pointer && !t.Elem.Const {
		t = t.Elem
	}
	named := lengthName.MatchString(p.name) || after && t.Typedef == "size_t"
	return p.pair < 0 && named && t.Kind == apispec.Int && t.Bits >= 32
}
