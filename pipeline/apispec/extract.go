package apispec

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clangast"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A headerSource is what Extract reads.
type headerSource struct {
	AST    io.Reader      // output of clang -Xclang -ast-dump=json
	Lang   trial.Language // of the translation unit; "" is C
	Macros io.Reader      // output of clang -E -dD on the same input
	// Values returns the values of those macros of the same input that are integer constant expressions.
	Values  func(macros []string) (map[string]int64, error)
	Headers []string // public headers, as paths that clang prints: absolute if the -I is
}

// extract builds the Spec of the API that s.Headers declare. It is an error when they
// declare no function.
func extract(s headerSource) (*Spec, error) {
	x := &extractor{
		spec:      &Spec{},
		public:    map[string]bool{},
		texts:     map[string]string{},
		typedefs:  map[string]*Type{},
		records:   map[string]*Struct{},
		anonymous: map[string]func(string){},
		byName:    map[string]*Function{},
		cxx:       s.Lang == trial.CXX,
		names:     map[string]*Type{},
		classes:   map[string]string{},
	}
	for _, h := range s.Headers {
		h = filepath.Clean(h)
		text, err := os.ReadFile(h)
		if err != nil {
			return nil, fmt.Errorf("public header: %w", err)
		}
		x.public[h] = true
		x.dirs = append(x.dirs, filepath.Dir(h)+string(filepath.Separator))
		x.texts[h] = string(text)
	}
	if err := clangast.TopLevel(s.AST, x.visit); err != nil {
		return nil, fmt.Errorf("read AST: %w", err)
	}
	if len(x.spec.Functions) == 0 {
		return nil, fmt.Errorf("no function is declared in %s", strings.Join(s.Headers, ", "))
	}
	x.spec.Structs = slices.DeleteFunc(x.spec.Structs, func(r *Struct) bool { return r.Name == "" || !x.ours(r.File) })
	x.markOverloads()
	if err := x.readMacros(s); err != nil {
		return nil, fmt.Errorf("read macros: %w", err)
	}
	x.attachDocs()
	x.nameFromComments()
	x.describeMacros()
	return x.spec, nil
}

type extractor struct {
	spec      *Spec
	public    map[string]bool
	dirs      []string          // of the public headers, with a trailing separator
	texts     map[string]string // by public header
	typedefs  map[string]*Type
	records   map[string]*Struct
	anonymous map[string]func(typedef string) // names a struct or enum without a name, by AST id
	byName    map[string]*Function
	begins    []int // first line of spec.Functions[i]'s declaration
	ends      []int // and its last
	cxx       bool
	scope     string            // namespaces and classes of C++ that hold the present declaration
	classes   map[string]string // qualified names by AST id
	names     map[string]*Type  // classes, class templates and enums seen so far, by qualified name
}

