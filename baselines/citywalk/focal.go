package citywalk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A focal is one function under test with what its own file says of it.
type focal struct {
	spec  *apispec.Function
	name  string // as in C++ qualified
	short string // last part of the name
	chunk
	calls   []call // what it calls, in order, each once
	minArgs int    // that a call must have
	anyArgs bool   // a call can have more than there are parameters
}

// owner is what the function belongs to: its class, or in C the file that holds it.
func (f *focal) owner() string { return cmp.Or(f.spec.Class, path.Base(f.File)) }

// focals returns the library's public functions that the tree defines, in the order of the
// headers; missing are the names of those whose definition was not found.
func (p *project) focals(ctx context.Context, clang *toolchain.Compiler, t trial.Target, spec *apispec.Spec) (found []*focal, missing []string, err error) {
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
		for _, param := range api.Params {
			f.anyArgs = f.anyArgs || param.Pack
			if !param.Optional && !param.Pack {
				f.minArgs++
			}
		}
		f.anyArgs = f.anyArgs || api.Variadic
		found = append(found, f)
	}
	return found, missing, nil
}

func lastPart(name string) string {
	_, last := apispec.CutLast(name)
	return last
}

// candidates are the source files that may define a function: those where its definition can be
// read, or else those that name it. One in a header is found by its text (lexical).
func (p *project) candidates(api *apispec.Function) []string {
	name := lastPart(api.Name)
	var files []string
	known := api.Template
	for _, c := range p.defs[name] {
		if !c.Type && strings.HasSuffix("::"+api.Name, "::"+c.Qual) {
			known = true
			if isSource(c.File) && !slices.Contains(files, c.File) {
				files = append(files, c.File)
			}
		}
	}
	for _, f := range p.files {
		if !known && isSource(f) && !example.MatchString(f) && strings.Contains(p.text[f], name) && len(files) < 8 {
			files = append(files, f)
		}
	}
	return files
}

// A definition is a function with a body, as our plugin of clang writes it (internal/plugin/native/headers.cc).
type definition struct {
	Name, Symbol, File string
	From, To           int // offsets of its first byte and its last
	Calls              []struct {
		Name, Class string
		Method      bool
	}
}

// parse asks the compiler for the definitions of those functions in a file. The library's own flags are
// not known, so that a file may not compile; what the compiler made of it counts all the same.
func (p *project) parse(ctx context.Context, clang *toolchain.Compiler, t trial.Target, file string, wanted []*apispec.Function, seen map[*apispec.Function]*focal) error {
	flags := apispec.Flags(t)
	flags.IncludeDirs = slices.Concat(p.includeDirs(), t.IncludeDirs)
	flags.Extra = append(flags.Extra, "-w")
	include := fmt.Sprintf("#include %q\n", filepath.Join(p.dir, file))
	out, err := clang.Headers(ctx, t.Language, flags, []string{p.dir}, include)
	var failed *toolchain.CommandError
	if err != nil && !errors.As(err, &failed) {
		return err
	}
	var found struct{ Definitions []definition }
	if json.Unmarshal(out, &found) != nil {
		return nil // the compiler crashed: the text is read instead
	}
	for _, d := range found.Definitions {
		f := p.focal(d)
		for _, api := range wanted {
			same := d.Symbol == api.Symbol && d.Symbol != ""
			if t.Language == trial.C {
				same = d.Name == api.Name
			}
			if f != nil && same && seen[api] == nil {
				seen[api] = f
			}
		}
	}
	return nil
}

// focal makes a focal of a definition whose text is in the tree.
func (p *project) focal(d definition) *focal {
	rel, err := filepath.Rel(p.dir, d.File)
	if err != nil {
		return nil
	}
	rel = filepath.ToSlash(rel)
	src, ok := p.text[rel]
	if !ok || d.To < d.From || d.To+1 > len(src) || src[d.To] != '}' {
		return nil
	}
	f := &focal{chunk: chunk{
		File: rel, Line: 1 + strings.Count(src[:d.From], "\n"), Name: d.Name, Qual: d.Name,
		Text: src[d.From : d.To+1], Doc: commentAbove(src, commentsOf(src), d.From), start: d.From,
	}}
	for _, named := range d.Calls {
		c := call{name: named.Name, of: aFunction, class: named.Class}
		if named.Method {
			c.of = aMethod
		}
		if !slices.Contains(f.calls, c) {
			f.calls = append(f.calls, c)
		}
	}
	return f
}

// A call is what a function calls, as far as the compiler or the text says.
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

// lexical finds a definition by its text: of a template or an inline function, or where the compiler
// found none.
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
	f := &focal{chunk: *c}
	_, body, _ := strings.Cut(c.Text, "{")
	toks := lex(body)
	for i, t := range toks {
		if i+1 < len(toks) && toks[i+1].Text == "(" && t.Kind == clex.Word && !notFunctions[t.Text] && !slices.Contains(f.calls, call{name: t.Text}) {
			f.calls = append(f.calls, call{name: t.Text})
		}
	}
	return f
}
