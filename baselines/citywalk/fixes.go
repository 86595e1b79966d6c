package citywalk

import (
	"path"
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

// What clang says of a file that does not exist, of a name that it knows in another scope, of a name that a
// scope lacks, of a header that is missing, and of a name that it does not know.
var (
	missingFile = regexp.MustCompile(`^'([^']+)' file not found`)
	suggested   = regexp.MustCompile(`^[^']*'(\w+)'.*; did you mean (?:simply )?'((?:\w+::)+\w+)'\?`)
	wrongScope  = regexp.MustCompile(`^no (?:member|type|template) named '(\w+)' in (?:namespace )?'(?:::)?([\w:]+)'`)
	includeHint = regexp.MustCompile(`include the header <([\w./]+)>`)
	unknownName = regexp.MustCompile(
		`^(?:use of undeclared identifier|unknown type name|call to undeclared function|no template named) '(\w+)'`)
)

// compileErrors is the second post-processing pass on one test file: rules for what clang says of
// it. The paper names wrong namespaces and includes of files that do not exist; beside these the
// rules add a standard header that is missing. The source comes back as it was if no rule fits.
func (w *workbook) compileErrors(source, diagnostic string) string {
	lines := strings.Split(source, "\n")
	headers := map[string]bool{} // to be included
	for _, e := range parseErrors(diagnostic) {
		if e.line < 1 || e.line > len(lines) {
			continue
		}
		line := &lines[e.line-1]
		var m []string
		says := func(pattern *regexp.Regexp) bool {
			m = pattern.FindStringSubmatch(e.text)
			return m != nil
		}
		switch {
		case says(missingFile):
			*line = w.rightInclude(*line, m[1])
		case says(wrongScope):
			if scope := w.scopeOf(m[1]); scope != "" {
				*line = strings.ReplaceAll(*line, m[2]+"::"+m[1], scope+"::"+m[1])
			} else if m[2] == "std" {
				headers[standardHome(m[1], trial.CXX)] = true
			}
		case says(suggested):
			*line = qualify(*line, e.column, m[1], m[2])
		case says(includeHint):
			headers[m[1]] = true
		case says(unknownName):
			name, isCXX := m[1], w.target.Language == trial.CXX
			if scope := w.scopeOf(name); scope != "" && isCXX {
				*line = qualify(*line, e.column, name, scope+"::"+name)
				continue
			}
			headers[standardHome(name, w.target.Language)] = true
			if isCXX && cxxHomes[name] != "" {
				*line = qualify(*line, e.column, name, "std::"+name)
			}
		}
	}
	delete(headers, "")
	return addIncludes(strings.Join(lines, "\n"), headers)
}

// A compileError is one error of clang with its notes.
type compileError struct {
	line, column int
	text         string // of the error; the notes follow on lines of their own
}

var (
	errorLine = regexp.MustCompile(`(?m)^[^\s:][^:\n]*:(\d+):(\d+): (?:fatal )?error: (.*)$`)
	noteLine  = regexp.MustCompile(`(?m)^[^:\n]+:\d+:\d+: note: (.*)$`)
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

// rightInclude is an include of what does not exist with the path of the public header of that name; nothing
// if there is none.
func (w *workbook) rightInclude(line, name string) string {
	if !strings.Contains(line, name) {
		return line
	}
	for _, h := range w.target.Headers {
		if path.Base(h) == path.Base(name) && h != name {
			return "#include <" + h + ">"
		}
	}
	return ""
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

// scopeOf returns the scope of a public name of the library, or "".
func (w *workbook) scopeOf(name string) string {
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
	for _, qualified := range names {
		if scope, last := apispec.CutLast(qualified); last == name && scope != "" {
			return scope
		}
	}
	return ""
}

// addIncludes puts headers behind the last include, or at the beginning.
func addIncludes(source string, headers map[string]bool) string {
	at := 0
	for _, in := range clex.Includes(source) {
		at = in.End
		delete(headers, in.Name)
	}
	var lines []string
	for h := range headers {
		lines = append(lines, "#include <"+h+">\n")
	}
	slices.Sort(lines)
	if len(lines) > 0 && at > 0 && source[at-1] != '\n' {
		lines = append([]string{"\n"}, lines...)
	}
	return source[:at] + strings.Join(lines, "") + source[at:]
}

// homes are the standard headers of names that test files use without their header. A C++ file
// takes the C header too, so that the name is found without std::.
var homes = homesOf(`assert.h: assert
	stdbool.h: bool true false
	stddef.h: NULL size_t ptrdiff_t offsetof
	stdint.h: int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
	stdint.h: SIZE_MAX INT32_MAX INT32_MIN UINT32_MAX INT64_MAX INT64_MIN UINT64_MAX UINT8_MAX UINT16_MAX
	limits.h: INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN CHAR_BIT SHRT_MAX UCHAR_MAX USHRT_MAX
	float.h: DBL_MAX DBL_MIN DBL_EPSILON FLT_MAX FLT_MIN FLT_EPSILON
	math.h: NAN INFINITY HUGE_VAL isnan isinf fabs fabsf sqrt pow floor ceil
	stdio.h: printf fprintf sprintf snprintf puts putchar fopen fclose fread fwrite fgets remove FILE stderr stdout EOF perror
	stdlib.h: malloc calloc realloc free exit abort atoi strtol strtod getenv qsort EXIT_SUCCESS EXIT_FAILURE
	string.h: strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr memcpy memset memcmp memmove strdup
	ctype.h: isalpha isdigit isspace toupper tolower
	errno.h: errno EINVAL ENOMEM
	strings.h: strcasecmp
	unistd.h: unlink close`)

// cxxHomes are those of names in std.
var cxxHomes = homesOf(`algorithm: sort find count
	array: array
	functional: function
	initializer_list: initializer_list
	iostream: cout cerr endl
	limits: numeric_limits
	map: map multimap
	memory: unique_ptr shared_ptr make_unique make_shared
	optional: optional
	set: set multiset
	sstream: stringstream ostringstream istringstream
	stdexcept: runtime_error invalid_argument out_of_range
	string: string to_string
	string_view: string_view
	thread: thread
	tuple: tuple tie
	unordered_map: unordered_map
	unordered_set: unordered_set
	utility: pair move make_pair
	vector: vector`)

// homesOf reads lines of a header and the names in it.
func homesOf(list string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(list) {
		header, names, _ := strings.Cut(strings.TrimSpace(line), ":")
		for _, name := range strings.Fields(names) {
			m[name] = header
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
