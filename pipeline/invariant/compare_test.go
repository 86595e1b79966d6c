package invariant

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestCompare edits one program in ways that keep its sequence, and in ways that do not.
func TestCompare(t *testing.T) {
	const seed = `#include <tally.h>
static int twice(int v) { return 2 * v; }
void test_sequence(void)
{
    // STEP1
    tally t = {0, 0, 0};
    int numbers[3] = {1, 2, twice(3)};
    char text[sizeof(int)] = "ab";
    tally_open(&t, 2);
    // STEP2
    { tally_add(&t, 5); }
    tally_inc(&t);
    long all = tally_all(numbers, 3);
    tally *c = tally_copy(&t);
    (void)all;
    // STEP3
    (void)text;
    tally_free(c);
}
`
	edits := []edit{
		{"nothing", "", "", ""},
		{"assertion", "tally_inc(&t);", "tally_inc(&t); assert(t.count == 2 && t.sum > 5);", ""},
		{"over two lines", "tally_inc(&t);", "tally_inc(&t);\n assert(t.count\n == 2);", ""},
		{"temporary", "tally_inc(&t);", "long before = t.sum; tally_inc(&t); assert(t.sum == before + 1);", ""},
		{"copy", "long all", "int saved[3]; memcpy(saved, numbers, sizeof saved); long all", ""},
		{"copy at an offset", "long all", "int saved[4] = {0}; memcpy(saved + 1, numbers, sizeof numbers); assert(saved[1] == 1); long all", ""},
		{"copy of a struct", "tally_inc(&t);", "tally was = t; tally_inc(&t); assert(memcmp(&was, &t, sizeof t) != 0);", ""},
		{"observer", "(void)all;", "(void)all; assert(tally_sum(&t) == 6);", ""},
		{"observer through a pointer", "(void)all;", "long s = tally_sum(c); assert(s == 6); (void)all;", ""},
		{"result kept", "tally_open(&t, 2);", "int rc = tally_open(&t, 2); assert(rc == TALLY_OK);", ""},
		{"in a block of the program", "{ tally_add(&t, 5); }", "{ tally_add(&t, 5); assert(t.sum == 5); }", ""},
		{"block of its own", "tally_inc(&t);", "tally_inc(&t); { long x = t.sum; assert(x == 6); }", ""},
		{"comments and layout", "tally_open(&t, 2);", "/* now */ tally_open( &t ,2 ) ; // open", ""},
		{"floating point", "(void)all;", "(void)all; double d = fabs((double)all); assert(d >= 9.0 && !isnan(d));", ""},
		{"temporary assigned", "(void)all;", "int n = 0; n = (int)all; assert(n == 9); (void)all;", ""},
		{"pointer into a buffer", "(void)all;", "const int *p = numbers; assert(p + 3 > numbers); (void)all;", ""},

		{"call deleted", "tally_inc(&t);", "", "the program goes on with `"},
		{"call added", "tally_inc(&t);", "tally_inc(&t); tally_inc(&t);", "goes on with"},
		{"calls swapped", "tally_open(&t, 2);\n    // STEP2\n    { tally_add(&t, 5); }", "{ tally_add(&t, 5); }\n    // STEP2\n    tally_open(&t, 2);", "line "},
		{"argument changed", "tally_open(&t, 2)", "tally_open(&t, 3)", "tally_open(&t, 3)"},
		{"type in sizeof changed", "sizeof(int)", "sizeof(float)", "goes on with `char text[sizeof(int)]"},
		{"initial value changed", "{1, 2, twice(3)}", "{1, 2, twice(2)}", "goes on with `int numbers[3] = {1, 2, twice(3)}"},
		{"loop", "tally_inc(&t);", "tally_inc(&t); for (int i = 0; i < 3; i++) assert(numbers[i] > 0);", "nor an addition"},
		{"branch", "tally_inc(&t);", "tally_inc(&t); if (t.limit) assert(t.sum);", "nor an addition"},
		{"call in a branch", "tally_inc(&t);", "if (t.limit) tally_inc(&t);", "nor an addition"},
		{"early return", "tally_inc(&t);", "tally_inc(&t); return;", "`return` is no statement"},
		{"assignment to the program's variable", "(void)all;", "all = 9; (void)all;", "nor an addition"},
		{"assignment in a condition", "(void)all;", "(void)all; assert((all = 9));", "assigns"},
		{"increment in a condition", "(void)all;", "(void)all; assert(all++ == 9);", "++"},
		{"write through a temporary", "(void)all;", "int *p = numbers; p[0] = 7; (void)all;", "nor an addition"},
		{"copy into the program's memory", "(void)all;", "memcpy(numbers, &t, 4); (void)all;", "nor an addition"},
		{"copy through a temporary", "(void)all;", "int *p = numbers; memset(p, 0, 4); (void)all;", "nor an addition"},
		{"changing call in a condition", "(void)all;", "(void)all; assert(tally_add(&t, 1) == TALLY_FULL);", "calls tally_add"},
		{"constructor in a condition", "(void)all;", "(void)all; assert(tally_copy(&t)->sum == 6);", ""},
		{"value of an address", "(void)all;", "(void)all; assert((uintptr_t)c % 8 == 0);", "address"},
		{"time", "(void)all;", "(void)all; assert(time(NULL) > 0);", "calls time"},
		{"own function", "(void)all;", "(void)all; assert(twice(3) == 6);", "calls twice"},
		{"statement expression", "(void)all;", "(void)all; assert(({ long x = all; x; }) == 9);", "StmtExpr"},
		{"without a value", "(void)all;", "int n; assert(n == 0); (void)all;", "no initial value"},
		{"static", "(void)all;", "static int n = 0; assert(n == 0); (void)all;", "storage class"},
		{"shadowing", "{ tally_add(&t, 5); }", "{ tally t = {0, 9, 0}; tally_add(&t, 5); }", "line "},
		{"another function", "void test_sequence(void)\n{", "void test_other(void) {}\nvoid test_sequence(void)\n{", "test_other"},
		{"macro over a call", "{ tally_add(&t, 5); }", "\n#define tally_add(t, v) 0\n{ tally_add(&t, 5); }\n#undef tally_add\n", "line "},
		{"result of another call kept", "tally_open(&t, 2);", "int rc = tally_open(&t, 4);", "line "},
	}
	compareAll(t, "#include <time.h>\n"+seed, trial.C, edits)
}

