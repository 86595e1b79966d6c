package invariant

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
)

// byStep answers each step of sums with an edit of it: the text before … is replaced by the
// text after it. A repair gets what fix makes of the whole prompt.
type byStep struct {
	edits map[string][2]string // by the step's number
	fix   func(prompt, step string) string

	mu      sync.Mutex
	prompts []string
}

func (b *byStep) model(messages []llm.Message) string {
	prompt, step := messages[len(messages)-1].Content, asked(messages)
	b.mu.Lock()
	b.prompts = append(b.prompts, prompt)
	b.mu.Unlock()
	if isRepair(messages) && b.fix != nil {
		return b.fix(prompt, step)
	}
	for number, e := range b.edits {
		if strings.HasPrefix(strings.TrimSpace(step), "// STEP"+number) {
			return code(strings.Replace(step, e[0], e[1], 1))
		}
	}
	return code(step)
}

func failures(g generated) map[string]int {
	counts := map[string]int{}
	for _, c := range g.how.Invariants.Failures {
		counts[c.Name] = c.Count
	}
	return counts
}

func TestAssertionsGoInStepByStep(t *testing.T) {
	m := &byStep{edits: map[string][2]string{
		"1": {"tally_open(&t, 2);", "int opened = tally_open(&t, 2);\n    assert(opened == TALLY_OK); // structural: a limit above 0"},
		"2": {"tally_inc(&t);", "long before = t.sum;\n    tally_inc(&t);\n    assert(rc == TALLY_OK);\n    assert(t.sum == before + 1); // relational: adds one"},
		"3": {"(void)sum;", "assert(sum == 6);\n    (void)sum;"},
	}}
	g := mustGenerate(t, setting{model: m.model, seeds: []string{sums}})
	assert.Assert(t, len(g.programs) == 1 && g.stop == trial.StopExhausted,
		"%d programs, stop %s", len(g.programs), g.stop)
	p := g.programs[0]
	if n := strings.Count(p.Source, "assert("); n != 4 || p.Oracle != trial.OracleSpecification || p.Origin != "p00001.c" {
		t.Errorf("%d assertions, oracle %s, origin %s:\n%s", n, p.Oracle, p.Origin, p.Source)
	}
	how := g.how.Invariants
	if how.Seeds != 1 || how.Finished != 1 || how.Chunks != 3 || how.Assertions != 4 || how.Unsplit != 0 || len(how.Repaired) != 1 || how.Repaired[0] != 3 {
		t.Errorf("%+v", how)
	}
	if got := how.Kinds; len(got) != 3 || got[0] != (trial.NamedCount{Name: "relational", Count: 1}) || got[2].Count != 2 {
		t.Errorf("kinds %+v", got)
	}
	// The prompt for the last step has the assertions of those before it, and not its own.
	last := m.prompts[len(m.prompts)-1]
	if !strings.Contains(last, "assert(opened == TALLY_OK);") || !strings.Contains(last, "assert(t.sum == before + 1);") || !strings.Contains(last, "Returns the sum, and does not change t.") {
		t.Errorf("prompt:\n%s", last)
	}
}

