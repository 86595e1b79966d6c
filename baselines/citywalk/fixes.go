package citywalk

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// fixRounds is how often the rules are applied: one error may hide another.
const fixRounds = 3

// compileErrors is the second post-processing pass on one test file: rules for what clang says of
// it. The paper names wrong namespaces and includes of files that do not exist; beside these the
// rules add a standard header that is missing. The source comes back as it was if no rule fits.
func (w *workbook) compileErrors(source, diagnostic string) string {
	lines := strings.Split(source, "\n")
	var added []string // lines to stand before the first declaration
	for _, e := range parseErrors(diagnostic) {
		if e.line < 1 || e.line > len(lines) {
			continue
		}
		line := &lines[e.line-1]
		switch {
		case missingFile.MatchString(e.text):
			w.fixInclude(line, missingFile.FindStringSubmatch(e.text)[1])
		case qualified.MatchString(e.text):
			m := qualified.FindStringSubmatch(e.text)
			*line = qualify(*line, e.column, m[1], m[2])
		case wrongScope.MatchString(e.text):
			m := wrongScope.FindStringSubmatch(e.text)
			if right := w.scopeOf(m[1]); right != "" && right != m[2] {
				*line = strings.ReplaceAll(*line, m[2]+"::"+m[1], right+"::"+m[1])
			} else if h := standardHome(m[1], w.target.Language); m[2] == "std" && h != "" {
				added = append(added, "#include <"+h+">")
			}
		case includeHint.MatchString(e.text):
			added = append(added, "#include <"+includeHint.FindStringSubmatch(e.text)[1]+">")
		case unknownName.MatchString(e.text):
			name := cmp.Or(unknownName.FindStringSubmatch(e.text)[1:]...)
			scope := regexp.MustCompile(`(^|[^:\w])` + name + `::`)
			if w.isNamespaceGuess(name) && scope.MatchString(*line) { // a namespace that does not exist
				*line = scope.ReplaceAllString(*line, "$1")
			} else if inside := w.namespaceOf(name); inside != "" {
				added = append(added, "using namespace "+inside+";")
			} else if h := standardHome(name, w.target.Language); h != "" {
				added = append(added, "#include <"+h+">")
				if w.target.Language == trial.CXX && inStd[name] {
					*line = qualify(*line, e.column, name, "std::"+name)
				}
			}
		case usingUnknown.MatchString(e.text):
			if strings.HasPrefix(strings.TrimSpace(*line), "using namespace ") {
				*line = ""
			}
		}
	}
	text := strings.Join(lines, "\n")
	slices.Sort(added) // #include before using
	for i := len(added) - 1; i >= 0; i-- {
		if i == 0 || added[i] != added[i-1] {
			text = insertAfterIncludes(text, added[i])
		}
	}
	return text
}

// A compileError is one error of clang with its notes.
type compileError struct {
	line, column int
	text         string // of the error; the notes follow on lines of their own
}

var (
	errorLine = regexp.MustCompile(`(?m)^[^\s:][^:\n]*:(\d+):(\d+): (?:fatal )?error: (.*)$`)
	noteLine  = regexp.MustCompile(`(?m)^[^:\n]+:\d+:\d+: note: (.*)$`)

	missingFile  = regexp.MustCompile(`^'([^']+)' file not found`)
	qualified    = regexp.MustCompile(`^(?:use of undeclared identifier|unknown type name|no template named|unknown class name) '([A-Za-z_]\w*)'.*; did you mean (?:simply )?'((?:[A-Za-z_]\w*::)+[A-Za-z_]\w*)'\?`)
	wrongScope   = regexp.MustCompile(`^no (?:member|type|template) named '([A-Za-z_]\w*)' in (?:namespace )?'(?:::)?([\w:]+)'`)
	includeHint  = regexp.MustCompile(`include the header <([\w./]+)>`)
	unknownName  = regexp.MustCompile(`^use of undeclared identifier '([A-Za-z_]\w*)'|^unknown type name '([A-Za-z_]\w*)'|^call to undeclared function '([A-Za-z_]\w*)'|^no template named '([A-Za-z_]\w*)'`)
	usingUnknown = regexp.MustCompile(`^expected namespace name`)
)

// parseErrors reads clang's diagnostics.
func parseErrors(diagnostic string) []compileError {
	at := errorLine.FindAllStringSubmatchIndex(diagnostic, -1)
	var list []compileError
	for i, m := range at {
		end := len(diagnostic)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		line, _ := strconv.Atoi(diagnostic[m[2]:m[3]])
		column, _ := strconv.Atoi(diagnostic[m[4]:m[5]])
		e := compileError{line, column, diagnostic[m[6]:m[7]]}
		for _, n := range noteLine.FindAllStringSubmatch(diagnostic[m[1]:end], -1) {
			e.text += "\n" + n[1]
		}
		list = append(list, e)
	}
	return list
}

// fixInclude corrects the path of a public header, and deletes an include of anything else that
// does not exist.
func (w *workbook) fixInclude(line *string, name string) {
	if !strings.Contains(*line, name) {
		return
	}
	for _, h := range w.target.Headers {
		if lastOf(h) == lastOf(name) && h != name {
			*line = "#include <" + h + ">"
			return
		}
	}
	*line = ""
}

