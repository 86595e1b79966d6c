package property

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// header is lisa_prop.h, which becomes part of every program: a suite needs nothing beside it.
//
//go:embed header/lisa_prop.h
var header string

var includesHeader = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]lisa_prop\.h[">][^\n]*$`)

// A setting is how a program is run.
type setting struct {
	off     []string // sentences of properties that are not to fail
	without []string // tests that are left out
	seed    int      // 0: the header's
	scale   int      // times the cases; 0: the header's
	draws   string   // of the one case that is run; "": all cases
	trace   bool     // tell of every case, for one that crashes
	large   bool     // leave a case that fails as it is: all that is asked is whether one does
}

// program puts the header into a source, in the place of its first include of it or else at the
// beginning. Lines keep their numbers.
func (s setting) program(source string) string {
	top, defines := "", ""
	for _, name := range s.without {
		top += fmt.Sprintf("#define %s left_out_%[1]s\n", name)
	}
	if len(s.off) > 0 {
		defines = "#define LISA_OFF"
		for _, sentence := range s.off {
			defines += " " + quoteC(sentence) + ","
		}
		defines += "\n"
	}
	define := func(name string, value any, set bool) {
		if set {
			defines += fmt.Sprintf("#define %s %v\n", name, value)
		}
	}
	define("LISA_SEED", s.seed, s.seed != 0)
	define("LISA_SCALE", s.scale, s.scale != 0)
	define("LISA_CASE", s.draws, s.draws != "")
	define("LISA_TRACE", 1, s.trace)
	define("LISA_REPLAYS", 0, s.large)
	before, after, line := "", source, 1
	if at := includesHeader.FindStringIndex(source); at != nil {
		before, after = source[:at[0]], strings.TrimPrefix(source[at[1]:], "\n")
		line = 2 + strings.Count(before, "\n")
		if top != "" {
			before = "#line 1\n" + before
		}
	}
	after = includesHeader.ReplaceAllString(after, "")
	return top + before + defines + header + fmt.Sprintf("#line %d\n", line) + after
}

// quoteC writes a string literal of C, without trigraphs.
func quoteC(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b.Write([]byte{'\\', c})
		case c < ' ' || c == 0x7f || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

var testFunction = regexp.MustCompile(`(?m)^\s*(?:extern\s+"C"\s+)?(?:int|void)\s+(test\w*)\s*\(\s*(?:void)?\s*\)\s*\{`)

// testsOf returns the names of a program's test functions, in their order.
func testsOf(source string) (names []string) {
	for _, m := range testFunction.FindAllStringSubmatch(source, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