// TestBadAnswers has a model that never gives better than its first answer.
func TestBadAnswers(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to string // in step 2
		failure  string // "" if the answer is accepted
		kept     int    // assertions in the end
	}{
		{"unchanged", "", "", "", 0},
		{"deletes a call", "tally_inc(&t);", "", failSequence, 0},
		{"adds a call", "tally_inc(&t);", "tally_inc(&t); tally_inc(&t);", failSequence, 0},
		{"adds a loop", "tally_inc(&t);", "tally_inc(&t); for (int i = 0; i < 2; i++) assert(t.count == 2);", failSequence, 0},
		{"ends the function", "tally_inc(&t);", "tally_inc(&t); } void test_other(void) {", "", 0}, // is cut off
		{"address", "tally_inc(&t);", "tally_inc(&t); assert((uintptr_t)&t % 4096 == 64);", failSequence, 0},
		{"time", "tally_inc(&t);", "tally_inc(&t); assert(time(0) > 0);", failCompile, 0},
		{"memory that nobody set", "tally_inc(&t);", "unsigned char junk[64]; tally_inc(&t); assert(junk[3] == 0x77);", failAssertion, 0},
		{"beyond a buffer", "tally_inc(&t);", "int two[2] = {1, 2}; int at = t.count; tally_inc(&t); assert(two[at + 1] == 99 || 1);", failSanitizer, 0},
		{"does not compile", "tally_inc(&t);", "tally_inc(&t); assert(nope == 1);", failCompile, 0},
		{"a name of a later step", "tally_inc(&t);", "tally_inc(&t); int sum = 6; assert(sum == 6);", failCompile, 0},
		{"null pointer", "tally_inc(&t);", "const tally *n = NULL; tally_inc(&t); assert(n->sum == 6);", failCrash, 0},
		{"too strong, and one that is right", "tally_inc(&t);", "tally_inc(&t); assert(t.sum == 7); // value range: wrong\n    assert(t.count == 2);", failAssertion, 1},
		{"two that are wrong", "tally_inc(&t);", "tally_inc(&t); assert(t.sum == 7);\n    assert(t.count == 3);\n    assert(t.limit == 2);", failAssertion, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := &byStep{edits: map[string][2]string{"2": {c.from, c.to}}}
			m.fix = func(_, step string) string { return code(strings.Replace(step, c.from, c.to, 1)) }
			g := mustGenerate(t, setting{model: m.model, seeds: []string{sums}, params: map[string]any{"inv_attempts": 2, "inv_runs": 1}})
			how := g.how.Invariants
			want := map[string]int{}
			if c.failure != "" {
				want[c.failure] = 3 // the first answer and two repairs
			}
			if got := failures(g); len(got) != len(want) || got[c.failure] != want[c.failure] {
				t.Errorf("failures %v, want %v; history %+v", got, want, how)
			}
			assert.Check(t, how.Assertions == c.kept && len(g.programs) == 1,
				"%d assertions in %d programs, want %d", how.Assertions, len(g.programs), c.kept)
			if c.kept == 0 && g.programs[0].Source != sums {
				t.Errorf("without assertions the program is another:\n%s", g.programs[0].Source)
			}
		})
	}
}

// TestRepairSeesTheValuesAndIsTaken: what is written once the values were shown is of a class of its
// own, in the program, for every table, and in the record. What was there before keeps its class. A
// variant shows no values.
func TestRepairSeesTheValuesAndIsTaken(t *testing.T) {
	const first = "tally_inc(&t);\n    assert(t.count == 2); // value range: two were added\n    assert(rc == TALLY_OK && t.sum == 7); // value range: too strong"
	for _, values := range []bool{true, false} {
		m := &byStep{edits: map[string][2]string{"2": {"tally_inc(&t);", first}}}
		m.fix = func(prompt, step string) string {
			for _, want := range []string{"Failing assertion: rc == TALLY_OK && t.sum == 7", "line ", "tally_open(&t, 2);"} {
				assert.Check(t, strings.Contains(prompt, want), "the prompt lacks %q:\n%s", want, prompt)
			}
			for _, want := range []string{"    rc = 0\n", "    t.sum = 6\n", "Values"} {
				assert.Check(t, strings.Contains(prompt, want) == values,
					"values %v, but in the prompt %q is not so:\n%s", values, want, prompt)
			}
			return code(strings.Replace(step, "tally_inc(&t);", "tally_inc(&t);\n    assert(t.count==2);\n    assert(t.sum >= 5); // value range: weaker", 1))
		}
		g := mustGenerate(t, setting{model: m.model, seeds: []string{sums}, params: map[string]any{"repair_values": values}})
		how := g.how.Invariants
		if how.Assertions != 2 || len(g.how.Suspicions) != 1 || len(how.Repaired) != 2 || how.Repaired[1] != 1 || how.Repaired[0] != 2 {
			t.Errorf("%+v", how)
		}
		p := g.programs[0]
		if how.Asserted[0].Mended || how.Asserted[1].Mended != values || how.Mended != strings.Count(p.Source, trial.RepairedMark) || strings.Contains(p.Source, "assert(t.sum >= 5); // value range: weaker // "+trial.RepairedMark+"\n") != values {
			t.Errorf("values %v: %+v\n%s", values, how.Asserted, p.Source)
		}
		if values && (p.OracleAt(how.Asserted[0].Last) != trial.OracleSpecification || p.OracleAt(how.Asserted[1].Last) != trial.OracleRepaired) {
			t.Errorf("classes %s, %s", p.OracleAt(how.Asserted[0].Last), p.OracleAt(how.Asserted[1].Last))
		}
		if len(m.prompts) > 0 && strings.Contains(strings.Join(m.prompts, ""), trial.RepairedMark) {
			t.Error("a prompt has the mark")
		}
	}
}

