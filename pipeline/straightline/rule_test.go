package straightline

import (
	"regexp"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestWhatIsRefusedIsTold: every kind of violation is in one rule, and every function that a rule names
// as an example is banned by it.
func TestWhatIsRefusedIsTold(t *testing.T) {
	for kind, k := range kinds {
		assert.Check(t, RuleOf(kind).ID == k.rule)
	}
	for _, id := range []string{"ends", "alone", "same"} {
		text := Rules[slices.IndexFunc(Rules, func(r Rule) bool { return r.ID == id })].Text
		for _, m := range regexp.MustCompile("[(,] ?`(\\w+)`").FindAllStringSubmatch(text, -1) {
			assert.Check(t, kinds[banned[m[1]]].rule == id, "%s is told in %s, and banned as %q", m[1], id, banned[m[1]])
		}
	}
}

// TestWhatIsToldIsRefused: each rule refuses what breaks it, and what it allows passes.
func TestWhatIsToldIsRefused(t *testing.T) {
	const allowed = "allowed"
	c := newChecker(t, trial.C)
	for _, p := range []struct{ rule, source string }{
		{"function", "int main(void) { return 0; }"},
		{"function", "static int nothing;"},
		{"straight", "void test_a(void) { for (int i = 0; i < 2; i++) kv_len(\"x\"); }"},
		{"straight", "void test_a(void) { again: kv_len(\"x\"); goto again; }"},
		{"straight", "int helper(int n) { return helper(n); }\nvoid test_a(void) { helper(2); }"},
		{"branches", "void test_a(void) { if (kv_len(\"x\")) kv_len(\"y\"); }"},
		{"branches", "void test_a(void) { if (kv_len(\"x\")) return; kv_len(\"y\"); }"},
		{allowed, "#include <setjmp.h>\nstatic jmp_buf at;\nvoid test_a(void) { if (setjmp(at)) { kv_len(\"x\"); return; } kv_len(\"y\"); }"},
		{allowed, "#include <setjmp.h>\nstatic jmp_buf at;\nvoid test_a(void) { if (setjmp(at) != 0) return; kv_len(\"y\"); }"},
		{"branches", "#include <setjmp.h>\nstatic jmp_buf at;\nvoid test_a(void) { if (setjmp(at)) kv_len(\"x\"); }"},
		{"conditional", "void test_a(void) { int n = 1; n = n || kv_len(\"x\"); }"},
		{"conditional", "#include <assert.h>\nvoid test_a(void) { assert(kv_len(\"x\") == 1 || kv_len(\"y\") == 1); }"},
		{allowed, "#include <assert.h>\nvoid test_a(void) { int n = 1; n = n > 0 ? n : 2; assert(kv_len(\"x\") == 1 && kv_len(\"y\") == 1); }"},
		{"visible", "void before(void) __attribute__((constructor));\nvoid before(void) { kv_len(\"x\"); }\nvoid test_a(void) { kv_len(\"x\"); }"},
		{"visible", "void test_a(void) { __asm__(\"nop\"); }"},
		{"ends", "#include <stdlib.h>\nvoid test_a(void) { exit(0); }"},
		{"alone", "#include <stdlib.h>\nvoid test_a(void) { system(\"true\"); }"},
		{"same", "#include <time.h>\nvoid test_a(void) { time(0); }"},
		{allowed, "static int kept;\nstatic void callback(int n) { kept = n; }\nvoid test_a(void) { void (*f)(int) = callback; f(3); kv_len(\"x\"); (void)kept; }"},
	} {
		r := check(t, c, toolchain.Unit{ID: "p", Lang: trial.C, Source: "#include \"kv.h\"\n" + p.source + "\n"})[0]
		want := []string{p.rule}
		if p.rule == allowed {
			want = nil
		}
		if got := r.Broken(); r.Program == nil || !slices.Equal(got, want) {
			t.Errorf("breaks %v, want %v (compiles: %v): %s\n%v", got, want, r.Program != nil, p.source, r.Violations)
		}
	}
}
