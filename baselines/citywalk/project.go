package citywalk

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// A project is the library's tree as it was found on disk.
type project struct {
	dir    string
	text   map[string]string   // by relative path: sources, documents and build files
	files  []string            // C and C++ sources and headers, sorted
	defs   map[string][]*chunk // by last part of the name, in the order of the files
	byFile map[string][]*chunk
}

var (
	sourceExts = []string{".c", ".cc", ".cpp", ".cxx"}
	headerExts = []string{".h", ".hh", ".hpp", ".hxx", ".inl"}
)

func isSource(file string) bool { return slices.Contains(sourceExts, path.Ext(file)) }

func isHeader(file string) bool { return slices.Contains(headerExts, path.Ext(file)) }

// readProject reads the tree below dir.
func readProject(dir string) (*project, error) {
	p := &project{dir: dir, text: map[string]string{}, defs: map[string][]*chunk{}, byFile: map[string][]*chunk{}}
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		code := isSource(name) || isHeader(name)
		if err != nil || !d.Type().IsRegular() || !code && !isText(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		p.text[name] = strings.ToValidUTF8(string(text), "\uFFFD")
		if code {
			p.files = append(p.files, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(p.files)
	for _, f := range p.files {
		for _, c := range chunks(f, p.text[f]) {
			p.byFile[f] = append(p.byFile[f], &c)
			p.defs[c.Name] = append(p.defs[c.Name], &c)
		}
	}
	return p, nil
}

// isText reports whether a file is a document, or CMake's.
func isText(file string) bool {
	return slices.Contains([]string{".md", ".txt", ".rst"}, path.Ext(file)) || strings.HasPrefix(path.Base(file), "README")
}

// includeDirs are the directories of the tree that hold headers, as absolute paths: the recipe of
// the build is not for tools to see.
func (p *project) includeDirs() []string {
	dirs := []string{p.dir}
	for _, f := range p.files {
		if isHeader(f) {
			dirs = append(dirs, filepath.Join(p.dir, path.Dir(f)))
		}
	}
	slices.Sort(dirs[1:])
	return slices.Compact(dirs)
}

// resolve finds the file of the tree that an #include in file names: beside it, from the root, or
// the first whose path ends so. "" if there is none.
func (p *project) resolve(file, included string) string {
	for _, try := range []string{path.Join(path.Dir(file), included), path.Clean(included)} {
		if _, ok := p.text[try]; ok {
			return try
		}
	}
	for _, f := range p.files {
		if strings.HasSuffix(f, "/"+path.Clean(included)) {
			return f
		}
	}
	return ""
}

// A chunk is one definition in a source file: a function with its body, or a type.
type chunk struct {
	File   string   // relative to the library's tree
	Line   int      // 1-based, of its first line
	Name   string   // last part of the name
	Qual   string   // as written, with its scopes as far as the file tells them
	Params []string // parameters as written; nil of a type and of `(void)`
	Type   bool     // struct, union, enum or class
	Text   string   // the whole definition, without the comment above it
	Doc    string   // the comment directly above it
	start  int      // offset of Text in its file
}

// declaration is what stands before the body of a function.
func (c chunk) declaration() string {
	head, _, _ := strings.Cut(c.Text, "{")
	return strings.Join(strings.Fields(head), " ") + ";"
}

// chunks finds the definitions of functions and types in a source file. It reads tokens only, so
// that it works on files that cannot be compiled as they are; where it misses one, clang's AST is
// asked (focal.go).
func chunks(file, src string) []chunk {
	s := scanner{file: file, src: src, toks: lex(src), comments: commentsOf(src)}
	s.block(0, len(s.toks), nil)
	return s.found
}

type scanner struct {
	file, src string
	toks      []clex.Token // without comments
	comments  []clex.Token
	found     []chunk
}

// block reads the declarations of toks[i:end], which are in those scopes.
func (s *scanner) block(i, end int, scope []string) {
	start := i
	for ; i < end; i++ {
		switch s.toks[i].Text {
		case ";":
			if !s.oldStyle(start, i) {
				start = i + 1
			}
		case ":": // public:
			if i == start+1 && access[s.toks[start].Text] {
				start = i + 1
			}
		case "}":
			start = i + 1
		case "{":
			close := closing(s.toks[:end], i, "{", "}")
			if close < 0 {
				close = end - 1
			}
			start, i = s.braces(start, i, close, scope)
		}
	}
}

var access = clex.Set("public protected private")

// braces looks at the declaration toks[start:open] with the block that ends at close, and returns
// where the next declaration starts and the last token that was read.
func (s *scanner) braces(start, open, close int, scope []string) (next, last int) {
	head := s.toks[start:open]
	switch {
	case len(head) >= 2 && head[0].Text == "extern" && strings.HasPrefix(head[1].Text, `"C`):
		s.block(open+1, close, scope)
	case len(head) > 0 && (head[0].Text == "namespace" || len(head) > 1 && head[0].Text == "inline" && head[1].Text == "namespace"):
		inner := scope
		for _, t := range head {
			if t.Kind == clex.Word && t.Text != "namespace" && t.Text != "inline" {
				inner = append(inner[:len(inner):len(inner)], t.Text)
			}
		}
		s.block(open+1, close, inner)
	default:
		if name, params, ok := s.function(head); ok {
			s.add(start, close, scope, name, params, false)
			return close + 1, close
		}
		name, ok := typeName(head)
		if !ok && slices.ContainsFunc(head, func(t clex.Token) bool { return t.Text == "operator" }) {
			return close + 1, close // programs call it without naming it
		}
		if !ok {
			return start, close // an initialiser, or a part of a longer declaration
		}
		stop := s.semicolon(close)
		if name == nil && stop > close+1 && s.toks[stop-1].Kind == clex.Word {
			name = []string{s.toks[stop-1].Text} // typedef struct { … } NAME;
		}
		if name != nil {
			s.add(start, min(stop, len(s.toks)-1), scope, name, nil, true)
		}
		if head[0].Text != "enum" {
			s.block(open+1, close, append(scope[:len(scope):len(scope)], name...))
		}
		return stop + 1, stop
	}
	return close + 1, close
}

// closing returns the index of the bracket that closes the first one from i on; -1 if none does.
func closing(toks []clex.Token, i int, open, close string) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].Text {
		case open:
			depth++
		case close:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// semicolon returns the index of the next semicolon.
func (s *scanner) semicolon(i int) int {
	for ; i < len(s.toks); i++ {
		if s.toks[i].Text == ";" {
			return i
		}
	}
	return len(s.toks)
}

// oldStyle reports whether toks[start:i], which a semicolon ends, is the head of a function of
// 1978: f(a, b) int a; char *b; {…}
func (s *scanner) oldStyle(start, i int) bool {
	open := -1
	for k := start; k < i; k++ {
		switch t := s.toks[k].Text; {
		case t == "(" && open < 0:
			open = k
		case open >= 0 && t == ")":
			return k > open+1 && open > start+1 && k+1 < i && s.toks[k+1].Kind == clex.Word && s.toks[open-1].Kind == clex.Word &&
				s.toks[start].Text != "typedef" && s.toks[start].Text != "extern" && !specifier[s.toks[k+1].Text]
		case open >= 0 && t != "," && s.toks[k].Kind != clex.Word, t == "=":
			return false
		}
	}
	return false
}

var specifier = clex.Set("const noexcept override final __attribute__ volatile")

// function reads a head as that of a function: [type] name ( parameters ) …
func (s *scanner) function(head []clex.Token) (name, params []string, ok bool) {
	for i := 0; i < len(head); i++ {
		switch t := head[i].Text; {
		case t == "=" || t == "enum":
			return nil, nil, false
		case t != "(":
			continue
		}
		if i == 0 || head[i-1].Kind != clex.Word || notFunctions[head[i-1].Text] {
			return nil, nil, false
		}
		close := closing(head, i, "(", ")")
		if close < 0 {
			return nil, nil, false
		}
		if typeMacro(head[close+1:]) {
			i = close
			continue
		}
		for k := i - 1; k >= 0; k -= 2 { // a :: b :: c, also ~c
			part := head[k].Text
			if k > 0 && head[k-1].Text == "~" {
				part, k = "~"+part, k-1
			}
			name = append([]string{part}, name...)
			if k == 0 || head[k-1].Text != "::" || k < 2 || head[k-2].Kind != clex.Word {
				break
			}
		}
		if params := head[i+1 : close]; len(params) > 1 || len(params) == 1 && params[0].Text != "void" {
			return name, splitList(s.src, params, params[0].Start, params[len(params)-1].End, "([{<", ")]}>"), true
		}
		return name, nil, true
	}
	return nil, nil, false
}

// typeMacro reports whether what follows a pair of parentheses is the name of a function, so that
// the parentheses were those of a macro around its type: CJSON_PUBLIC(char *) cJSON_Print(…) {
func typeMacro(rest []clex.Token) bool {
	for i, t := range rest {
		switch {
		case t.Text == "(":
			return i > 0 && rest[i-1].Kind == clex.Word && !specifier[rest[i-1].Text] && !basicType[rest[i-1].Text]
		case t.Text != "*" && t.Text != "&" && t.Text != "::" && t.Kind != clex.Word:
			return false
		}
	}
	return false
}

var basicType = clex.Set("int char void long short unsigned signed float double")

// notFunctions are words that stand before parentheses and name no function.
var notFunctions = clex.Set("if for while switch return sizeof catch operator")

// splitList splits the text from..to, which those tokens make, at the commas that stand in no bracket.
func splitList(src string, toks []clex.Token, from, to int, open, close string) (parts []string) {
	depth := 0
	for _, t := range toks {
		switch {
		case t.Kind != clex.Punct:
		case strings.Contains(open, t.Text):
			depth++
		case strings.Contains(close, t.Text):
			depth--
		case t.Text == "," && depth == 0:
			parts = append(parts, strings.TrimSpace(src[from:t.Start]))
			from = t.End
		}
	}
	return append(parts, strings.TrimSpace(src[from:to]))
}

// typeName reads a head as that of a type; the name may be nil.
func typeName(head []clex.Token) (name []string, ok bool) {
	for i, t := range head {
		switch t.Text {
		case "struct", "union", "class", "enum":
			for k := i + 1; k < len(head) && head[k].Text != ":"; k++ {
				n := head[k].Text
				if head[k].Kind != clex.Word || n == "class" || n == "struct" || n == "final" {
					continue
				}
				name = []string{n} // class Outer::Inner
				for k+2 < len(head) && head[k+1].Text == "::" && head[k+2].Kind == clex.Word {
					k += 2
					name = append(name, head[k].Text)
				}
				return name, true
			}
			return nil, true
		case "(", "=":
			return nil, false
		}
	}
	return nil, false
}

func (s *scanner) add(start, last int, scope, name, params []string, isType bool) {
	from, to := s.toks[start].Start, s.toks[min(last, len(s.toks)-1)].End
	qual := slices.DeleteFunc(slices.Concat(scope, name), func(part string) bool { return part == "" })
	s.found = append(s.found, chunk{
		File: s.file, Line: 1 + strings.Count(s.src[:from], "\n"), Name: name[len(name)-1], Qual: strings.Join(qual, "::"),
		Params: params, Type: isType, Text: s.src[from:to], Doc: commentAbove(s.src, s.comments, from), start: from,
	})
}

// commentAbove returns the text of the comment that ends on the line before offset.
func commentAbove(src string, comments []clex.Token, offset int) string {
	i := sort.Search(len(comments), func(i int) bool { return comments[i].End > offset }) - 1
	if i < 0 {
		return ""
	}
	between := src[comments[i].End:offset]
	if strings.TrimSpace(between) != "" || strings.Count(between, "\n") > 1 {
		return ""
	}
	return commentText(src[comments[i].Start:comments[i].End])
}

var commentMarks = regexp.MustCompile(`(?m)^[ \t]*(/\*+!?|//+!?|\*+/|\*+)?[ \t]?|[ \t]*\*+/[ \t]*$|[ \t\r]+$`)

// commentText strips a comment of its marks.
func commentText(comment string) string {
	return strings.TrimSpace(commentMarks.ReplaceAllString(comment, ""))
}

// lex returns the tokens of C or C++ text without comments and preprocessor lines. Of the branches
// of an #if only the first counts, or the second of `#if 0`: their braces together would not match.
func lex(src string) []clex.Token {
	var toks []clex.Token
	var skipping []bool // by nesting of #if
	before := ""        // the token before, of a preprocessor line
	for t := range clex.Tokens(src) {
		if t.Kind == clex.Comment {
			continue
		}
		last := len(skipping) - 1
		switch {
		case before == "#" && strings.HasPrefix(t.Text, "if"):
			skipping = append(skipping, false)
		case last < 0:
		case before == "if" && t.Text == "0":
			skipping[last] = true
		case before == "#" && t.Text == "endif":
			skipping = skipping[:last]
		case before == "#" && t.Text == "else":
			skipping[last] = !skipping[last]
		case before == "#" && strings.HasPrefix(t.Text, "elif"):
			skipping[last] = true
		}
		switch {
		case t.Directive:
			before = t.Text
			continue
		case !slices.Contains(skipping, true):
			toks = append(toks, t)
		}
		before = ""
	}
	return toks
}

// commentsOf returns the comments of a text; lines of // comments below each other are one.
func commentsOf(src string) []clex.Token {
	var list []clex.Token
	line := -1 // of the // comment before
	for t := range clex.Tokens(src) {
		switch {
		case t.Kind != clex.Comment:
		case strings.HasPrefix(t.Text, "/*"):
			list = append(list, t)
		case t.First && t.Line == line+1:
			list[len(list)-1].End = t.End
			line = t.LastLine()
		default:
			list = append(list, t)
			line = t.LastLine()
		}
	}
	return list
}