// An edit of a program; why is in what is said of it, "" if it is the same sequence.
type edit struct{ name, from, to, why string }

// TestCompareCXX does the same with what only C++ has.
func TestCompareCXX(t *testing.T) {
	const seed = `#include <string>
#include <vector>
#include <tally.h>
void test_sequence()
{
    std::string s("ab");
    std::vector<int> v = {1, 2, 3};
    s += "c";
    v.push_back(4);
    bool b = s.empty();
    (void)b;
}
`
	compareAll(t, seed, trial.CXX, []edit{
		{"nothing", "", "", ""},
		{"assertion", "(void)b;", "(void)b; assert(!b && s.size() == 3);", ""},
		{"string compared", "(void)b;", "(void)b; assert(s == \"abc\");", ""},
		{"copy", "v.push_back(4);", "std::vector<int> was = v; v.push_back(4); assert(was.size() + 1 == v.size() && v[3] == 4);", ""},
		{"const reference", "(void)b;", "const std::string &r = s; assert(r.size() == 3); (void)b;", ""},
		{"range kept", "v.push_back(4);", "v.push_back(4); int last = v.back(); assert(last == 4);", "it"},
		{"change through a reference", "(void)b;", "std::string &r = s; r += \"x\"; (void)b;", "nor an addition"},
		{"changing method", "(void)b;", "s.clear(); (void)b;", "clear"},
		{"changing method in a condition", "(void)b;", "assert((v.pop_back(), true)); (void)b;", "pop_back"},
		{"lambda", "(void)b;", "assert([&] { return true; }()); (void)b;", "the assertion"},
		{"new", "(void)b;", "int *p = new int(3); assert(*p == 3); (void)b;", "CXXNewExpr"},
		{"operator changed", "s += \"c\";", "s += \"d\";", "line "},
		{"call deleted", "v.push_back(4);", "", "goes on with `v.push_back(4)`"},
	})
}

// compareAll compares a program with each of its edits.
func compareAll(t *testing.T, seed string, lang trial.Language, edits []edit) {
	_, c := compiler(t)
	flags := toolchain.Flags{IncludeDirs: target(t).IncludeDirs}
	observers := observerNames(spec(t))
	var units []toolchain.Unit
	for _, e := range edits {
		if e.from != "" && strings.Count(seed, e.from) != 1 {
			t.Fatalf("%s: %q is not once in the program", e.name, e.from)
		}
		text := seed
		if e.from != "" {
			text = strings.Replace(text, e.from, e.to, 1)
		}
		units = append(units, toolchain.Unit{ID: "p", Lang: lang, Source: withIncludes(text)})
	}
	read := func(u toolchain.Unit) *reading {
		read, err := c.Read(t.Context(), t.TempDir(), flags, []toolchain.Unit{u})
		assert.NilError(t, err)
		if !read[0].OK {
			return nil
		}
		p, err := read[0].Program()
		assert.NilError(t, err)
		return &reading{u.Source, p}
	}
	base := read(units[0])
	for i, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			now := read(units[i])
			assert.Assert(t, now != nil, "does not compile")
			_, why := compare(base, now, observers)
			switch {
			case e.why == "" && why != "":
				t.Errorf("refused: %s", why)
			case e.why != "" && !strings.Contains(why, e.why):
				t.Errorf("said %q, want %q in it", why, e.why)
			}
		})
	}
}
