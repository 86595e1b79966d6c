package auvc

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// miniTest declares the parts of GoogleTest that its assertion macros expand to, by its names.
const miniTest = `#include <string>
namespace testing {
struct AssertionResult { explicit AssertionResult(bool b); operator bool() const; };
struct Message {};
namespace internal {
struct AssertHelper { AssertHelper(int line); void operator=(const Message &) const; };
struct EqHelper { template <class A, class B> static AssertionResult Compare(const char *, const char *, const A &a, const B &b); };
template <class A, class B> AssertionResult CmpHelperGT(const char *, const char *, const A &a, const B &b);
AssertionResult CmpHelperSTREQ(const char *, const char *, const char *a, const char *b);
} }
#define BODY_(e, f) switch (0) case 0: default: if (const ::testing::AssertionResult gtest_ar = (e)) ; else f ::testing::internal::AssertHelper(__LINE__) = ::testing::Message()
#define EXPECT_EQ(a, b) BODY_((::testing::internal::EqHelper::Compare(#a, #b, a, b)), )
#define EXPECT_GT(a, b) BODY_((::testing::internal::CmpHelperGT(#a, #b, a, b)), )
#define EXPECT_STREQ(a, b) BODY_((::testing::internal::CmpHelperSTREQ(#a, #b, a, b)), )
#define EXPECT_TRUE(a) BODY_(::testing::AssertionResult(a), )
int compute(int x);
const char *name(int x);
`

func statuses(r result) string {
	var list []string
	for _, v := range r.verdicts {
		list = append(list, string(v.status))
	}
	return strings.Join(list, " ")
}

