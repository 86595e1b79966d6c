package property

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// cxxBox compiles programs of C++, with no library.
var cxxBox = sync.OnceValue(func() *tooltest.Box {
	found, err := tools()
	if err != nil {
		panic(err)
	}
	return &tooltest.Box{Clang: found.ClangXX.Path,
		Dir: compilerDir, Name: "ring", Built: "-lc", Flags: []string{"-std=gnu++17"}}
})

func read(name string) string {
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// inBoth runs a test with clang in C and in C++.
func inBoth(t *testing.T, test func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result)) {
	t.Parallel()
	for _, lang := range []trial.Language{trial.C, trial.CXX} {
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			box := ringBox()
			if lang == trial.CXX {
				box = cxxBox()
			}
			test(t, func(s setting, source string, o trial.ExecOptions) trial.Result {
				t.Helper()
				results, err := box.Executor(t).Run(t.Context(), []trial.Program{{ID: "p", Lang: lang, Source: s.program(source)}}, o)
				assert.Assert(t, err == nil && results[0].Outcome != trial.CompileError,
					"%v, %s", err, results[0].Diagnostic)
				return results[0]
			})
		})
	}
}

// draws is a program that prints what it draws, in lines of a name and values.
var draws = read("draws.c")

// drawn are the values of a program's output, by name.
func drawn(stdout string) map[string][]string {
	values := map[string][]string{}
	for line := range strings.Lines(stdout) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		values[name] = append(values[name], value)
	}
	return values
}

// TestDraws: every domain's ends and boundaries come, and nothing outside of it.
func TestDraws(t *testing.T) {
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		r := run(setting{}, draws, trial.ExecOptions{Stdout: true})
		assert.Assert(t, r.Outcome == trial.OK, "%s: %s", r.Outcome, r.Stderr)
		values := drawn(r.Stdout)
		for name, want := range map[string][]string{
			"int": {"-5", "0", "1", "1000", "512"}, "below": {"-9", "-3", "-4"}, "wide": {"-9223372036854775808", "9223372036854775807", "0"},
			"uint": {"10", "18446744073709551615"}, "size": {"0", "1", "70000"}, "double": {"-2", "8", "0", "1", "3", "-1", "0.5"},
			"pick": {"0", "1", "2", "3", "4", "5", "6"}, "chunk": {"1", "2", "3"}, "of": {"3", "5"}, "bytes": {"same", "mixed"},
		} {
			for _, w := range want {
				assert.Check(t, slices.Contains(values[name], w), "%s is never %s", name, w)
			}
		}
		for name, ends := range map[string][2]float64{"int": {-5, 1000}, "below": {-9, -3}, "uint": {10, 1 << 64}, "size": {0, 70000}, "double": {-2, 8}, "pick": {0, 6}, "chunk": {1, 3}} {
			for _, v := range values[name] {
				if f, err := strconv.ParseFloat(v, 64); err != nil || f < ends[0] || f > ends[1] {
					t.Errorf("%s is %s", name, v)
				}
			}
		}
		powers := map[int]bool{} // of two, that came with both neighbours' distance or less
		for _, v := range values["size"] {
			n, _ := strconv.ParseUint(v, 10, 64)
			for _, near := range []uint64{n - 1, n, n + 1} {
				if bits.OnesCount64(near) == 1 {
					powers[bits.Len64(near)] = true
				}
			}
		}
		assert.Check(t, len(powers) >= 12, "sizes near %d powers of two", len(powers))
		for _, text := range values["text"] {
			if n, span, _ := strings.Cut(text, " "); n != span || n > "8" {
				t.Errorf("text of %s characters has %s of its alphabet", n, span)
			}
		}
	})
}

// TestPairs: all pairs come, in far fewer cases than all combinations.
func TestPairs(t *testing.T) {
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		rows := drawn(run(setting{}, draws, trial.ExecOptions{Stdout: true}).Stdout)["pairs"]
		levels, seen := []int{3, 2, 4, 5, 2}, map[string]bool{}
		for _, row := range rows {
			choice := strings.Fields(row)
			for i := range choice {
				for j := range i {
					seen[fmt.Sprint(j, choice[j], i, choice[i])] = true
				}
			}
		}
		pairs := 0
		for i := range levels {
			for j := range i {
				pairs += levels[i] * levels[j]
			}
		}
		if len(seen) != pairs || len(rows) < 20 || len(rows) > 30 { // 4 times 5 at least, of 240 combinations
			t.Errorf("%d of %d pairs in %d cases", len(seen), pairs, len(rows))
		}
	})
}

// TestCounts: what is left out is counted, and a test without an end ends by its steps.
func TestCounts(t *testing.T) {
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		stderr := run(setting{}, draws, trial.ExecOptions{Stdout: true}).Stderr
		sites := parseReport(stderr).sites
		at := slices.IndexFunc(sites, func(s site) bool { return s.exclusion })
		assert.Assert(t, at > 0 && sites[at].text == "a third", "%+v", sites)
		checked, excluded, endless := sites[at-1], sites[at].count, sites[len(sites)-1]
		discarded := fmt.Sprintf("cases=200 discarded=%d\n", 200-checked.count)
		if !strings.Contains(stderr, discarded) || excluded == 0 || checked.count+excluded >= 200 || checked.line != 39 {
			t.Errorf("%+v in\n%s", checked, stderr)
		}
		if !strings.Contains(stderr, "used up its steps cases=1 ") || endless.count < 1_900_000 || endless.count > 2_000_000 {
			t.Errorf("%+v", endless)
		}
	})
}

