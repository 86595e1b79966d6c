package auvc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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
		return string("abcd"[r.IntN(4)])
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
// that hold them. A _Static_assert that is false, or is no constant expression because its
// behaviour is undefined, keeps the program from compiling, and then nothing is claimed of it.
func TestTranslationIsSound(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some hundred programs")
	}
	counter := testCounter(t)
	r := rand.New(rand.NewPCG(1, 2))
	var units []toolchain.Unit
	for i := range 120 {
		var macros, variables strings.Builder
		for _, name := range []string{"a", "b", "c", "d"} {
			typ := intTypes[r.IntN(len(intTypes))]
			value := []string{typ.low, typ.high, "0", "1", fmt.Sprint(r.IntN(100)), fmt.Sprint(-r.IntN(100))}[r.IntN(6)]
			fmt.Fprintf(&macros, "#define C_%s ((%s)(%s))\n", name, typ.name, value)
			fmt.Fprintf(&variables, "  %s %s = C_%s;\n", typ.name, name, name)
		}
		e := randomExpression(r, 3)
		constant := strings.NewReplacer("'a'", "97", "(a", "(C_a", "(b", "(C_b", "(c", "(C_c", "(d", "(C_d",
			" a", " C_a", " b", " C_b", " c", " C_c", " d", " C_d", "char", "char", "(char", "(char").Replace("( " + e + " )")
		constant = strings.NewReplacer("signed C_char", "signed char", "(C_char", "(char").Replace(constant)
		for _, sign := range []string{"", "!"} {
			source := "#include <assert.h>\nint shared; /* ends the preamble that all programs share */\n" + macros.String() + "_Static_assert(" + sign + constant + ", \"\");\n" +
				"int test(void) {\n" + variables.String() + "  assert(" + sign + "(" + e + "));\n  assert(" + sign + sign + "(" + e + ") == 7 || 1);\n  return 0;\n}\n"
			units = append(units, toolchain.Unit{ID: fmt.Sprintf("e%03d%d", i, len(sign)), Lang: trial.C, Source: source})
		}
	}
	results, err := counter.Count(t.Context(), t.TempDir(), toolchain.Flags{Extra: []string{"-w"}}, units)
	if err != nil {
		t.Fatal(err)
	}
	proved := 0
	for i, res := range results {
		if !res.Compiles {
			continue
		}
		if res.Count.Timeouts > 0 {
			continue
		}
		proved++
		if res.Verdicts[0].Status != Tautology || res.Verdicts[0].Structural {
			t.Errorf("clang proves the assertion, the solver says %s:\n%s\n%s", res.Verdicts[0].Status, units[i].Source, res.Verdicts[0].Formula)
		}
	}
	if proved < 60 {
		t.Errorf("only %d of %d programs are constant expressions that are true", proved, len(units))
	}
}
