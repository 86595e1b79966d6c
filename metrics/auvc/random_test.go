package auvc

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A variable of a random program, with ways to write values of it.
type randomVariable struct {
	declaration string
	scalars     []string // lvalues of arithmetic type
	pointers    []string // pointers to char
	whole       string   // for sizeof and &
}

// randomVariables declares variables of many types, some of which a call has filled.
func randomVariables(r *rand.Rand) []randomVariable {
	types := []string{"char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool", "float",
		"double", "long double", "enum e", "char16_t", "size_t", "__int128"}
	var all []randomVariable
	for i := range 6 {
		typ, name := types[r.IntN(len(types))], fmt.Sprintf("v%d", i)
		a, b := r.IntN(3)+1, r.IntN(50)+1
		v := randomVariable{whole: name}
		switch r.IntN(7) {
		case 0:
			v.declaration, v.scalars = fmt.Sprintf("%s %s = (%s)f(%d);", typ, name, typ, i), []string{name}
		case 1:
			v.declaration = fmt.Sprintf("%s %s[%d]; fill(%s, sizeof %s);", typ, name, b, name, name)
			v.scalars = []string{fmt.Sprintf("%s[%d]", name, b-1), "*" + name, fmt.Sprintf("*(%s + f(%d) %% %d)", name, i, b)}
		case 2:
			v.declaration = fmt.Sprintf("%s %s[%d][%d]; fill(%s[0], sizeof %s[0]);", typ, name, a, b, name, name)
			v.scalars = []string{fmt.Sprintf("%s[%d][%d]", name, a-1, b-1), "**" + name, fmt.Sprintf("sizeof %s[0]", name), fmt.Sprintf("(%s[0] - %s[%d])", name, name, a-1)}
		case 3:
			v.declaration = fmt.Sprintf("struct s %s; fill(&%s, sizeof(struct s));", name, name)
			v.scalars = []string{name + ".i", name + ".d", name + ".bits", name + ".u.w", name + ".u.b[1]", name + ".in[1].x", "(long)sizeof " + name + ".in"}
			v.pointers = []string{name + ".p", name + ".text"}
		case 4:
			v.declaration = fmt.Sprintf("char %s[%d] = %q;", name, b+8, strings.Repeat("ab", r.IntN(4)))
			v.scalars, v.pointers = []string{name + "[1]", fmt.Sprintf("strlen(%s)", name)}, []string{name, fmt.Sprintf("%s + %d", name, r.IntN(4))}
		case 5:
			v.declaration = fmt.Sprintf("struct s w%d; struct s *%s = f(%d) ? &w%d : 0; fill(%s, 8);", i, name, i, i, name)
			v.scalars, v.pointers = []string{name + "->i", name + "->u.w", "(*" + name + ").d", "(" + name + " != 0)"}, []string{name + "->p"}
		case 6:
			v.declaration = fmt.Sprintf("static const %s %s[] = {1, 2, 3};", typ, name)
			v.scalars = []string{name + "[2]", fmt.Sprintf("sizeof %s / sizeof *%s", name, name)}
		}
		all = append(all, v)
	}
	return all
}

// randomValue returns an expression of arithmetic type, without effects.
func randomValue(r *rand.Rand, vars []randomVariable, depth int) string {
	v := vars[r.IntN(len(vars))]
	sub := func() string { return randomValue(r, vars, depth-1) }
	if depth == 0 || r.IntN(7) == 0 {
		switch k := r.IntN(10); {
		case k == 0:
			return []string{"0", "1", "-7", "3.5", "0.1f", "'x'", "255u", "1e300", "0x7fffffffffffffffL"}[r.IntN(9)]
		case k == 1:
			return []string{"sizeof " + v.whole, "sizeof(struct s)", "sizeof(int[3][4])", "_Alignof(double)"}[r.IntN(4)]
		case k == 2 && len(v.pointers) > 0:
			p := v.pointers[r.IntN(len(v.pointers))]
			return []string{"strcmp(" + p + ", \"ab\")", "memcmp(" + p + ", \"abc\", 2)", "(" + p + " == 0)", "strncmp(\"a\", " + p + ", 3)", "strlen(" + p + ")", "*" + p}[r.IntN(6)]
		case len(v.scalars) > 0:
			return v.scalars[r.IntN(len(v.scalars))]
		}
		return "f(3)"
	}
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s)(%s)", []string{"char", "unsigned", "long", "float", "double", "_Bool", "short", "__int128", "enum e"}[r.IntN(9)], sub())
	case 1:
		return []string{"-", "!", "+", "~(long)"}[r.IntN(4)] + "(" + sub() + ")"
	case 2:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	case 3:
		return fmt.Sprintf("((long)(%s) %s (int)(%s))", sub(), []string{"%", "&", "|", "^", "<<", ">>"}[r.IntN(6)], sub())
	}
	return fmt.Sprintf("(%s %s %s)", sub(), []string{"+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "&&", "||"}[r.IntN(12)], sub())
}

// TestRandomPrograms counts programs of random declarations and expressions: each assertion gets
// a verdict, and one that stands there twice, with nothing in between, is never unique twice.
func TestRandomPrograms(t *testing.T) {
	const prelude = `#include <assert.h>
#include <string.h>
#include <stddef.h>
#include <uchar.h>
enum e { A = -3, B, C = 1000 };
struct s { int i; double d; unsigned bits : 5; char *p; char text[9]; union { unsigned w; unsigned char b[4]; } u; struct { short x; } in[3]; };
int f(int x);
void fill(void *to, size_t n);
`
	var units []toolchain.Unit
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 11))
		var b strings.Builder
		b.WriteString(prelude + "void test(void) {\n")
		vars := randomVariables(r)
		for _, v := range vars {
			b.WriteString(v.declaration + "\n")
		}
		for range 6 {
			e := randomValue(r, vars, 4)
			fmt.Fprintf(&b, "assert(%s);\nassert(%s);\n", e, e)
		}
		b.WriteString("}\n")
		units = append(units, toolchain.Unit{ID: fmt.Sprintf("r%d", seed), Lang: trial.C, Source: b.String()})
	}
	counter, flags := testCounter(t), toolchain.Flags{Extra: []string{"-w"}}
	results, err := counter.Count(t.Context(), t.TempDir(), flags, units)
	if err != nil {
		t.Fatal(err)
	}
	compiled := 0
	for i, r := range results {
		if !r.Compiles {
			continue
		}
		compiled++
		if len(r.Verdicts) != 12 {
			t.Errorf("%d verdicts:\n%s", len(r.Verdicts), units[i].Source)
			continue
		}
		lines := strings.Split(units[i].Source, "\n")
		for k := 1; k < len(r.Verdicts); k += 2 {
			if v := r.Verdicts[k]; v.Status == Unique {
				t.Errorf("the same assertion is unique again: %s", lines[v.Line-1])
			}
		}
	}
	t.Logf("%d of %d programs compile", compiled, len(units))
	if compiled < len(units)*2/3 {
		t.Errorf("only %d of %d programs compile", compiled, len(units))
	}
}