// TestSuspicions: an assertion that fails is kept with what it rests on, whether the repair mends it
// or gives it up, and a second opinion is asked of the documents and the outcome.
func TestSuspicions(t *testing.T) {
	const wrong = "assert(tally_sum(&t) == 7); // documentation [tally_sum.1]: the sum\n    assert(sum > 0);\n    (void)sum;"
	m := &byStep{edits: map[string][2]string{
		"2": {"tally_inc(&t);", "tally_inc(&t);\n    assert(t.count == 3); // value range: three were added"},
		"3": {"(void)sum;", wrong},
	}}
	contracts := t.TempDir()
	base := "library: tally\napis:\n  - api: tally_sum\n    contracts:\n      - {id: tally_sum.1, kind: documentation, text: it is the sum, source: doc, place: \"tally.h:22\", passage: Returns the sum, status: accepted, reason: found}\n"
	assert.NilError(t, os.WriteFile(filepath.Join(contracts, "tally.yaml"), []byte(base), 0o644))
	m.fix = func(_, step string) string {
		if strings.Contains(step, "(void)sum;") {
			return code(strings.Replace(step, "(void)sum;", wrong, 1)) // insists
		}
		return code(strings.Replace(step, "tally_inc(&t);", "tally_inc(&t);\n    assert(t.count == 2);", 1))
	}
	var opinions []string
	var mu sync.Mutex
	model := func(ms []llm.Message) string {
		prompt := ms[len(ms)-1].Content
		if !strings.Contains(prompt, "UPHELD:") {
			return m.model(ms)
		}
		mu.Lock()
		defer mu.Unlock()
		opinions = append(opinions, prompt)
		if strings.Contains(prompt, "This assertion failed: t.count == 3") {
			return "CONTESTED: two were added."
		}
		return "UPHELD: Returns the sum."
	}
	g := mustGenerate(t, setting{model: model, seeds: []string{sums, sums}, params: map[string]any{"contracts": contracts, "second_opinion": true}})
	found := g.how.Suspicions
	assert.Assert(t, len(found) == 4 && len(opinions) == 4, "%d opinions, suspicions %+v", len(opinions), found)
	want := trial.Suspicion{ID: "s001", Program: "work/suspicions/s001.c", Script: "work/suspicions/s001.sh", Line: found[0].Line, Place: "p00001, step 2",
		Assertion: "t.count == 3", Kind: "value range", Values: []string{"t.count = 2"}, Argument: "value range: three were added", Fate: trial.FateMended,
		Opinion: trial.Opinion{Verdict: trial.Contested, Why: "two were added."}}
	assert.Check(t, reflect.DeepEqual(found[0], want), "%+v", found[0])
	want = trial.Suspicion{ID: "s004", Program: "work/suspicions/s004.c", Script: "work/suspicions/s004.sh", Line: found[3].Line, Place: "p00002, step 3",
		Assertion: "tally_sum(&t) == 7", Kind: "documentation", Values: []string{"tally_sum(&t) = 6"}, Argument: "documentation [tally_sum.1]: the sum", Fate: trial.FateRemoved,
		Contract: "tally_sum.1", Sentence: "Returns the sum", Document: "tally.h:22", Insisted: 5, Opinion: trial.Opinion{Verdict: trial.Upheld, Why: "Returns the sum."}}
	assert.Check(t, reflect.DeepEqual(found[3], want), "%+v", found[3])
	if text, err := os.ReadFile(filepath.Join(filepath.Dir(g.dir), found[3].Program)); err != nil || strings.Contains(string(text), "t.count == 2") || !strings.Contains(string(text), "tally_inc(&t)") {
		t.Errorf("%v\n%s", err, text)
	}
	if strings.Contains(g.programs[1].Source, "== 7") || !strings.Contains(g.programs[1].Source, "assert(sum > 0)") {
		t.Errorf("finished test:\n%s", g.programs[1].Source)
	}
	assert.Check(t, strings.Contains(m.prompts[len(m.prompts)-1], "[tally_sum.1] documentation: it is the sum"),
		"prompt:\n%s", m.prompts[len(m.prompts)-1])
	for _, prompt := range opinions {
		if !strings.Contains(prompt, "Returns the sum, and does not change t.") && strings.Contains(prompt, "long tally_sum") || strings.Contains(prompt, "three were added") {
			t.Errorf("prompt:\n%s", prompt)
		}
	}
}

