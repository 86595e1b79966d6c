package citywalk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/code/clangast"
	"github.com/lisa-bench/lisa-bench/internal/code/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A focal is one function under test with what its own file says of it.
type focal struct {
	spec  *apispec.Function
	name  string // as in C++ qualified
	short string // last part of the name
	chunk
	calls            []call // what it calls, in order, each once
	fromText         bool   // the definition was read from the text, not from clang's tree
	minArgs, maxArgs int    // that a call can have; maxArgs -1: any number
}

// owner is what the function belongs to: its class, or in C the file that holds it.
func (f *focal) owner() string { return cmp.Or(f.spec.Class, path.Base(f.File)) }

// focals returns the library's public functions that the tree defines, in the order of the
// headers; missing are the names of those whose definition was not found.
func (p *project) focals(ctx context.Context, clang string, t trial.Target, spec *apispec.Spec) (found []*focal, missing []string, err error) {
	apis := spec.APIs(t.ExcludedAPIs)
	byFile := map[string][]*apispec.Function{}
	for _, api := range apis {
		for _, file := range p.candidates(api) {
			byFile[file] = append(byFile[file], api)
		}
	}
	seen := map[*apispec.Function]*focal{}
	// A function that several files define, for several platforms, is that of the file which
	// defines the most.
	files := slices.SortedStableFunc(slices.Values(p.files), func(a, b string) int { return len(byFile[b]) - len(byFile[a]) })
	for _, file := range files {
		var wanted []*apispec.Function
		for _, api := range byFile[file] {
			if seen[api] == nil {
				wanted = append(wanted, api)
			}
		}
		if len(wanted) == 0 {
			continue
		}
		if t.Language == trial.CXX { // the tree has the classes whole, with their inline methods
			wanted = slices.DeleteFunc(slices.Clone(apis), func(api *apispec.Function) bool { return seen[api] != nil })
		}
		if err := p.parse(ctx, clang, t, file, wanted, seen); err != nil {
			return nil, nil, err
		}
	}
	for _, api := range apis {
		f := seen[api]
		if f == nil {
			f = p.lexical(api, t)
		}
		if f == nil {
			missing = append(missing, api.Canonical())
			continue
		}
		f.spec, f.name = api, api.Name
		f.short = lastPart(api.Name)
		f.maxArgs = len(api.Params)
		for _, param := range api.Params {
			if !param.Optional && !param.Pack {
				f.minArgs++
			}
			if param.Pack {
				f.maxArgs = -1
			}
		}
		if api.Variadic {
			f.maxArgs = -1
		}
		found = append(found, f)
	}
	return found, missing, nil
}

func lastPart(name string) string {
	_, last := apispec.CutLast(name)
	return last
}

// candidates are the source files that may define a function: those where its definition can be
// read, or else those that name it.
func (p *project) candidates(api *apispec.Function) []string {
	name := lastPart(api.Name)
	var files []string
	inline := api.Template
	for _, c := range p.defs[name] {
		switch {
		case c.Type, !strings.HasSuffix("::"+api.Name, "::"+c.Qual):
		case isHeader(c.File):
			inline = true // lexical finds it
		case !slices.Contains(files, c.File):
			files = append(files, c.File)
		}
	}
	if files != nil || inline {
		return files
	}
	for _, f := range p.files {
		if isSource(f) && !example.MatchString(f) && strings.Contains(p.text[f], name) {
			files = append(files, f)
		}
	}
	return files[:min(len(files), 8)]
}

// maxDump bounds clang's tree of one file. Of a longer one its first half is read.
const maxDump = 1 << 30