// qualify replaces a name at a column of a line, 1-based, or its first whole word after it.
func qualify(line string, column int, name, with string) string {
	from := min(max(column-1, 0), len(line))
	at := regexp.MustCompile(`\b` + name + `\b`).FindStringIndex(line[from:])
	if at == nil || strings.HasSuffix(line[:from+at[0]], "::") {
		return line
	}
	return line[:from+at[0]] + with + line[from+at[1]:]
}

// namespaceOf returns the namespace of the library that holds a public name, or "".
func (w *workbook) namespaceOf(name string) string {
	if w.target.Language != trial.CXX {
		return ""
	}
	for _, q := range w.qualifiedNames() {
		scope, last := apispec.CutLast(q)
		if last == name && scope != "" && !w.isClass(scope) {
			return scope
		}
	}
	return ""
}

// scopeOf returns the scope of a public name of the library, or "".
func (w *workbook) scopeOf(name string) string {
	for _, q := range w.qualifiedNames() {
		if scope, last := apispec.CutLast(q); last == name {
			return scope
		}
	}
	return ""
}

func (w *workbook) isClass(name string) bool {
	return slices.ContainsFunc(w.spec.Structs, func(s *apispec.Struct) bool { return s.Name == name })
}

// isNamespaceGuess reports whether a name that code uses as a scope is none of the library's, but
// like one: the library's own name, which models take for a namespace.
func (w *workbook) isNamespaceGuess(name string) bool {
	return strings.EqualFold(name, w.target.Library) && w.scopeOf(name) == ""
}

// qualifiedNames are the library's public names in C++.
func (w *workbook) qualifiedNames() []string {
	var names []string
	for _, s := range w.spec.Structs {
		names = append(names, s.Name)
	}
	for _, e := range w.spec.Enums {
		names = append(names, e.Name)
		for _, c := range e.Constants {
			names = append(names, c.Name)
		}
	}
	for _, f := range w.spec.Functions {
		names = append(names, f.Name)
	}
	return names
}

// insertAfterIncludes puts a line behind the last include, or at the beginning.
func insertAfterIncludes(source, line string) string {
	if slices.Contains(strings.Split(source, "\n"), line) {
		return source
	}
	at := 0
	for _, in := range clex.Includes(source) {
		at = in.End
	}
	if at > 0 && source[at-1] != '\n' {
		line = "\n" + line
	}
	return source[:at] + line + "\n" + source[at:]
}

// homes are the standard headers of names that test files use without their header. A C++ file
// takes the C header too, so that the name is found without std::.
var homes = homesOf(map[string]string{
	"assert.h": "assert", "stdbool.h": "bool true false", "stddef.h": "NULL size_t ptrdiff_t offsetof",
	"stdint.h": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t SIZE_MAX INT32_MAX INT32_MIN UINT32_MAX INT64_MAX INT64_MIN UINT64_MAX UINT8_MAX UINT16_MAX",
	"limits.h": "INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN CHAR_BIT SHRT_MAX UCHAR_MAX USHRT_MAX",
	"float.h":  "DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_MIN FLT_EPSILON",
	"math.h":   "NAN INFINITY HUGE_VAL isnan isinf fabs fabsf sqrt pow floor ceil",
	"stdio.h":  "printf fprintf sprintf snprintf puts putchar fopen fclose fread fwrite fgets remove FILE stderr stdout EOF perror",
	"stdlib.h": "malloc calloc realloc free exit abort atoi strtol strtod getenv qsort EXIT_SUCCESS EXIT_FAILURE",
	"string.h": "strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr memcpy memset memcmp memmove strdup",
	"ctype.h":  "isalpha isdigit isspace toupper tolower", "errno.h": "errno EINVAL ENOMEM", "strings.h": "strcasecmp", "unistd.h": "unlink close",
})

// cxxHomes are those of names in std.
var cxxHomes = homesOf(map[string]string{
	"string": "string to_string", "vector": "vector", "map": "map multimap", "set": "set multiset", "memory": "unique_ptr shared_ptr make_unique make_shared",
	"sstream": "stringstream ostringstream istringstream", "iostream": "cout cerr endl", "algorithm": "sort find count", "functional": "function",
	"limits": "numeric_limits", "utility": "pair move make_pair", "array": "array", "tuple": "tuple tie", "optional": "optional", "stdexcept": "runtime_error invalid_argument out_of_range",
	"thread": "thread", "string_view": "string_view", "unordered_map": "unordered_map", "unordered_set": "unordered_set", "initializer_list": "initializer_list",
})

// inStd are the names of cxxHomes that nothing else is likely to be called.
var inStd = clex.Set("string to_string vector unique_ptr shared_ptr make_unique make_shared stringstream ostringstream istringstream cout cerr endl numeric_limits make_pair string_view unordered_map unordered_set")

func homesOf(byHeader map[string]string) map[string]string {
	m := map[string]string{}
	for h, names := range byHeader {
		for _, n := range strings.Fields(names) {
			m[n] = h
		}
	}
	return m
}

func standardHome(name string, lang trial.Language) string {
	if h := cxxHomes[name]; lang == trial.CXX && h != "" {
		return h
	}
	return homes[name]
}
