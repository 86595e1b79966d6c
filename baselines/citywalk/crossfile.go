package citywalk

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// includeDepth is how far quoted includes are followed (paper, cross-file data dependencies).
const includeDepth = 2

// Limits of what one prompt shows of other files. The paper has none, and no prompt of its
// projects was longer than 14,733 tokens; those of sqlite3 would be.
const (
	maxDependency   = 4000  // characters of one definition
	maxDependencies = 24000 // of all together
	maxFocal        = 24000 // of the focal function itself
	maxSignatures   = 80    // of the other functions of the class or file
)

// An include is one #include of a file.
type include struct {
	Text   string // as written between the brackets or quotes
	Quoted bool
	File   string // of the tree; "" for what is outside
}

// line is the include as it is written.
func (i include) line() string {
	if i.Quoted {
		return `#include "` + i.Text + `"`
	}
	return "#include <" + i.Text + ">"
}

// includes are those of a file, in order.
func (p *project) includes(file string) []include {
	var list []include
	for _, line := range clex.Includes(p.text[file]) {
		in := include{Text: line.Name, Quoted: line.Quoted}
		if in.Text == "" {
			continue
		}
		if in.Quoted || !standardHeader(in.Text) {
			in.File = p.resolve(file, in.Text)
		}
		if !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

// reach are the files that a file includes with quotes, directly or through one other.
func (p *project) reach(file string) []string {
	seen, layer := []string{file}, []string{file}
	for range includeDepth {
		var next []string
		for _, f := range layer {
			for _, in := range p.includes(f) {
				if in.Quoted && in.File != "" && !slices.Contains(seen, in.File) {
					seen, next = append(seen, in.File), append(next, in.File)
				}
			}
		}
		layer = next
	}
	return seen
}

// A dependency is a declaration or definition that the focal function needs.
type dependency struct{ File, Text string }

// dependencies are what the focal function uses of other places. First come the types of its signature
// and the macros in its text that the reached files define. Then come the definitions of the functions that it calls, or their
// declarations where the tree has no definition. A definition counts if a reached file or its
// source of the same name holds it, or declares it.
func (p *project) dependencies(f *focal) []dependency {
	reach := p.reach(f.File)
	var list []dependency
	size := 0
	add := func(file, text string) {
		text = llm.Shorten(text, maxDependency)
		d := dependency{file, text}
		if size+len(text) > maxDependencies || slices.Contains(list, d) {
			return
		}
		list, size = append(list, d), size+len(text)
	}
	for _, name := range signatureTypes(f.spec) {
		for _, c := range p.defs[lastPart(name)] {
			if c.Type && c.Qual != f.spec.Class && slices.Contains(reach, c.File) {
				add(c.File, c.Text)
				break
			}
		}
	}
	for _, d := range p.macros(f, reach) {
		add(d.File, d.Text)
	}
	for _, call := range f.calls {
		if file, text := p.called(f, call, reach); text != "" && (call.name != f.short || f.spec.Overloaded) {
			add(file, text)
		}
	}
	return list
}

var defineLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:[^\n\\]|\\\r?\n)*`)

// macros are the definitions in reached headers of the macros that the focal function names, one
// entry for each header.
func (p *project) macros(f *focal, reach []string) []dependency {
	named := map[string]bool{}
	_, body, _ := strings.Cut(f.Text, "{")
	for _, t := range lex(body) {
		named[t.Text] = true
	}
	var list []dependency
	for _, file := range reach {
		if !isHeader(file) {
			continue
		}
		var lines []string
		for _, m := range defineLine.FindAllStringSubmatch(p.text[file], -1) {
			if line := strings.TrimSpace(m[0]); named[m[1]] && !slices.Contains(lines, line) && len(line) < maxPassage {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			list = append(list, dependency{file, strings.Join(lines, "\n")})
		}
	}
	return list
}

// called is what the tree has of a called function: its definition in the focal file, else in a reached one, else
// anywhere if a reached file declares it; its declaration if there is no definition.
func (p *project) called(f *focal, call call, reach []string) (file, text string) {
	file, text = p.declared(call, reach)
	rank, declared := 0, text != ""
	for _, c := range p.defs[call.name] {
		better := 1
		switch {
		case c.Type || example.MatchString(c.File) || c.File == f.File && c.Line == f.Line || !p.mayBe(c, call):
			continue
		case c.File == f.File:
			better = 3
		case slices.Contains(reach, c.File):
			better = 2
		}
		if better > rank && (better > 1 || declared) {
			file, text, rank = c.File, c.Text, better
		}
	}
	return file, text
}

// mayBe reports whether a definition is of what a call means: a method of that class, or a function
// of no class.
func (p *project) mayBe(c *chunk, call call) bool {
	scope, _ := apispec.CutLast(c.Qual)
	class := lastPart(scope)
	inClass := slices.ContainsFunc(p.defs[class], func(c *chunk) bool { return c.Type })
	switch call.of {
	case aFunction:
		return !inClass
	case aMethod:
		return inClass && (call.class == "" || call.class == class)
	}
	return true
}

// declared finds the line in which one of the files declares a function, or the class a method.
func (p *project) declared(call call, files []string) (file, text string) {
	pattern := regexp.MustCompile(`(?m)^[ \t]*([A-Za-z_][\w \t*&:<>,()]*[ \t*&])` + regexp.QuoteMeta(call.name) + `\s*\([^;{}]*\)[^;{}=]*;`)
	find := func(in, all string, types []*chunk) bool {
		for _, m := range pattern.FindAllStringSubmatchIndex(all, -1) {
			member := slices.ContainsFunc(types, func(c *chunk) bool {
				return c.Type && c.start <= m[2] && m[2] < c.start+len(c.Text)
			})
			if !member && !statement[wordPattern.FindString(all[m[2]:m[3]])] {
				file, text = in, strings.TrimSpace(all[m[0]:m[1]])
				return true
			}
		}
		return false
	}
	if call.of == aMethod {
		for _, c := range p.defs[call.class] {
			if c.Type && find(c.File, c.Text, nil) {
				break
			}
		}
		return file, text
	}
	for _, f := range files {
		var types []*chunk // a function is no member of them
		if call.of == aFunction {
			types = p.byFile[f]
		}
		if isHeader(f) && strings.Contains(p.text[f], call.name) && find(f, p.text[f], types) {
			break
		}
	}
	return file, text
}

// statement are words that begin a statement, where a declaration begins with a type.
var statement = clex.Set("return if else while for switch case do goto throw delete new sizeof")

// signatureTypes are the names of the structs, classes and enumerations of a function's type.
func signatureTypes(f *apispec.Function) []string {
	var names []string
	for _, t := range f.NamedTypes() {
		for _, n := range []string{t.Name, t.Typedef} {
			if n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// namespaces are those that enclose a function of C++, outermost first.
func namespaces(f *apispec.Function, lang trial.Language) []string {
	if lang != trial.CXX {
		return nil
	}
	outer := f.Name
	if f.Class != "" {
		outer = f.Class
	}
	parts := strings.Split(outer, "::")
	parts = parts[:len(parts)-1]
	// Of a nested class the enclosing class is no namespace: by the usual convention its name
	// begins with a capital.
	for i, part := range parts {
		if part != "" && 'A' <= part[0] && part[0] <= 'Z' {
			return parts[:i]
		}
	}
	return parts
}

// standardHeader reports whether a header is one of the standard libraries of C or C++, or of POSIX.
func standardHeader(name string) bool {
	if dir, _, nested := strings.Cut(name, "/"); nested {
		return slices.Contains([]string{"sys", "netinet", "arpa", "net", "linux"}, dir)
	}
	return standardHeaders[strings.TrimSuffix(name, ".h")]
}

// standardHeaders are ISO C17's and C++17's (n2176 section 7, n4659 table 16), and POSIX's of
// common use, without .h.
var standardHeaders = clex.Set(`assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
	stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
	algorithm any array atomic bitset charconv chrono codecvt condition_variable deque exception execution filesystem
	forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator list map memory
	memory_resource mutex new numeric optional ostream queue random ratio regex scoped_allocator set shared_mutex sstream
	stack stdexcept streambuf string_view strstream system_error thread tuple type_traits typeindex typeinfo unordered_map
	unordered_set utility valarray variant vector cassert ccomplex cctype cerrno cfenv cfloat cinttypes climits clocale cmath
	csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
	dirent dlfcn fcntl getopt glob iconv langinfo malloc netdb poll pthread pwd regex sched semaphore strings termios unistd utime wordexp`)
