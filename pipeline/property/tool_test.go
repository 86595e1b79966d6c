package property

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func TestConformance(t *testing.T) {
	_, c := compiler(t)
	tooltest.Run(t, tooltest.Subject{
		Source: "testdata",
		Target: func(dir string) trial.Target {
			to := ringTarget(t)
			to.SourceDir, to.IncludeDirs = dir, []string{filepath.Join(dir, "include")}
			return to
		},
		New: func(_ tooltest.T, models *llm.Models) tooltest.Generator {
			return &Tool{Compiler: c, Models: models}
		},
		Exec: ringExecutor{ringBox().Executor(t)},
		Answer: func(m []llm.Message) string {
			switch text := m[len(m)-1].Content; {
			case strings.Contains(text, "Decide for each of them"):
				return "VERDICT test_b: test - misread\n" + code(tests(countHolds, corrected))
			case strings.Contains(text, "aspect in view: domains"), strings.Contains(text, "aspect in view: model"):
				return code(tests(countHolds, misread))
			}
			return code(tests(countHolds))
		},
		Params: map[string]any{"seeds": 1, "wave": 2, "alterations": 2}, Finite: true,
	})
}

// judged answers second opinions as it is told.
func judged(first, verdict, second string) func(string) string {
	return func(prompt string) string {
		if strings.Contains(prompt, "Decide for each of them") {
			return verdict + "\n" + code(second)
		}
		return code(first)
	}
}

func TestLibraryWrong(t *testing.T) {
	t.Parallel()
	m := generate(t, 2, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, judged(tests(countHolds, sumFails),
		"VERDICT test_b: library - \"ring_sum returns the sum of all bytes modulo 256\" - it is the plain sum", tests(countHolds, sumExcluded)))
	p := m.how.Properties
	if len(m.programs) != 1 || len(p.Exclusions) != 1 || p.Exclusions[0].Count == 0 {
		t.Fatalf("%d programs, %+v", len(m.programs), p)
	}
	if m.programs[0].Oracle != trial.OracleSpecification || !strings.Contains(m.prompts[1], "test_b. A property does not hold:") || strings.Contains(m.prompts[1], "test_a. ") {
		t.Errorf("%s, prompt %s", m.programs[0].Oracle, m.prompts[1])
	}
	assert.Assert(t, len(m.how.Suspicions) == 1, "suspicions %+v", m.how.Suspicions)
	s := m.how.Suspicions[0]
	if s.Opinion.Verdict != trial.Upheld || s.Fate != trial.FateRemoved || s.Assertion != "ring_sum(r) == sum" || !strings.HasPrefix(s.Document, "include/ring.h:") {
		t.Errorf("%+v", s)
	}
	if want := []string{"size = 24", "n = 24"}; !slices.Equal(s.Values, want) { // 0 + 1 + … + 23 is the first sum above 255
		t.Errorf("the case is %q, want %q", s.Values, want)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(m.dir), s.Program))
	assert.Check(t, err == nil && strings.Contains(string(text), "#define LISA_CASE 24,24,"),
		"the program of the suspicion: %v", err)
}

func TestTestWrong(t *testing.T) {
	t.Parallel()
	m := generate(t, 2, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, judged(tests(misread), "VERDICT test_a: test - it returns -1", tests(corrected)))
	if len(m.programs) != 1 || len(m.how.Suspicions) != 1 || m.how.Suspicions[0].Opinion.Verdict != trial.Contested || m.how.Suspicions[0].Fate != trial.FateMended {
		t.Errorf("%d programs, suspicions %+v", len(m.programs), m.how.Suspicions)
	}
	// What was written after the outcome was shown is apart.
	m = generate(t, 2, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, judged(tests(misread, countHolds), "VERDICT test_a: test - it returns -1", tests(corrected, countHolds)))
	if got := classes(m.programs); !slices.Equal(got, []string{`specification without "It returns -1 if the ring is empty.",`, `repaired_to_value without "The count is never more than the size.",`}) {
		t.Errorf("%q, %+v", got, m.how.Properties)
	}
	// Without an answer the other tests stay.
	m = generate(t, 1, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, judged(tests(misread, countHolds), "", ""))
	if len(m.programs) != 1 || !strings.Contains(m.programs[0].Source, "#define test_a left_out_test_a") {
		t.Errorf("%d programs, %+v", len(m.programs), m.how.Properties)
	}
}

// classes are those of programs, each with the sentences whose properties cannot fail in it.
func classes(programs []trial.Program) (list []string) {
	for _, p := range programs {
		off := "nothing"
		for line := range strings.Lines(p.Source) {
			if rest, ok := strings.CutPrefix(line, "#define LISA_OFF "); ok && !strings.HasPrefix(rest, "/*") {
				off = strings.TrimSpace(rest)
			}
		}
		list = append(list, string(p.Oracle)+" without "+off)
	}
	return list
}

// TestOracleClasses: what the documents do not say is apart.
func TestOracleClasses(t *testing.T) {
	t.Parallel()
	m := generate(t, 1, map[string]any{"seeds": 1, "wave": 1, "alterations": 0}, func(string) string { return code(tests(countHolds, ownJudgement)) })
	got := classes(m.programs)
	want := []string{
		`specification without "by meaning: what goes in comes out",`, `judgement without "The count is never more than the size.",`,
		`specification without "by meaning: what goes in comes out",`, `judgement without "The count is never more than the size.",`,
	}
	assert.Check(t, is.DeepEqual(got, want))
}