// TestCount checks programs whose verifications are counted by hand.
func TestCount(t *testing.T) {
	prelude := loadLabelled(t, "testdata/made.yaml").Preludes[trial.C]
	tests := []struct {
		name   string
		lang   trial.Language
		source string
		want   string
	}{
		{"nothing", trial.C, "void test(void) { compute(1); }", ""},
		{"a guard is no check", trial.C, "void test(void) { int x = compute(1); if (x < 0) return; assert(x >= 0); assert(x > 1); }", "tautology unique"},
		{"helper function", trial.C, "static void is(int x, int y) { assert(x == y); }\nvoid test(void) { int x = compute(1); is(x, 2); is(x, 3); is(x, 2); is(1, 1); }",
			"unique unique repeated tautology"},
		{"recursion", trial.C, "static int f(int n) { assert(n > 0); return n > 5 ? f(n - 1) : n; }\nvoid test(void) { assert(f(compute(1)) == 1); }", "unique unique"},
		{"own failing function", trial.C, "static void die(const char *s) { puts(s); exit(1); }\nvoid test(void) { int x = compute(1); if (x != 1) die(\"x\"); assert(x == 1); }", "unique repeated"},
		{"a pointer of another test", trial.C, "void test_a(void) { assert(\"A\" != 0); int b = compute(1), c = compute(2); assert(b == c); assert(*getenv(\"A\") == 'a'); }\n" +
			"void test_b(void) { assert(*getenv(\"A\") == 'a'); }", "tautology unique unique unique"},
		{"else", trial.C, "int test(void) { int x = compute(1); if (x == 1) { compute(2); } else { return 1; } assert(x == 1); return 0; }", "unique repeated"},
		{"status", trial.C, "int test(void) { int x = compute(1); assert(x == 3); return x != 3; }", "unique repeated"},
		{"failures are counted", trial.C, "int test(void) { int bad = 0; int x = compute(1); bad += x != 3; assert(x == 3); return bad; }", "unique repeated"},
		{"loop", trial.C, "void test(void) { int x = compute(1); assert(x == 1); for (int i = 0; i < 3; i++) { assert(x == 1); x = compute(i); } assert(x == 1); }", "unique unique unique"},
		{"loop that leaves it alone", trial.C, "void test(void) { int x = compute(1), s = 0; assert(x == 1); for (int i = 0; i < 3; i++) s += i; assert(x == 1); }", "unique repeated"},
		{"branches meet", trial.C, "void test(void) { int x = compute(1), y = compute(2); assert(x == 1); if (y) x = 3; else y = 4; assert(x == 1); }", "unique unique"},
		{"branch of a switch", trial.C, "void test(void) { int x = compute(1); switch (x) { case 1: assert(x == 1); break; default: assert(x != 1); } }", "unique unique"},
		{"two tests", trial.C, "void test_a(void) { int x = compute(1); assert(x == 1); }\nvoid test_b(void) { int x = compute(1); assert(x == 1); assert(x == 1); }", "unique unique repeated"},
		{"a test that main calls", trial.C, "void test(void) { int x = compute(1); assert(x == 1); assert(1 == x); }\nint main(void) { test(); return 0; }", "unique repeated"},
		{"a test that main finds in a table", trial.C, "void test(void) { int x = compute(1); assert(x == 1); }\nstatic void (*all[])(void) = {test};\nint main(void) { for (int i = 0; i < 1; i++) all[i](); return 0; }", "unique"},
		{"an array's element by its size", trial.C, "void test(void) { char e[8][48]; short packed[2][2]; fill(e[0], sizeof e[0]); fill((char *)packed, sizeof packed[0]); assert(strcmp(e[1], \"\") == 0); assert(!strlen(e[1])); assert(packed[1][0] == 3); assert(packed[0][2] == 3); assert(sizeof packed[0] == 4); }", "unique repeated unique repeated tautology"},
		{"what a query writes", trial.C, "int stream_get(stream *s, int *x);\nvoid test(void) { stream *s = stream_open(\"f\"); int x = 0; assert(stream_get(s, &x) == 1); assert(x == 0); assert(stream_get(s, &x) == 1); assert(x == 0); }", "unique unique repeated unique"},
		{"what is made twice", trial.C, "node *node_copy(const node *n);\nvoid test(void) { node *p = node_new(1), *a = node_copy(p), *b = node_copy(p); assert(a != b); assert(b != a); assert(a->value == b->value); }", "unique repeated unique"},
		{"contradiction", trial.C, "void test(void) { int x = compute(1); assert(x > 3 && x < 2); assert(0 && \"never\"); }", "contradiction contradiction"},
		{"do while 0", trial.C, "#define CHECK(c) do { if (!(c)) { puts(#c); abort(); } } while (0)\nvoid test(void) { int x = compute(1); CHECK(x == 1); CHECK(1 == x); }", "unique repeated"},
		{"or fails", trial.C, "void test(void) { int x = compute(1); (void)((x == 1) || (abort(), 0)); assert(x == 1); }", "unique repeated"},
		{"global", trial.C, "static int seen;\nstatic void on(int x) { seen = x; }\nvoid test(void) { on(compute(1)); assert(seen == 2); on(compute(3)); assert(seen == 2); assert(seen == 2); }", "unique unique repeated"},
		{"unknown parts are structural", trial.C, "void test(void) { _Complex double z = measure(1); assert(__real__ z == 1); assert(__real__ z == 1); assert(__real__ z == 2); }", "unique repeated unique"},
		{"unused result", trial.C, "void test(void) { stream *s = stream_open(\"f\"); assert(s); stream_close(s); assert(s); }", "unique repeated"},
		{"strings that calls return", trial.CXX, "#include <cassert>\n#include <string>\nstruct Piece { Piece(const std::string &s); Piece sub(size_t at, size_t n) const; std::string str() const; };\nvoid test() { const std::string text = \"0123\"; Piece p(text); for (size_t at = 0; at <= text.size(); at++) for (size_t n = 0; n <= text.size() + 1; n++) { assert(p.sub(at, n).str() == text.substr(at, n)); assert(text.substr(at, n) == p.sub(at, n).str()); } }", "unique repeated"},
		{"GoogleTest", trial.CXX, miniTest + "void test() { int x = compute(1); EXPECT_EQ(x, 1); EXPECT_TRUE(x == 1); EXPECT_GT(x, 0); EXPECT_TRUE(x >= 1); EXPECT_STREQ(name(1), \"a\"); EXPECT_STREQ(\"a\", name(1)); EXPECT_EQ(1, 1); }",
			"unique repeated unique repeated unique repeated tautology"},
	}
	var units []toolchain.Unit
	for i, tc := range tests {
		source := tc.source
		if tc.lang == trial.C {
			source = prelude + source
		}
		units = append(units, toolchain.Unit{ID: fmt.Sprintf("t%d", i), Lang: tc.lang, Source: source + "\n"})
	}
	results, err := testCounter(t).count(t.Context(), t.TempDir(), toolchain.Flags{}, units)
	assert.NilError(t, err)
	for i, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := statuses(results[i]); !results[i].Compiles || got != tc.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tc.want, tc.source)
			}
			structural := results[i].Count.Structural > 0
			assert.Check(t, structural == strings.Contains(tc.name, "structural"), "structural: %v", structural)
		})
	}
}

