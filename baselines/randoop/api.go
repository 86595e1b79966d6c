package randoop

import (
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A role is what a parameter is for, as far as its type, name and neighbours tell.
type role int

const (
	roleNumber     role = iota // a number, a flag or an enumerator
	roleText                   // a NUL-terminated string
	roleBytes                  // memory, usually with a length beside it
	roleLength                 // the length of a roleBytes or roleArray
	roleLengthPtr              // a pointer to such a length, usually in and out
	roleArray                  // numbers or strings, usually with a length beside it
	roleOutNumber              // a pointer to a number that the call may set
	roleOutPointer             // a pointer to a pointer that the call may set
	roleObject                 // a pointer to an object of the library
	roleStruct                 // a struct by value
	roleCallback               // a function
	roleAny                    // a pointer to anything
)

// A param is a parameter with its role.
type param struct {
	words   []string // of its name
	typ     *apispec.Type
	role    role
	object  string   // kind of the object that it is, or points to a pointer to; "" for none
	pair    int      // of a buffer: index of its length; of a length: of its buffer; else -1
	out     bool     // the call may write what it points to
	size    int64    // of a parameter written as an array
	choices []choice // values of a roleNumber
}

// A callable is a function with what its name says of it.
type callable struct {
	name     string
	result   *apispec.Type
	params   []param
	object   string // kind of its first object, "" for none
	creates  string // kind of the object that it returns, "" for none
	fresh    bool   // what it returns is the caller's to end
	init     bool   // makes a struct of the caller usable
	destroys bool   // ends the life of its object
	owns     bool   // its first object takes over the others
	removes  bool   // may end the life of what its first object holds
	observes bool   // only reads its object, and returns what it found
	variadic bool
	banned   bool // does not compile or link
}

// An api is everything that can be called.
type api struct {
	spec      *apispec.Spec
	callables []*callable
	makers    map[string][]*callable // by kind of object: those that return one or make one usable
	feeds     map[string][]feed      // by name of struct
}

// memory is the kind of pointers to bytes, which a library may want to free itself.
const memory = "char *"

// newAPI classifies the functions of spec that tests can call.
func newAPI(spec *apispec.Spec, excluded []string) *api {
	a := &api{spec: spec, makers: map[string][]*callable{}, feeds: map[string][]feed{}}
	handles := handleTypes(spec)
	for _, f := range spec.Functions {
		if c := newCallable(f, handles); c != nil && !slices.Contains(excluded, c.name) {
			a.callables = append(a.callables, c)
		}
	}
	for _, s := range spec.Structs {
		a.feeds[s.Name] = feedsOf(s)
	}
	for _, c := range a.callables {
		if c.creates != "" {
			a.makers[c.creates] = append(a.makers[c.creates], c)
		}
		for i := range c.params {
			p := &c.params[i]
			if p.role == roleNumber {
				p.choices = numbers(spec, p)
				if def := spec.Struct(c.object); def != nil && !def.Opaque && lengthWords.ends(p.words) {
					p.choices = append(p.choices, choice{"sizeof *(" + c.params[0].typ.String() + ")0", 20}) // as of zlib's deflateInit_
				}
			}
			if p.role == roleOutPointer && p.object != "" && !c.destroys {
				a.makers[p.object] = append(a.makers[p.object], c)
			}
		}
	}
	for _, c := range a.callables { // a struct of the caller is initialised only if no call returns one
		c.init = c.init && len(a.makers[c.object]) == 0
	}
	for _, c := range a.callables {
		if c.init {
			a.makers[c.object] = append(a.makers[c.object], c)
		}
	}
	return a
}

// handleTypes returns the typedefs of void * that some function returns: handles of objects.
func handleTypes(spec *apispec.Spec) map[string]bool {
	handles := map[string]bool{}
	for _, f := range spec.Functions {
		if t := f.Result; t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Void && t.Typedef != "" {
			handles[t.Typedef] = true
		}
	}
	return handles
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
	c := &callable{name: f.Name, result: f.Result, variadic: f.Variadic}
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
	if f.Result.Kind == apispec.Unknown || f.Result.Kind == apispec.Int && f.Result.Bits > 64 {
		return nil
	}
	c.pairLengths()
	words := splitWords(f.Name)
	c.creates = objectKind(f.Result, handles)
	borrows := borrowWords.has(words)
	c.fresh = c.creates != "" && !f.Result.Elem.Const && !borrows && (objects == 0 || freshWords.ends(words))
	copies := objects == 2 && copyWords.ends(words) && outputWords.has(c.params[0].words)
	c.init = c.creates == "" && (objects > 0 && initWords.ends(words) || copies)
	if len(c.params) > 0 && endWords.ends(words) {
		first := c.params[0].role
		c.destroys = len(c.params) == 1 && (first == roleObject || first == roleAny) || first == roleOutPointer
	}
	c.owns = objects > 1 && ownWords.has(words) && !borrows
	c.removes = objects > 0 && removeWords.has(words)
	c.observes = objects > 0 && c.params[0].role == roleObject && !c.params[0].out && !c.destroys &&
		c.creates == "" && f.Result.Kind != apispec.Void
	return c
}

// assignRole judges a parameter by itself; pairLengths then looks at its neighbours.
func (p *param) assignRole(handles map[string]bool) bool {
	switch t := p.typ; t.Kind {
	case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef:
		p.role = roleNumber
		return t.Bits <= 64 || t.Kind == apispec.Float
	case apispec.Record:
		p.role, p.object = roleStruct, t.Name
		return t.Typedef != "" || !strings.HasPrefix(t.Name, "(")
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
	case e.Kind == apispec.Void:
		p.role = roleAny
	case e.Name == "char" && e.Const:
		p.role = roleText
	case e.IsChar():
		p.role = roleBytes
	case e.IsScalar() && (e.Const || p.size > 0):
		p.role = roleArray
	case e.IsScalar():
		p.role = roleOutNumber
	case e.Kind == apispec.Pointer && e.Const && e.Elem.IsChar():
		p.role = roleArray // const char *const *: a list of strings
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
		switch c.params[i].role {
		case roleBytes, roleAny, roleText, roleArray, roleOutNumber:
		default:
			continue
		}
		for _, j := range []int{i + 1, i - 1} {
			if j >= 0 && j < len(c.params) && c.isLengthOf(i, j) {
				c.joinLength(i, j)
				break
			}
		}
	}
}

func (c *callable) isLengthOf(i, j int) bool {
	l := &c.params[j]
	other := notLength.has(l.words)
	named := lengthWords.ends(l.words) && !other
	switch {
	case l.pair >= 0:
		return false
	case l.role == roleNumber && l.typ.Kind == apispec.Int && l.typ.Bits >= 32:
		return named || j > i && l.typ.Typedef == "size_t" && !other
	case l.role == roleOutNumber && l.typ.Elem.Kind == apispec.Int && l.typ.Elem.Bits >= 32:
		return named && j > i && c.params[i].role != roleOutNumber
	}
	return false
}

func (c *callable) joinLength(i, j int) {
	buf, l := &c.params[i], &c.params[j]
	buf.pair, l.pair = j, i
	switch buf.role {
	case roleText, roleAny:
		buf.role = roleBytes
	case roleOutNumber:
		buf.role = roleArray
	}
	if l.role == roleNumber {
		l.role = roleLength
	} else {
		l.role = roleLengthPtr
	}
	if k := j + 1; j > i && k < len(c.params) && c.params[k].role == roleNumber && c.isLengthOf(i, k) {
		c.params[k].role, c.params[k].pair = roleLength, -1 // size × count, as of fread: the count is 1
	}
}

// A feed is a pointer and a length among a struct's fields through which a caller hands memory to the
// library, as next_in and avail_in of zlib's z_stream.
type feed struct {
	pointer, length string
	out             bool // the library writes there
}

func feedsOf(s *apispec.Struct) []feed {
	var feeds []feed
	for i := 0; i+1 < len(s.Fields); i++ {
		p, l := s.Fields[i], s.Fields[i+1]
		isMemory := p.Type.Kind == apispec.Pointer && (p.Type.Elem.IsChar() || p.Type.Elem.Kind == apispec.Void)
		if isMemory && l.Type.Kind == apispec.Int && l.Type.Bits >= 32 && !l.BitField && lengthWords.has(splitWords(l.Name)) {
			out := !p.Type.Elem.Const && !inputWords.has(splitWords(p.Name))
			feeds = append(feeds, feed{pointer: p.Name, length: l.Name, out: out})
		}
	}
	return feeds
}