// TestCannotFail: a program that notices nothing is sent back once, and kept whatever comes. There are two,
// of which the second waits when the budget ends.
func TestCannotFail(t *testing.T) {
	t.Parallel()
	m := generate(t, 3, map[string]any{"seeds": 0, "wave": 1}, func(string) string { return code(tests(cannotFail)) })
	if got := m.how.Properties.Failures; len(m.programs) != 2 || !slices.Equal(got, []trial.NamedCount{{Name: failCannot, Count: 2}}) ||
		!strings.Contains(strings.Join(m.prompts, ""), "It cannot fail") {
		t.Errorf("%d programs, failures %+v", len(m.programs), got)
	}
}

// TestBadAnswers: each is counted by what is wrong with it, and none comes into the suite.
func TestBadAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer, failure string
		outcome               llm.Outcome
	}{
		{"no code", "I would test the count.", "", llm.Prose},
		{"no test", code("#include <ring.h>\nint main(void) { return 0; }"), failNoTest, llm.Code},
		{"no property", code(tests("    (void)n; (void)i;\n")), failNothing, llm.Code},
		{"nothing but discarded cases", code(tests("    ASSUME(size > RING_MAX);\n    PROPERTY(\"ring_put adds a byte.\", n == i);\n")), failNothing, llm.Code},
		{"does not compile", code(tests("    ring_swap(r, n, i);\n    PROPERTY(\"\", 0);\n")), failCompile, llm.Code},
		{"an endless loop", code(tests("    PROPERTY(\"ring_put adds a byte.\", 1); /* ENDLESS */ (void)n; (void)i;\n")), failTimeout, llm.Code},
		{"output without end", code(tests("    for (i = 0; i < 1000; i++) puts(\"a line of the output\");\n    PROPERTY(\"ring_put adds a byte.\", n <= 300);\n")), failOutput, llm.Code},
		{"undefined behaviour", code(tests("    int big = 0x7fffffff; big += (int)(n | 1); (void)i;\n    PROPERTY(\"ring_put adds a byte.\", big || !big);\n")), failSanitizer, llm.Code},
		{"a null pointer", code(tests("    r = NULL; n = ring_count(r); (void)i;\n    PROPERTY(\"ring_put adds a byte.\", n + 1);\n")), failCrash, llm.Code},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := generate(t, 1, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, func(string) string { return c.answer })
			var want []trial.NamedCount
			if c.failure != "" {
				want = []trial.NamedCount{{Name: c.failure, Count: 1}}
			}
			if got := m.how.Properties.Failures; !slices.Equal(got, want) || len(m.programs) != 0 || !slices.Equal(m.how.Answers, answered(c.outcome)) {
				t.Errorf("failures %+v, %d programs, answers %+v", got, len(m.programs), m.how.Answers)
			}
		})
	}
	t.Run("two programs", func(t *testing.T) {
		t.Parallel()
		m := generate(t, 1, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, func(string) string { return code(tests(countHolds)) + code(tests(corrected)) })
		assert.Check(t, len(m.programs) == 1 && slices.Equal(m.how.Answers, answered(llm.SeveralCode)),
			"%d programs, answers %+v", len(m.programs), m.how.Answers)
	})
	for _, sentence := range []string{"", "The number is always less.", "by meaning: it is counted"} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			m := generate(t, 1, map[string]any{"seeds": 0, "wave": 1, "alterations": 0}, func(string) string {
				return code(tests(strings.Replace(countHolds, "The count is never more than the size.", sentence, 1)))
			})
			assert.Check(t, len(m.programs) == 1 && m.programs[0].Oracle == trial.OracleJudgement, "%+v", m.programs)
		})
	}
}

// answered is what a record has of one answer.
func answered(o llm.Outcome) []trial.AnswerCount {
	return []trial.AnswerCount{{Stage: stageTest, Outcome: string(o), Count: 1}}
}

func TestMutantsAsFeedback(t *testing.T) {
	t.Parallel()
	empty := strings.Replace(countHolds, "== (n < size", "== 0 + (n < size", 1)
	answers := []string{tests(countHolds), tests(empty), tests(countHolds)}
	m := generate(t, 5, map[string]any{"seeds": 0, "wave": 1, "alterations": 0, "feedback": "mutants"}, func(string) string {
		answer := answers[0]
		answers = answers[1:]
		return code(answer)
	})
	assert.Assert(t, len(m.prompts) == 3 && !strings.Contains(m.prompts[0], survivors.Title),
		"%d prompts, the first: %s", len(m.prompts), m.prompts[0])
	for i, want := range []bool{true, false} { // the second is killed then
		for text, want := range map[string]bool{"ring.c:7": true, "ring.c:8": want} {
			assert.Check(t, strings.Contains(m.prompts[i+1], text) == want,
				"prompt %d, %s: %v\n%s", i+2, text, !want, m.prompts[i+1])
		}
	}
	if want := (trial.MutantFeedback{Mutants: 2, Reached: 2, Killed: 1, Shown: 2, KilledShown: 1}); m.how.Mutants == nil || *m.how.Mutants != want {
		t.Errorf("counts %+v", m.how.Mutants)
	}
}
