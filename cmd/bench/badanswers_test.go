package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const badAnswers = `name: bad-answers
trials: 1
budget: {llm_calls: 20}
test: {timeout: 5s}
libraries: [{name: cJSON, bugs: none}]
tools: [{name: lisa-prop, params: {wave: 12, repairs: 0, seeds: 0, alterations: 0}}]
llm: {base_url: URL, model: m, prices: [{model: m, input: 0, output: 0}]}
`

// property is an answer: a program with one test, of a number between 0 and 9.
func property(body string) string {
	return "```c\n#include <stdio.h>\n#include <cJSON.h>\n#include \"lisa_prop.h\"\nstatic void body(void)\n{\n    int n = (int)lisa_int(\"n\", 0, 9);\n" +
		"    cJSON *a = cJSON_CreateNumber(n);\n" + body + "    cJSON_Delete(a);\n}\nvoid test_number(void) { lisa_check(body, 10); }\n```\n"
}

// TestBadAnswersToLisaProp gives lisa-prop answers that are no good, in the sandbox that users have. The record names
// and counts what is wrong with each, and the suite has only the three programs that hold.
func TestBadAnswersToLisaProp(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a program until its time is up")
	}
	t.Parallel()
	const holds = "    PROPERTY(\"These functions check the type of an item\", cJSON_IsNumber(a));\n"
	answers := []string{
		"I would check the type of an item.",
		property(holds) + "Or:\n" + property("    PROPERTY(\"\", n >= 0);\n"),
		property("    for (volatile int on = 1; on; ) ;\n" + holds),
		property("    static char line[1 << 20];\n    for (int i = 0; i < 103; i++) fwrite(line, 1, sizeof line, stdout); /* 1 GB in ten cases */\n" + holds),
		property("    PROPERTY(\"\", cJSON_IsNumber(a));\n"),
		property("    PROPERTY(\"A number is checked by its type and its value.\", cJSON_IsNumber(a));\n"),
		property("    int most = 0x7fffffff;\n    most += 1 + n;\n    PROPERTY(\"These functions check the type of an item\", cJSON_IsNumber(a) && most);\n"),
	}
	var mu sync.Mutex
	endpoint := llmtest.Serve(t, func([]llm.Message) string {
		mu.Lock()
		defer mu.Unlock()
		if len(answers) == 0 {
			return "There is nothing left to test."
		}
		answer := answers[0]
		answers = answers[1:]
		return answer
	})
	dir := t.TempDir()
	experiment, run := filepath.Join(dir, "bad.yaml"), filepath.Join(dir, "run")
	writeFile(t, experiment, strings.Replace(badAnswers, "URL", endpoint.URL, 1))
	cmd := exec.Command("bench", "run", experiment, "--cache", testcache.Dir(""), "--dir", run)
	cmd.Env = append(os.Environ(), llm.DefaultKeyEnv+"=none")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var rec trial.Record
	if err := json.Unmarshal([]byte(readFile(t, matches(t, filepath.Join(run, "cells", "*", "record.json"))[0])), &rec); err != nil {
		t.Fatal(err)
	}
	p, counted := rec.Generation.Properties, []string{}
	for _, a := range rec.Generation.Answers {
		counted = append(counted, fmt.Sprintf("answer %s %d", a.Outcome, a.Count))
	}
	for _, f := range p.Failures {
		counted = append(counted, fmt.Sprintf("failure %s %d", f.Name, f.Count))
	}
	for _, u := range p.Uncited {
		counted = append(counted, fmt.Sprintf("sentence %s %d", u.Name, u.Count))
	}
	want := []string{
		"answer code 5", "answer several_code 1", "answer prose 6",
		"failure endless 1", "failure output 1", "failure sanitizer 1",
		"sentence in no document 1", "sentence no sentence 1",
	}
	if !slices.Equal(counted, want) || p.Programs != 3 || p.Cited != 1 || p.Own != 2 {
		t.Errorf("the record has %q, %+v, want %q", counted, p, want)
	}
}
