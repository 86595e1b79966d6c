package auvc

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// intTypes are those that random expressions compute with.
var intTypes = []struct{ name, low, high string }{
	{"signed char", "-128", "127"}, {"unsigned char", "0", "255"}, {"short", "-32768", "32767"}, {"unsigned short", "0", "65535"},
	{"int", "-2147483647-1", "2147483647"}, {"unsigned int", "0", "4294967295u"}, {"long", "-9223372036854775807L-1", "9223372036854775807L"},
	{"unsigned long", "0", "18446744073709551615ul"}, {"_Bool", "0", "1"},
}

// randomExpression returns an integer expression over the variables a to d.
func randomExpression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return []string{"0", "1", "2", "3u", "7", "31", "-1", "255", "128ul", "'a'", "65536L"}[r.IntN(11)]
		}
		return "@" + string("abcd"[r.IntN(4)])
	}
	sub := func() string { return randomExpression(r, depth-1) }
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s)%s", intTypes[r.IntN(len(intTypes))].name, "("+sub()+")")
	case 1:
		return []string{"-", "~", "!", "+"}[r.IntN(4)] + "(" + sub() + ")"
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	}
	ops := []string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}
	return fmt.Sprintf("(%s %s %s)", sub(), ops[r.IntN(len(ops))], sub())
}

// TestTranslationIsSound holds the translation of random integer expressions against clang's
// own evaluation of them: what clang proves of constants, the solver must prove of variables
// that hold them. An expression whose behaviour is undefined is no constant expression, and
// nothing is claimed of it; clang proves in C++, where it takes that seriously.
func TestTranslationIsSound(t *testing.T) {
	counter := testCounter(t)
	r := rand.New(rand.NewPCG(1, 2))
	const expressions = 300
	var proofs, program strings.Builder
	program.WriteString("#include <assert.h>\n")
	for i := range expressions {
		constants := []string{}
		fmt.Fprintf(&program, "void test_%d(void) {", i)
		for _, name := range []string{"a", "b", "c", "d"} {
			typ := intTypes[r.IntN(len(intTypes))]
			value := []string{typ.low, typ.high, "0", "1", fmt.Sprint(r.IntN(100)), fmt.Sprint(-r.IntN(100))}[r.IntN(6)]
			constant := fmt.Sprintf("((%s)(%s))", typ.name, value)
			constants = append(constants, "@"+name, constant)
			fmt.Fprintf(&program, " %s %s = %s;", typ.name, name, constant)
		}
		e := randomExpression(r, 3)
		proof := strings.NewReplacer(constants...).Replace(e)
		e = strings.ReplaceAll(e, "@", "")
		fmt.Fprintf(&program, " assert(%s); }\n", e)
		fmt.Fprintf(&proofs, "static_assert(%s, \"\");\nstatic_assert(!(%s), \"\");\n", proof, proof)
	}
	wrong := refused(t, counter, strings.SplitAfter(strings.TrimSuffix(proofs.String(), "\n"), "\n"))
	units := []toolchain.Unit{{ID: "random", Lang: trial.C, Source: program.String()}}
	results, err := counter.count(t.Context(), t.TempDir(), toolchain.Flags{Extra: []string{"-w"}}, units)
	assert.Assert(t, err == nil && results[0].Compiles && len(results[0].verdicts) == expressions,
		"%d verdicts, %v", len(results[0].verdicts), err)
	lines := strings.Split(program.String(), "\n")
	proved := 0
	for _, v := range results[0].verdicts {
		i := v.line - 2
		holds, fails := !wrong[2*i+1], !wrong[2*i+2]
		if holds == fails {
			continue // undefined behaviour
		}
		want := tautology
		if fails {
			want = contradiction
		}
		proved++
		assert.Check(t, v.status == want,
			"clang says %s, the count %s: %s", want, v.status, lines[v.line-1])
	}
	t.Logf("%d of %d expressions are defined", proved, expressions)
	assert.Check(t, proved >= expressions/2, "only %d of %d expressions are constant expressions", proved, expressions)
}

var errorLine = regexp.MustCompile(`(?m)^[^:\n]*:(\d+):\d+: error:`)

// refused returns the numbers of the lines in which clang sees an error. They are compiled a few at a time, for
// a compiler's diagnostics are cut to a length.
func refused(t *testing.T, c *Counter, source []string) map[int]bool {
	t.Helper()
	const most = 20
	var units []toolchain.Unit
	for i := 0; i < len(source); i += most {
		units = append(units, toolchain.Unit{ID: fmt.Sprintf("proofs%d", i), Lang: trial.CXX, Source: strings.Join(source[i:min(i+most, len(source))], "")})
	}
	compiled, err := c.Compiler.Compile(t.Context(), t.TempDir(), toolchain.Flags{Extra: []string{"-w", "-ferror-limit=0"}}, units)
	assert.NilError(t, err)
	lines := map[int]bool{}
	for k, unit := range compiled {
		for _, m := range errorLine.FindAllStringSubmatch(unit.Diagnostics, -1) {
			n, err := strconv.Atoi(m[1])
			assert.NilError(t, err)
			lines[k*most+n] = true
		}
	}
	return lines
}