// parse asks clang for the definitions of those functions in a file. The library's own flags are
// not known, so that a file may not compile; what clang made of it counts all the same.
func (p *project) parse(ctx context.Context, clang string, t trial.Target, file string, wanted []*apispec.Function, seen map[*apispec.Function]*focal) error {
	t.IncludeDirs = slices.Concat(p.includeDirs(), t.IncludeDirs)
	args := append(apispec.Command(clang, t), "-fsyntax-only", "-w", "-ferror-limit=0", "-Xclang", "-ast-dump=json")
	filter := commonName(wanted, t.Language)
	if filter != "" {
		args = append(args, "-Xclang", "-ast-dump-filter="+filter)
	}
	out, err := toolchain.Run(ctx, toolchain.Command{Args: append(args, filepath.Join(p.dir, file)), MaxOutput: maxDump})
	var failed *toolchain.CommandError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	dump := bytes.NewReader(out.Stdout)
	v := &visitor{project: p, file: file, wanted: wanted, seen: seen, cxx: t.Language == trial.CXX}
	if filter != "" {
		err = clangast.Each(dump, v.visit)
	} else {
		err = clangast.TopLevel(dump, v.visit)
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil // a tree that is cut off is one that clang could not make: the text is read instead
}

// commonName returns what the names of functions begin with, so that clang prints nothing else.
func commonName(wanted []*apispec.Function, lang trial.Language) string {
	common := wanted[0].Name
	for _, api := range wanted[1:] {
		n := 0
		for n < len(common) && n < len(api.Name) && common[n] == api.Name[n] {
			n++
		}
		common = common[:n]
	}
	if lang == trial.CXX { // namespaces and classes are printed whole
		common, _, _ = strings.Cut(common, "::")
	}
	return common
}

// A visitor looks for definitions in a tree.
type visitor struct {
	*project
	file   string
	wanted []*apispec.Function
	seen   map[*apispec.Function]*focal
	cxx    bool
}

func (v *visitor) visit(n *clangast.Node) {
	switch n.Kind {
	case "NamespaceDecl", "LinkageSpecDecl", "CXXRecordDecl":
		for _, in := range n.Inner {
			v.visit(in)
		}
	case "FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl":
		if f := v.definition(n); f != nil {
			for _, api := range v.wanted {
				if v.seen[api] == nil && v.is(n, api) {
					v.seen[api] = f
				}
			}
		}
	}
}

// is reports whether n defines that function.
func (v *visitor) is(n *clangast.Node, api *apispec.Function) bool {
	if v.cxx {
		return n.Mangled != "" && n.Mangled == api.Symbol
	}
	return n.Name == api.Name
}

// definition makes a focal of a definition whose text is in the tree.
func (v *visitor) definition(n *clangast.Node) *focal {
	body := n.Body()
	if body == nil {
		return nil
	}
	rel, err := filepath.Rel(v.dir, cmp.Or(n.Loc.File, filepath.Join(v.dir, v.file)))
	if err != nil {
		return nil
	}
	src, ok := v.text[filepath.ToSlash(rel)]
	if !ok {
		return nil // a header of the build
	}
	from, to := offset(n.Range.Begin), offset(n.Range.End)
	if from < 0 || to < from || to+1 > len(src) || src[to] != '}' {
		return nil
	}
	f := &focal{chunk: chunk{
		File: filepath.ToSlash(rel), Line: 1 + strings.Count(src[:from], "\n"), Name: n.Name, Qual: n.Name,
		Text: src[from : to+1], Doc: commentAbove(src, commentsOf(src), from), start: from,
	}}
	called(body, &f.calls)
	return f
}

// offset is where a location is in its file; -1 if clang does not say.
func offset(l clangast.Location) int {
	if l.ExpansionLoc != nil {
		return offset(*l.ExpansionLoc)
	}
	if l.Offset == nil {
		return -1
	}
	return *l.Offset
}

// A call is what a function calls, as far as the tree or the text says.
type call struct {
	name  string // last part
	of    callKind
	class string // of a method, last part of its name; "" if it is not known
}

type callKind int

const (
	aCall callKind = iota // seen in the text: anything of that name
	aFunction
	aMethod
)

// called adds the functions and methods that are called in a body.
func called(n *clangast.Node, list *[]call) {
	c := call{}
	switch {
	case n.Kind == "MemberExpr" && n.Type.QualType == "<bound member function type>":
		c = call{name: strings.TrimPrefix(strings.TrimPrefix(n.Name, "->"), "."), of: aMethod}
		if len(n.Inner) > 0 {
			c.class = className(n.Inner[0].Type.QualType)
		}
	case n.Referenced != nil && n.Referenced.Kind == "FunctionDecl":
		c = call{name: n.Referenced.Name, of: aFunction}
	case n.Referenced != nil && n.Referenced.Kind == "CXXMethodDecl":
		c = call{name: n.Referenced.Name, of: aMethod}
	}
	if plainName.MatchString(c.name) && !slices.Contains(*list, c) {
		*list = append(*list, c)
	}
	for _, in := range n.Children() {
		called(in, list)
	}
}

// plainName is the name of no operator, which has no call that a reader would look up.
var plainName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// className is the last part of the name of the class that a type means, without its arguments.
func className(typ string) string {
	typ, _, _ = strings.Cut(typ, "<")
	words := strings.FieldsFunc(typ, func(r rune) bool { return r == ' ' || r == '*' || r == '&' })
	words = slices.DeleteFunc(words, func(w string) bool { return w == "const" || w == "volatile" })
	if len(words) == 0 {
		return ""
	}
	return lastPart(words[len(words)-1])
}

// lexical finds a definition by its text: of a template or an inline function, or where clang had
// no tree.
func (p *project) lexical(api *apispec.Function, t trial.Target) *focal {
	var found *chunk
	for _, c := range p.defs[lastPart(api.Name)] {
		switch {
		case c.Type || len(c.Params) != len(api.Params):
		case t.Language == trial.CXX && !strings.HasSuffix("::"+api.Name, "::"+c.Qual):
		case api.Line == c.Line && path.Base(api.File) == path.Base(c.File): // the overload itself
			return asFocal(c)
		case found == nil:
			found = c
		}
	}
	if found == nil || t.Language == trial.CXX && api.Overloaded && isHeader(found.File) {
		return nil
	}
	return asFocal(found)
}

// asFocal reads the calls of a definition from its text.
func asFocal(c *chunk) *focal {
	f := &focal{chunk: *c, fromText: true}
	_, body, _ := strings.Cut(c.Text, "{")
	toks := lex(body)
	for i, t := range toks {
		if i+1 < len(toks) && toks[i+1].Text == "(" && t.Kind == clex.Word && !notFunctions[t.Text] && !slices.Contains(f.calls, call{name: t.Text}) {
			f.calls = append(f.calls, call{name: t.Text})
		}
	}
	return f
}