// TestSame: another run, other memory and the sanitizers change nothing; another seed does, and a scale.
func TestSame(t *testing.T) {
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		first := run(setting{}, draws, trial.ExecOptions{Stdout: true})
		for _, o := range []trial.ExecOptions{{Perturb: true}, {Sanitize: true}} {
			if r := run(setting{}, draws, o); r.Outcome != trial.OK || r.Stdout != first.Stdout || r.Stderr != first.Stderr {
				t.Errorf("%+v: %s %s", o, r.Outcome, r.Diagnostic)
			}
		}
		r := run(setting{seed: 2, scale: 2, without: []string{"test_endless"}}, strings.Replace(draws, "void test_endless", "static inline void test_endless", 1), trial.ExecOptions{})
		if a, b := drawn(first.Stdout)["int"], drawn(r.Stdout)["int"]; len(b) != 2*len(a) || slices.Equal(a, b[:len(a)]) {
			t.Errorf("another seed: %d cases after %d", len(b), len(a))
		}
	})
}

// fails is a program with a property that does not hold for some of its cases.
var fails = read("fails.c")

// TestShrinking: the case printed is the smallest, runs alone, and is the same in C and C++.
func TestShrinking(t *testing.T) {
	want := slices.Concat([]string{"a = -777", "n = 17", "c[0] = choice 0", "c[1] = choice 1"}, slices.Repeat([]string{"chunk = 1"}, 17),
		[]string{"bytes = choice 0", "bytes: lisa_fill(bytes, 17, 0, 0)", "sum = 17"})
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		r := run(setting{}, fails, trial.ExecOptions{})
		c := parseReport(r.Stderr).failed
		if r.Outcome != trial.Assertion || r.Assertion.Line != 13 || r.Assertion.Func != "test_it" || c == nil {
			t.Fatalf("%s, %+v, %s", r.Outcome, r.Assertion, r.Stderr)
		}
		if c.sentence != `A sentence of the "document".` || c.condition != "a > -777 || n < 17 || c[1] == 0" || !slices.Equal(c.lines, want) {
			t.Errorf("%+v", c)
		}
		alone := run(setting{draws: c.draws}, fails, trial.ExecOptions{})
		report := parseReport(alone.Stderr)
		if alone.Outcome != trial.Assertion || report.failed.draws != c.draws || !slices.Equal(report.failed.lines, want) {
			t.Errorf("alone: %s, %s", alone.Outcome, alone.Stderr)
		}
		large := run(setting{large: true}, fails, trial.ExecOptions{})
		if left := parseReport(large.Stderr).failed; large.Outcome != trial.Assertion || large.Assertion.Line != 13 || left == nil || slices.Equal(left.lines, want) || !strings.Contains(large.Stderr, "found in 0 runs") {
			t.Errorf("left as it is: %s, %s", large.Outcome, large.Stderr)
		}
		off := run(setting{off: []string{`A sentence  of the "document".`}}, fails, trial.ExecOptions{})
		assert.Check(t, off.Outcome == trial.OK && strings.Contains(off.Stderr, " passes cases=500 "),
			"off: %s, %s", off.Outcome, off.Stderr)
	})
}

// TestShrinkingEndsByCount: it runs a test's cases at most four times over, however long that takes. So a prompt that has the case is the same on any
// machine.
func TestShrinkingEndsByCount(t *testing.T) {
	source := "#include \"lisa_prop.h\"\n" +
		"static void body(void) { unsigned sum = 0; for (int i = 0; i < 300; i++) sum += lisa_int(\"n\", 0, 1000000) > 500000; PROPERTY(\"fails\", sum < 20); }\n" +
		"void test_it(void) { lisa_check(body, 10); }\n"
	inBoth(t, func(t *testing.T, run func(setting, string, trial.ExecOptions) trial.Result) {
		if r := run(setting{}, source, trial.ExecOptions{}); r.Outcome != trial.Assertion || !strings.Contains(r.Stderr, "found in 40 runs") {
			t.Errorf("%s, %s", r.Outcome, r.Stderr)
		}
	})
}

// TestTrace: of a program that crashes, the last case told of is the one. An array may be written in place.
func TestTrace(t *testing.T) {
	t.Parallel()
	source := "#include \"lisa_prop.h\"\nstatic void body(void) { if (lisa_int(\"n\", 0, 9) == 9 && LISA_ONE_OF(\"a\", (int[]){1, 1})) __builtin_trap(); }\nvoid test_it(void) { lisa_check(body, 9); }\n"
	results, err := ringBox().Executor(t).Run(t.Context(), []trial.Program{{ID: "p", Lang: trial.C, Source: setting{trace: true}.program(source)}}, trial.ExecOptions{})
	assert.Assert(t, err == nil && results[0].Outcome == trial.Crash, "%v, %+v", err, results)
	if last := lastCase(results[0].Stderr); len(last) != 3 || last[0] != "case 1" || last[1] != "n = 9" {
		t.Errorf("%q", last)
	}
}

// TestCXX: what only the header for C++ has.
func TestCXX(t *testing.T) {
	t.Parallel()
	results, err := cxxBox().Executor(t).Run(t.Context(), []trial.Program{{ID: "p", Lang: trial.CXX, Source: setting{}.program(read("only-cxx.cc"))}}, trial.ExecOptions{Stdout: true})
	if err != nil || results[0].Outcome != trial.OK || results[0].Stdout != "20 both\nreleased\nreleased\n" {
		t.Errorf("%v, %+v", err, results)
	}
}