// TestVariants runs the ablations on the same seeds.
func TestVariants(t *testing.T) {
	contracts := t.TempDir()
	base := "library: tally\napis:\n  - api: tally_add\n    contracts:\n      - {id: tally_add.1, kind: relational, text: DOCTEXT, source: doc, status: accepted, reason: r}\n" +
		"      - {id: tally_add.2, kind: value_range, text: MINED, source: daikon, status: accepted, reason: r}\n      - {id: tally_add.3, kind: value_range, text: NEVER, source: daikon, status: rejected, reason: r}\n"
	assert.NilError(t, os.WriteFile(filepath.Join(contracts, "tally.yaml"), []byte(base), 0o644))
	const wrong = "tally_inc(&t);\n    assert(t.sum == 7);\n    assert(t.count == 2);"
	for _, c := range []struct {
		name       string
		params     map[string]any
		asked      int // requests
		assertions int
		has, lacks []string // in the prompts
	}{
		{"all", nil, 3 + 5, 1, []string{"DOCTEXT", "MINED", "Adds v. Returns"}, []string{"NEVER"}},
		{"no repair", map[string]any{"inv_repair": false}, 3, 1, nil, []string{"What is wrong"}},
		{"no repair, failing assertions stay", map[string]any{"inv_repair": false, "keep_failing": true}, 3, 2, nil, []string{"What is wrong"}},
		{"one attempt", map[string]any{"inv_attempts": 1}, 3 + 1, 1, nil, nil},
		{"one shot", map[string]any{"chunks": false}, 1 + 5, 1, []string{"The whole program"}, []string{"Program so far"}},
		{"no knowledge", map[string]any{"knowledge": "none"}, 8, 1, []string{"int tally_add("}, []string{"DOCTEXT", "MINED", "Adds v. Returns", "What is known"}},
		{"daikon only", map[string]any{"knowledge": "daikon"}, 8, 1, []string{"MINED", "NEVER"}, []string{"DOCTEXT", "Adds v. Returns"}},
		{"daikon judged", map[string]any{"knowledge": "daikon_judged"}, 8, 1, []string{"MINED"}, []string{"NEVER", "DOCTEXT", "Adds v. Returns"}},
		{"documents only", map[string]any{"knowledge": "documents"}, 8, 1, []string{"DOCTEXT", "Adds v. Returns"}, []string{"MINED"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := &byStep{edits: map[string][2]string{"2": {"tally_inc(&t);", wrong}}}
			m.fix = func(_, step string) string { return code(strings.Replace(step, "tally_inc(&t);", wrong, 1)) }
			model := m.model
			if c.params["chunks"] == false {
				model = func(ms []llm.Message) string {
					m.model(ms)
					return code(strings.Replace(asked(ms), "tally_inc(&t);", wrong, 1))
				}
			}
			params := map[string]any{"contracts": contracts, "inv_runs": 1}
			for k, v := range c.params {
				params[k] = v
			}
			g := mustGenerate(t, setting{model: model, seeds: []string{sums}, params: params})
			all := strings.Join(m.prompts, "\n")
			if len(m.prompts) != c.asked || g.how.Invariants.Assertions != c.assertions {
				t.Errorf("%d requests and %d assertions, want %d and %d", len(m.prompts), g.how.Invariants.Assertions, c.asked, c.assertions)
			}
			for _, text := range c.has {
				assert.Check(t, strings.Contains(all, text), "no prompt has %q", text)
			}
			for _, text := range c.lacks {
				assert.Check(t, !strings.Contains(all, text), "a prompt has %q", text)
			}
		})
	}
}

