package randoop

import (
	"math"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A role is what a parameter is for, as far as its type, name and neighbours tell.
type role int

const (
	roleScalar     role = iota // a number, a flag or an enumerator
	roleText                   // a NUL-terminated string
	roleBytes                  // memory, usually with a length beside it
	roleLength                 // the length of a roleBytes or roleArray
	roleLengthPtr              // pointer to such a length, usually in and out
	roleArray                  // numbers or strings, usually with a length beside it
	roleOutScalar              // pointer to a number that the call may set
	roleOutPointer             // pointer to a pointer that the call may set
	roleObject                 // pointer to an object of the library
	roleValue                  // a struct by value
	roleCallback               // a function
	roleAny                    // pointer to anything
)

// A param is a parameter with its role.
type param struct {
	name   string
	words  []string
	typ    *apispec.Type
	role   role
	object string // key of the object that it is, or points to a pointer to
	pair   int    // roleLength(Ptr): index of its buffer; a buffer: of its length; else -1
	second int    // a buffer: index of a second length, which multiplies the first; else -1
	in     bool   // the call reads what it points to
	out    bool   // the call may write it
	size   int64  // of a parameter written as an array
}

// A callable is a function, or a macro that calls one, with what its name says of it.
type callable struct {
	name     string
	doc      string
	words    []string
	result   *apispec.Type
	params   []param
	creates  string // key of the object that it returns
	fresh    bool   // what it returns is the caller's to destroy
	init     bool   // makes a struct of the caller usable
	destroys bool   // ends the life of its object
	finishes bool   // undoes init: a struct of the caller must be initialised again
	copies   bool   // makes its first struct a copy of its second
	owns     bool   // its first object takes over the others
	removes  bool   // may end the life of what its first object holds
	variadic bool
	weight   float64 // of being chosen, before any feedback
}

// An api is everything that can be called.
type api struct {
	spec      *apispec.Spec
	callables []*callable
	creators  map[string][]*callable // by object key, in the order of declaration
	feeds     map[string][]feedPair  // by struct name
}

// newAPI classifies the functions of spec that tests can call.
func newAPI(spec *apispec.Spec, excluded []string) *api {
	a := &api{spec: spec, creators: map[string][]*callable{}, feeds: map[string][]feedPair{}}
	skip := map[string]bool{}
	for _, name := range excluded {
		skip[name] = true
	}
	handles := handleTypes(spec)
	byName := map[string]*callable{}
	for _, f := range spec.Functions {
		c := newCallable(f, handles)
		if c == nil {
			continue
		}
		byName[c.name] = c
		if !skip[c.name] {
			a.callables = append(a.callables, c)
		}
	}
	for _, m := range spec.Macros {
		if c := macroCallable(m, byName); c != nil && !skip[m.Name] && byName[m.Name] == nil {
			byName[m.Name] = c
			a.callables = append(a.callables, c)
		}
	}
	a.addStreams()
	a.checkInitialisers()
	a.weighDocs()
	for _, c := range a.callables {
		if c.creates != "" {
			a.creators[c.creates] = append(a.creators[c.creates], c)
		}
		for _, p := range c.params {
			if p.role == roleOutPointer && p.object != "" && !c.destroys {
				a.creators[p.object] = append(a.creators[p.object], c)
			}
		}
	}
	for _, s := range spec.Structs {
		a.feeds[s.Name] = feedPairs(s)
	}
	return a
}

// fileKey is the object key of libc's FILE.
const fileKey = "_IO_FILE"

// addStreams adds what libc has to make and end a FILE, if the library takes any.
func (a *api) addStreams() {
	for _, c := range a.callables {
		for _, p := range c.params {
			if p.role != roleObject || p.object != fileKey {
				continue
			}
			void := &apispec.Type{Kind: apispec.Void, Name: "void"}
			number := &apispec.Type{Kind: apispec.Int, Name: "int", Bits: 32, Signed: true}
			a.callables = append(a.callables,
				&callable{name: "tmpfile", words: []string{"tmpfile"}, result: p.typ, creates: fileKey, fresh: true, weight: 0.1},
				&callable{name: "rewind", words: []string{"rewind"}, result: void, params: []param{p}, weight: 0.5},
				&callable{name: "fclose", words: []string{"fclose"}, result: number, params: []param{p}, destroys: true, weight: 0.1})
			return
		}
	}
}

// checkInitialisers drops init from functions whose struct no other function takes: such a
// struct is only the function's input.
func (a *api) checkInitialisers() {
	users := map[string]int{}
	for _, c := range a.callables {
		if !c.init {
			users[objectOf(c)]++
		}
	}
	for _, c := range a.callables {
		c.init = c.init && users[objectOf(c)] > 0
	}
}

// weighDocs favours functions with long comments: what needs explaining does more.
func (a *api) weighDocs() {
	total := 0
	for _, c := range a.callables {
		total += len(c.doc)
	}
	mean := float64(total)/float64(max(len(a.callables), 1)) + 100
	for _, c := range a.callables {
		c.weight *= min(max(math.Sqrt((float64(len(c.doc))+100)/mean), 0.6), 2.5)
	}
}

// handleTypes returns the typedefs of void * that some function returns: handles.
func handleTypes(spec *apispec.Spec) map[string]bool {
	handles := map[string]bool{}
	for _, f := range spec.Functions {
		if t := f.Result; t.Kind == apispec.Pointer && t.Elem.Kind == apispec.Void && t.Typedef != "" {
			handles[t.Typedef] = true
		}
	}
	return handles
}

// objectKey names the kind of object that t points to, or returns "".
func objectKey(t *apispec.Type, handles map[string]bool) string {
	if t.Kind != apispec.Pointer {
		return ""
	}
	switch e := t.Elem; {
	case e.Kind == apispec.Record || e.Kind == apispec.Union:
		return e.Name
	case e.Kind == apispec.Void && handles[t.Typedef]:
		return t.Typedef
	}
	return ""
}

// newCallable returns nil for a function that a straight-line test cannot call.
func newCallable(f *apispec.Function, handles map[string]bool) *callable {
	c := &callable{name: f.Name, doc: f.Doc, words: splitWords(f.Name), result: f.Result,
		variadic: f.Variadic, weight: 1}
	objects := 0
	for _, fp := range f.Params {
		p := param{name: fp.Name, words: splitWords(fp.Name), typ: fp.Type, pair: -1, second: -1, size: fp.ArrayLen}
		if !p.assignRole(handles) {
			return nil
		}
		if p.role == roleObject {
			objects++
		}
		c.params = append(c.params, p)
	}
	if f.Result.Kind == apispec.Unknown || f.Result.Kind == apispec.Int && f.Result.Bits > 64 {
		return nil
	}
	c.pairLengths()
	c.creates = objectKey(f.Result, handles)
	c.fresh = c.creates != "" && !f.Result.Elem.Const && !borrowWords.has(c.words) && (objects == 0 || freshWords.ends(c.words))
	c.init = objects > 0 && initWords.ends(c.words) && c.creates == ""
	c.destroys = objects == 1 && len(c.params) == 1 && destroyWords.ends(c.words) ||
		len(c.params) == 1 && c.params[0].role == roleAny && destroyWords.ends(c.words) ||
		len(c.params) > 0 && c.params[0].role == roleOutPointer && destroyWords.ends(c.words)
	c.finishes = objects == 1 && len(c.params) == 1 && endWords.ends(c.words)
	c.copies = objects == 2 && copyWords.ends(c.words) && c.creates == "" && outputWords.has(c.params[0].words)
	c.owns = objects > 1 && ownWords.has(c.words) && !borrowWords.has(c.words)
	c.removes = objects > 0 && removeWords.has(c.words)
	return c
}

// assignRole judges a parameter by itself; pairLengths then looks at its neighbours.
func (p *param) assignRole(handles map[string]bool) bool {
	t := p.typ
	switch t.Kind {
	case apispec.Bool, apispec.Int, apispec.Float, apispec.EnumRef:
		p.role = roleScalar
		return t.Bits <= 64 || t.Kind == apispec.Float
	case apispec.Record:
		p.role, p.object = roleValue, t.Name
		return t.Typedef != "" || !strings.HasPrefix(t.Name, "(")
	case apispec.Pointer:
		return p.pointerRole(t.Elem, handles)
	}
	return false
}

func (p *param) pointerRole(e *apispec.Type, handles map[string]bool) bool {
	p.in, p.out = true, !e.Const
	p.object = objectKey(p.typ, handles)
	switch {
	case e.Kind == apispec.Func:
		p.role = roleCallback
	case p.object == "__va_list_tag" || strings.HasPrefix(p.object, "("):
		return false
	case p.object != "":
		p.role = roleObject
	case e.Kind == apispec.Void:
		p.role = roleAny
	case e.IsChar() && e.Name == "char" && e.Const:
		p.role = roleText
	case e.IsChar():
		p.role = roleBytes
	case e.IsScalar() && e.Const:
		p.role = roleArray
	case e.IsScalar():
		p.role = roleOutScalar
		if p.size > 0 {
			p.role = roleArray
		}
	case e.Kind == apispec.Pointer:
		p.role, p.object = roleOutPointer, objectKey(e, handles)
		if e.Const && e.Elem.IsChar() {
			p.role = roleArray // const char *const *: a list of strings
		}
	default:
		return false
	}
	return true
}

// pairLengths finds for each buffer the parameter that holds its length: the next one, the
// one before, or one named after it.
func (c *callable) pairLengths() {
	for i := range c.params {
		switch c.params[i].role {
		case roleBytes, roleAny, roleText, roleArray, roleOutScalar:
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
	buf, l := &c.params[i], &c.params[j]
	named := lengthWords.ends(l.words) && !notLength.has(l.words)
	switch {
	case l.pair >= 0:
		return false
	case l.role == roleScalar && l.typ.Kind == apispec.Int && l.typ.Bits >= 32:
		return named || j > i && l.typ.Typedef == "size_t" && !notLength.has(l.words)
	case l.role == roleOutScalar && l.typ.Elem.Kind == apispec.Int && l.typ.Elem.Bits >= 32:
		return named && j > i && buf.role != roleOutScalar
	}
	return false
}

func (c *callable) joinLength(i, j int) {
	buf, l := &c.params[i], &c.params[j]
	buf.pair, l.pair = j, i
	switch buf.role {
	case roleText, roleAny:
		buf.role = roleBytes
	case roleOutScalar:
		buf.role = roleArray
	}
	if l.role == roleScalar {
		l.role = roleLength
	} else {
		l.role = roleLengthPtr
	}
	if k := j + 1; j > i && k < len(c.params) && c.isLengthOf(i, k) && c.params[k].role == roleScalar {
		buf.second = k
		c.params[k].role, c.params[k].pair = roleLength, i
	}
}

// macroCallable turns `#define name(a, b) function((a), (b), more)` into a callable whose
// parameters have the function's types. A function with such a wrapper is called directly
// only now and then, for the wrapper knows what the extra arguments must be.
func macroCallable(m *apispec.Macro, byName map[string]*callable) *callable {
	name, args := splitCall(m.Body)
	target := byName[name]
	if m.Params == nil || target == nil || len(args) != len(target.params) {
		return nil
	}
	c := *target
	c.name, c.words, c.weight = m.Name, splitWords(m.Name), 1
	if m.Doc != "" {
		c.doc = m.Doc
	}
	c.params = make([]param, len(m.Params))
	position := make([]int, len(args)) // of the function's parameters in the macro's
	for i, arg := range args {
		position[i] = -1
		for k, mp := range m.Params {
			if strings.Trim(arg, "() ") == mp {
				position[i] = k
				c.params[k] = target.params[i]
				c.params[k].pair, c.params[k].second = target.params[i].pair, target.params[i].second
			}
		}
	}
	for k := range c.params {
		p := &c.params[k]
		if p.typ == nil {
			return nil
		}
		if p.pair >= 0 {
			p.pair = position[p.pair]
		}
		if p.second >= 0 {
			p.second = position[p.second]
		}
		if p.pair < 0 && (p.role == roleLength || p.role == roleLengthPtr) {
			return nil
		}
	}
	if len(c.params) < len(target.params) {
		target.weight = 0.1
	}
	return &c
}

// splitCall splits "f(a, (b))" into f and its arguments; name is "" for any other text.
func splitCall(body string) (name string, args []string) {
	open := strings.IndexByte(body, '(')
	if open <= 0 || !strings.HasSuffix(body, ")") {
		return "", nil
	}
	depth, start := 0, open+1
	for i := open; i < len(body); i++ {
		switch body[i] {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 && i != len(body)-1 {
				return "", nil
			}
		case ',':
			if depth == 1 {
				args = append(args, strings.TrimSpace(body[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(body[start : len(body)-1]); last != "" || len(args) > 0 {
		args = append(args, last)
	}
	return strings.TrimSpace(body[:open]), args
}

// A feedPair is a pointer and a length among a struct's fields through which a caller
// hands memory to the library, as next_in and avail_in.
type feedPair struct {
	pointer, length string
	out             bool // the library writes there
}

func feedPairs(s *apispec.Struct) []feedPair {
	var pairs []feedPair
	for i := 0; i+1 < len(s.Fields); i++ {
		p, l := s.Fields[i], s.Fields[i+1]
		isMemory := p.Type.Kind == apispec.Pointer && (p.Type.Elem.IsChar() || p.Type.Elem.Kind == apispec.Void)
		words := splitWords(l.Name)
		if !isMemory || l.Type.Kind != apispec.Int || l.Type.Bits < 32 || l.BitField || !lengthWords.has(words) {
			continue
		}
		pairs = append(pairs, feedPair{pointer: p.Name, length: l.Name,
			out: !p.Type.Elem.Const && !inputWords.has(splitWords(p.Name))})
	}
	return pairs
}
