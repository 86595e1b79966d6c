package suspicion

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }

var tools = sync.OnceValues(func() (*toolchain.Tools, error) { return toolchain.Find(context.Background(), nil) })

// keeper is one for the tally library.
func keeper(t *testing.T) (*Keeper, string) {
	t.Helper()
	found, err := tools()
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(found, compilerDir, testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	include, err := filepath.Abs("../invariant/testdata/include")
	assert.NilError(t, err)
	box := &tooltest.Box{Clang: found.Clang.Path, Dir: t.TempDir(), Name: "tally", Sources: []string{"../invariant/testdata/tally.c"}, IncludeDirs: []string{include}, Flags: []string{"-std=gnu17"}}
	job := trial.Job{Dir: filepath.Join(t.TempDir(), "work"), Exec: box.Executor(t), Target: trial.Target{
		Library: "tally", Language: trial.C, Description: "Adds up numbers.", IncludeDirs: []string{include}, SharedLib: box.Shared(t, false)}}
	return New(job, c), found.Clang.Path
}

const long = `#include <assert.h>
#include <stdio.h>
#include <tally.h>

static tally t;

void test_sequence(void)
{
    // STEP1
    int unused = 4;
    tally_open(&t, 2);
    tally other;
    tally_open(&other, unused);
    // STEP2
    int rc = tally_add(&t, 5);
    (void)rc;
    assert(tally_sum(&other) == 0);
    tally_add(&t, 0);
    printf("@value tally_sum(&t) = %ld\n", tally_sum(&t)); fflush(stdout);
    assert(tally_sum(&t) == 7);
    tally_add(&other, 1);
    assert(tally_sum(&other) == 2);
}
`

const short = `#include <assert.h>
#include <stdio.h>
#include <tally.h>

static tally t;

void test_sequence(void)
{
    // STEP1
    tally_open(&t, 2);
    int rc = tally_add(&t, 5);
    tally_add(&t, 0);
    printf("@value tally_sum(&t) = %ld\n", tally_sum(&t)); fflush(stdout);
    assert(tally_sum(&t) == 7);
    }

int main(void)
{
    test_sequence();
    return 0;
}
`

// TestShortestProgram: what the assertion and its values do not need is gone, and the calls that
// made the value are there.
func TestShortestProgram(t *testing.T) {
	k, clang := keeper(t)
	p := trial.Program{Lang: trial.C, Source: long}
	s := k.Keep(trial.Suspicion{Place: "p00007, step 2", Assertion: "tally_sum(&t) == 7", Sentence: "Returns the sum", Document: "tally.h:22"}, p)
	if s == nil || s.ID != "s001" || k.Keep(trial.Suspicion{Place: s.Place, Assertion: s.Assertion}, p) != nil {
		t.Fatalf("kept %+v", s)
	}
	unfit := k.Keep(trial.Suspicion{Place: "p00008, step 1", Assertion: "1 == 2"}, trial.Program{Lang: trial.C, Source: "nonsense"})
	assert.NilError(t, k.Shorten(t.Context()))
	work := filepath.Dir(k.job.Dir)
	got, err := os.ReadFile(filepath.Join(work, s.Program))
	assert.Check(t, err == nil && string(got) == short, "%v\n%s", err, got)
	if s.Program != "work/suspicions/s001.c" || s.Line != 14 || strings.Join(s.Values, ";") != "tally_sum(&t) = 5" || s.Opinion.Verdict != trial.Unasked {
		t.Errorf("%+v", s)
	}
	if text, err := os.ReadFile(filepath.Join(work, unfit.Program)); err != nil || string(text) != "nonsense" {
		t.Errorf("what cannot be made shorter stays as it is: %q, %v", text, err)
	}
	out, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{"/bin/sh", filepath.Join(work, s.Script)}, Env: []string{"PATH=/usr/bin:/bin", "CC=" + clang}})
	if text := string(out.Stdout) + string(out.Stderr); err != nil || !strings.Contains(text, "Assertion `tally_sum(&t) == 7' failed") || !strings.Contains(text, "ended with status 134") {
		t.Errorf("script: %v\n%s", err, text)
	}
}

// TestOpinionSeesDocumentsAndOutcome: the prompt has them, and not why the tool asserted it.
func TestOpinionSeesDocumentsAndOutcome(t *testing.T) {
	k, _ := keeper(t)
	s := k.Keep(trial.Suspicion{Place: "p00007, step 2", Assertion: "tally_sum(&t) == 7", Values: []string{"tally_sum(&t) = 5"}, Argument: "SECRET", Sentence: "Returns the sum", Document: "tally.h:22"},
		trial.Program{Lang: trial.C, Source: strings.Replace(long, "== 7);", "== 7); // documentation: SECRET", 1)})
	m, err := k.Messages(s, []API{{"tally_sum", "long tally_sum(const tally *t);", "Returns the sum, and does not change t."}, {Name: "tally_add"}})
	assert.Assert(t, err == nil && len(m) == 1, "%d messages, %v", len(m), err)
	for _, want := range []string{"long tally_sum(const tally *t);", "does not change t", `(tally.h:22): "Returns the sum"`, "tally_sum(&t) = 5", "The documents say nothing more"} {
		assert.Check(t, strings.Contains(m[0].Content, want), "the prompt lacks %q:\n%s", want, m[0].Content)
	}
	assert.Check(t, !strings.Contains(m[0].Content, "SECRET"),
		"the prompt has the argument that it is to judge without")
}

func TestReadOpinion(t *testing.T) {
	for _, c := range []struct {
		answer  string
		verdict trial.OpinionVerdict
		why     string
	}{
		{"UPHELD: the header says so.", trial.Upheld, "the header says so."},
		{"**Contested** — it can be\nread otherwise", trial.Contested, "it can be read otherwise"},
		{"contested", trial.Contested, ""},
		{"I would say upheld", trial.Unasked, "the answer was neither upheld nor contested: I would say upheld"},
		{"Upholding this is hard", trial.Unasked, "the answer was neither upheld nor contested: Upholding this is hard"},
	} {
		if got, _ := ReadOpinion(llm.Answer{Outcome: llm.Answered, Text: c.answer}); got.Verdict != c.verdict || got.Why != c.why {
			t.Errorf("%q: %+v", c.answer, got)
		}
	}
	if got, o := ReadOpinion(llm.Answer{Outcome: llm.Refusal}); got.Verdict != trial.Unasked || o != llm.Refusal {
		t.Errorf("%+v, %s", got, o)
	}
}