// ours reports whether file belongs to the library: a public header, or one beside or
// below it that it includes.
func (x *extractor) ours(file string) bool {
	file = filepath.Clean(file)
	for _, dir := range x.dirs {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	return false
}

func position(n *clangast.Node) Position {
	return Position{File: filepath.Clean(n.Loc.File), Line: n.Loc.Line}
}

// add takes a function that n declares, or another declaration of one that has that key.
func (x *extractor) add(key string, f *Function, n *clangast.Node) {
	if old := x.byName[key]; old != nil {
		nameParams(old, f)
		return
	}
	x.byName[key] = f
	x.spec.Functions = append(x.spec.Functions, f)
	x.begins = append(x.begins, firstLine(n))
	x.ends = append(x.ends, lastLine(n))
}

// firstLine returns the line on which the declaration begins, as far as it is in the
// same file: a macro may have brought its first words.
func firstLine(n *clangast.Node) int {
	begin := n.Range.Begin
	if begin.File == n.Loc.File && begin.Line > 0 {
		return min(begin.Line, n.Loc.Line)
	}
	return n.Loc.Line
}

// lastLine returns the line on which the declaration ends. Its end may be the argument of
// a macro, which is written further down than where the macro's name is.
func lastLine(n *clangast.Node) int {
	end := n.Range.End
	last := max(n.Loc.Line, end.Line)
	if s := end.SpellingLoc; s != nil && s.File == n.Loc.File {
		last = max(last, s.Line)
	}
	return last
}

// nameParams takes from a redeclaration the names that the first declaration left out.
func nameParams(f, again *Function) {
	for i := range f.Params {
		if f.Params[i].Name == "" && i < len(again.Params) {
			f.Params[i].Name = again.Params[i].Name
		}
	}
}

// written is a declaration as its header has it; "" where a macro writes it.
func (x *extractor) written(n *clangast.Node) string {
	begin, end := n.Range.Begin, n.Range.End
	text := x.texts[filepath.Clean(begin.File)]
	if begin.Offset == nil || end.Offset == nil || *begin.Offset < 0 || *begin.Offset > *end.Offset {
		return ""
	}
	stop := *end.Offset + end.TokLen
	if stop > len(text) || stop < *begin.Offset {
		return ""
	}
	return text[*begin.Offset:stop]
}

// arrayLen reads N of a parameter `T name[N]`, because the AST only has the pointer that such a
// parameter decays to.
func arrayLen(written string) (size int64) {
	if i := strings.LastIndexByte(written, '['); i > 0 && strings.HasSuffix(written, "]") {
		if _, err := fmt.Sscanf(written[i:], "[%d]", &size); err != nil || size < 0 {
			return 0
		}
	}
	return size
}

// enum takes an enumeration of that name whose constants' names begin with prefix.
func (x *extractor) enum(n *clangast.Node, name, prefix string) {
	e := &Enum{Name: name, Position: position(n)}
	next := int64(0)
	for _, in := range n.Inner {
		if in.Kind != "EnumConstantDecl" {
			continue
		}
		if v, ok := constantValue(in); ok {
			next = v
		}
		e.Constants = append(e.Constants, Enumerator{Name: prefix + in.Name, Value: next, line: in.Loc.Line})
		next++
	}
	if len(e.Constants) == 0 || !x.ours(e.File) {
		return
	}
	x.spec.Enums = append(x.spec.Enums, e)
	if n.Name == "" {
		x.anonymous[n.ID] = func(typedef string) { e.Name, e.Untagged = typedef, true }
	}
}

// typedef takes one of that name for t.
func (x *extractor) typedef(n *clangast.Node, name string, t *Type) {
	x.typedefs[name] = t
	if x.nameAnonymous(n, name) {
		x.typedefs[unnamedTag(t.Kind, name)] = t
	}
	if (t.Kind == Record || t.Kind == Union) && x.records[t.Name] != nil && x.records[t.Name].Typedef == "" {
		x.records[t.Name].Typedef = name
	}
	if pos := position(n); x.ours(pos.File) {
		x.spec.Typedefs = append(x.spec.Typedefs, &Typedef{Name: name, Type: t, Position: pos})
	}
}

// nameAnonymous gives the struct or enum of `typedef struct {…} T` the name T, and reports
// whether n is such a declaration.
func (x *extractor) nameAnonymous(n *clangast.Node, typedef string) (named bool) {
	for _, in := range n.Inner {
		if in.OwnedTagDecl == nil {
			continue
		}
		if name := x.anonymous[in.OwnedTagDecl.ID]; name != nil {
			name(typedef)
			delete(x.anonymous, in.OwnedTagDecl.ID)
			named = true
		}
	}
	return named
}

// constantValue returns the value of the first ConstantExpr below n.
func constantValue(n *clangast.Node) (int64, bool) {
	for _, in := range n.Inner {
		if in.Kind == "ConstantExpr" {
			if v, ok := integer(in); ok {
				return v, true
			}
		}
		if v, ok := constantValue(in); ok {
			return v, true
		}
	}
	return 0, false
}

// integer is a node's value, which clang writes as a text of decimal digits; of more than 63 bits, as they
// are with a sign.
func integer(n *clangast.Node) (int64, bool) {
	var text string
	if json.Unmarshal(n.Value, &text) != nil {
		return 0, false
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return int64(u), true
	}
	v, err := strconv.ParseInt(text, 10, 64)
	return v, err == nil
}