// TestAllProgramsAdvanceTogether: a round asks for one chunk of every program.
func TestAllProgramsAdvanceTogether(t *testing.T) {
	short := strings.Replace(sums, "    // STEP3\n", "", 1)
	unsplit := strings.Replace(sums, "// STEP2", "// STEP7", 1)
	leaks := strings.Replace(sums, "(void)rc;", "(void)rc; tally_scratch(2)[2] = 1;", 1)
	broken := strings.Replace(sums, "(void)rc;", "nope();", 1)
	m := &byStep{}
	g := mustGenerate(t, setting{model: m.model, seeds: []string{sums, short, unsplit, leaks, broken}})
	how := g.how.Invariants
	if len(g.programs) != 5 || how.Seeds != 4 || how.Unfit != 1 || how.Unsplit != 1 || how.Chunks != 3+2+1 || how.Unchanged != 6 {
		t.Errorf("%d programs, %+v", len(g.programs), how)
	}
	var ids []string
	for _, line := range entries(t, g.transcript) {
		ids = append(ids, line.ID)
	}
	if got := strings.Join(ids, " "); got != "r0001-d001-p001 r0001-d001-p002 r0001-d001-p003 r0001-d002-p001 r0001-d002-p002 r0001-d003-p001" {
		t.Errorf("requests %s", got)
	}
	for i, p := range g.programs {
		assert.Check(t, p.Oracle == "", "program %d has no assertions, but the class %s", i, p.Oracle)
	}
}

type entry struct{ ID string }

func entries(t *testing.T, transcript string) []entry {
	t.Helper()
	text, err := os.ReadFile(transcript)
	assert.NilError(t, err)
	var list []entry
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var e entry
		assert.NilError(t, json.Unmarshal(line, &e))
		if i > 0 {
			list = append(list, e)
		}
	}
	return list
}

// TestTimeEndsInMidProgram: what was answered in time is in the suite, and so is every seed; all valid seeds count.
func TestTimeEndsInMidProgram(t *testing.T) {
	m := &byStep{edits: map[string][2]string{"1": {"tally_open(&t, 2);", "tally_open(&t, 2);\n    assert(t.count == 0);"}}}
	slow := func(ms []llm.Message) string {
		time.Sleep(20 * time.Millisecond) // more than the budget
		return m.model(ms)
	}
	s := setting{model: slow, seeds: []string{sums, sums}, params: map[string]any{"wave": 1}, budget: trial.Budget{Time: 10 * time.Millisecond}}
	g := mustGenerate(t, s)
	assert.Assert(t, g.stop == trial.StopTime && len(g.programs) == 2 && g.how.Invariants.Seeds == 2,
		"stop %s, programs %+v, %+v", g.stop, g.programs, g.how.Invariants)
	for i, want := range []int{1, 0} {
		if n := strings.Count(g.programs[i].Source, "assert("); n != want {
			t.Errorf("program %d has %d assertions, want %d", i+1, n, want)
		}
	}
}