// TestHostile checks that programs without measure end, with counts.
func TestHostile(t *testing.T) {
	var many, chain, deep, loops, conditions strings.Builder
	many.WriteString("#include <assert.h>\nint f(int);\nvoid test(void) {\n int x = f(0);\n")
	for i := range maxAssertions + 500 {
		fmt.Fprintf(&many, " assert(x == %d);\n", i%40)
	}
	many.WriteString("}\n")
	chain.WriteString("#include <assert.h>\nunsigned f(int);\nvoid test(void) {\n unsigned x = f(0);\n")
	for range 200 {
		chain.WriteString(" x = x * x + (x ^ x >> 3);\n")
	}
	chain.WriteString(" assert(x == 3);\n assert(3 == x);\n}\n")
	deep.WriteString("#include <assert.h>\nint f(int);\nvoid test(void) {\n int x = f(0);\n assert(" + strings.Repeat("!(", 240) + "x" + strings.Repeat(")", 240) + ");\n assert(x);\n}\n")
	loops.WriteString("#include <assert.h>\nint f(int);\nvoid test(void) {\n int a[64];\n" + strings.Repeat(" for (int i = 0; i < 64; i++) {", 12) +
		" a[i] = f(a[i]); assert(a[i] == f(i)); " + strings.Repeat("}", 12) + "\n}\n")
	size := 2 << 20
	if testing.Short() {
		size = 400 << 10 // clang takes its time
	}
	conditions.WriteString("#include <assert.h>\nint f(int);\nvoid test(void) {\n")
	for i := range 40 { // each value meets every other
		fmt.Fprintf(&conditions, " int a%d = f(%d), b%d = f(%d);\n", i, i, i, i+100)
	}
	conditions.WriteString(" assert(1")
	for i := range 40 {
		fmt.Fprintf(&conditions, " && (a%d == 1 || b%d == 2)", i, 39-i)
	}
	conditions.WriteString(");\n assert(a0 == 1);\n}\n")
	units := []toolchain.Unit{
		{ID: "many", Lang: trial.C, Source: many.String()}, {ID: "chain", Lang: trial.C, Source: chain.String()},
		{ID: "deep", Lang: trial.C, Source: deep.String()}, {ID: "broken", Lang: trial.C, Source: "void test(void) { nothing(; }\n"},
		{ID: "again", Lang: trial.C, Source: chain.String()},
		{ID: "parentheses", Lang: trial.C, Source: "#include <assert.h>\nvoid test(void) { assert(" + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "); }\n"},
		{ID: "large", Lang: trial.C, Source: "#include <assert.h>\nint f(int);\nvoid test(void) {\n" + strings.Repeat(" assert(f(1) + f(2) * f(3) == 4 && f(5));\n", size/42) + "}\n"},
		{ID: "empty", Lang: trial.C, Source: ""},
		{ID: "loops", Lang: trial.C, Source: loops.String()},
		{ID: "conditions", Lang: trial.C, Source: conditions.String()},
	}
	results, err := testCounter(t).count(t.Context(), t.TempDir(), toolchain.Flags{}, units)
	assert.NilError(t, err)
	if c := results[0].Count; c.Truncated == 0 || c.Assertions != maxAssertions || c.Unique != 40 {
		t.Errorf("too many assertions, 40 different: %+v", c)
	}
	if c := results[1].Count; c.Assertions != 2 || c.Unique != 1 || c.Repeated != 1 {
		t.Errorf("a value that grows: %+v", c)
	}
	if c := results[2].Count; c.Assertions != 2 {
		t.Errorf("deep nesting: %+v", c)
	}
	if results[3].Compiles {
		t.Error("a program that does not compile is counted")
	}
	if results[5].Compiles {
		t.Error("5000 parentheses compile")
	}
	if r := results[6]; !r.Compiles || r.Count.Unreadable+r.Count.Truncated == 0 {
		t.Errorf("a large program: %d, %+v", r.Count.Unreadable, r.Count)
	}
	if r := results[7]; !r.Compiles || r.Count != (trial.Verifications{}) {
		t.Errorf("nothing: %+v", r)
	}
	if c := results[8].Count; c.Truncated == 0 && c.Assertions != 1 {
		t.Errorf("twelve loops: %+v", c)
	}
	if c := results[9].Count; c.Unique != 2 {
		t.Errorf("a wide condition: %+v", c)
	}
	assert.Check(t, results[4].Count == results[1].Count, "the same program again: %+v", results[4].Count)
}

// TestKept checks that a program that was counted before needs no compiler.
func TestKept(t *testing.T) {
	c := testCounter(t)
	c.Store = store.New(t.TempDir())
	units := []toolchain.Unit{{ID: "u", Lang: trial.C, Source: "#include <assert.h>\nint f(int);\nvoid test(void) { int x = f(0); assert(x == 3); }\n"}}
	first, err := c.count(t.Context(), t.TempDir(), toolchain.Flags{}, units)
	if err != nil || first[0].Count.Unique != 1 {
		t.Fatal(first, err)
	}
	c.Compiler = nil // would panic if asked
	units[0].ID = "other"
	again, err := c.count(t.Context(), t.TempDir(), toolchain.Flags{}, units)
	assert.Check(t, err == nil && again[0].Count == first[0].Count, "%+v, %v", again, err)
}