// TestBothStages: the first stage's programs get their assertions in waves, within one budget
// and one transcript.
func TestBothStages(t *testing.T) {
	m := &byStep{edits: map[string][2]string{"1": {"tally_open(&t, 2);", "int ok = tally_open(&t, 2);\n    assert(ok == TALLY_OK);"}}}
	n := 0
	var mu sync.Mutex
	model := func(ms []llm.Message) string {
		if asked(ms) != "" && strings.Contains(ms[0].Content, "oracles") {
			return m.model(ms)
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		if n%3 == 0 {
			return code(strings.Replace(sums, "tally_inc(&t);", "nope();", 1))
		}
		return code(sums)
	}
	s := setting{model: model, budget: trial.Budget{Programs: 7}, params: map[string]any{"samples": 3, "wave": 2, "repair": false, "rules": false, "inv_runs": 1}}
	g := mustGenerate(t, s)
	if g.stop != trial.StopPrograms || len(g.programs) != 7 || g.how.Final.Programs != 7 || g.usage.Programs != 7 {
		t.Fatalf("stop %s, %d programs, %+v", g.stop, len(g.programs), g.how.Final)
	}
	asserting := 0
	for _, p := range g.programs {
		asserting += strings.Count(p.Source, "assert(ok == TALLY_OK)")
		if !strings.HasPrefix(p.Source, "// r0") || strings.Contains(p.Source, "nope") && p.Oracle != "" {
			t.Errorf("program %+v", p)
		}
	}
	if how := g.how.Invariants; how.Seeds != 5 || how.Finished != 5 || asserting != 5 || g.how.Final.Executed != 5 {
		t.Errorf("%d asserting, %+v, %+v", asserting, how, g.how.Final)
	}
}

// TestMemoryThatWasNotSet: what holds by chance of the heap is found before it is accepted.
func TestMemoryThatWasNotSet(t *testing.T) {
	seed := strings.Replace(sums, "tally_inc(&t);", "tally_inc(&t);\n    unsigned char *s = tally_scratch(40000);", 1)
	m := &byStep{edits: map[string][2]string{"2": {"(40000);", "(40000);\n    assert(s[30000] == 0);"}}}
	g := mustGenerate(t, setting{model: m.model, seeds: []string{seed}, params: map[string]any{"inv_attempts": 1}})
	if got := failures(g); got[failPerturbed] != 2 || g.how.Invariants.Assertions != 0 || len(g.how.Suspicions) != 0 {
		t.Errorf("failures %v, %+v", got, g.how.Invariants)
	}
}

// TestMutantsAsFeedback: each step is asked for with the mutants that its calls lead to; what a wave kills is not
// shown to the next.
func TestMutantsAsFeedback(t *testing.T) {
	var prompts []string
	g := mustGenerate(t, setting{seeds: []string{sums, sums}, params: map[string]any{"feedback": "mutants", "wave": 1}, model: func(m []llm.Message) string {
		prompts = append(prompts, m[len(m)-1].Content)
		return code(strings.Replace(asked(m), "    (void)sum;", "    assert(sum == 6); // relational: of what was added\n    (void)sum;", 1))
	}})
	var got []string
	for _, p := range prompts {
		lines := ""
		for _, line := range []string{"tally.c:21", "tally.c:22"} {
			if strings.Contains(p, line) {
				lines += line[len("tally.c"):]
			}
		}
		got = append(got, lines)
	}
	if want := []string{"", ":21:22", ":22", "", ":21", ""}; !slices.Equal(got, want) {
		t.Errorf("prompts show %q, want %q", got, want)
	}
	if want := (trial.MutantFeedback{Mutants: 2, Reached: 2, Killed: 1, Shown: 2, KilledShown: 1}); g.how.Mutants == nil || *g.how.Mutants != want {
		t.Errorf("counts %+v", g.how.Mutants)
	}
	if !strings.Contains(prompts[1], "# "+survivors.Title+"\n\nThe source") || !strings.Contains(prompts[1], "left alone.\n\n# Invariants") {
		t.Errorf("prompt\n%s", prompts[1])
	}
}

func TestFeedbackIsOfEitherStage(t *testing.T) {
	for _, tt := range []struct {
		params map[string]any
		needs  bool
		shown  any // of the settings
	}{
		{map[string]any{"feedback": "mutants"}, true, "mutants"},
		{map[string]any{"feedback": "mutants", "seeds": "dir"}, true, "mutants"},
		{map[string]any{"feedback": "mutants", "oracle": "none"}, false, true},
		{map[string]any{"feedback": false}, false, false},
		{nil, false, true},
	} {
		tool := &Tool{}
		settings, err := tool.Settings(tt.params)
		assert.Check(t, err == nil && settings["feedback"] == tt.shown && tool.Needs(tt.params).Mutants == tt.needs,
			"%v: feedback %v, needs %+v, %v", tt.params, settings["feedback"], tool.Needs(tt.params), err)
	}
	if _, err := new(Tool).Settings(map[string]any{"feedback": "bugs"}); err == nil {
		t.Error("feedback: bugs is taken")
	}
}
