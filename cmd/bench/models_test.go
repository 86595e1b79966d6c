package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// comparingModels has two models, of which one costs ten times as much and ends its training later.
// URL is replaced.
const comparingModels = `name: comparing
trials: 1
budget: {programs: 2}
libraries:
  - {name: cJSON, bugs: [cjson-5, cjson-9]}
tools:
  - name: lisa
    params: {seeds: auto, oracle: recorded}
    sweep: {model: [small, large]}
  - name: knowledge
    params: {documents: false, sequences: auto}
    variants: [{name: observed}]
    sweep: {model: [small, large]}
llm:
  base_url: URL
  cutoffs: [{model: small, day: 2000-01-01}, {model: large, day: 2023-06-30}]
  prices: [{model: small, input: 1, output: 4}, {model: large, input: 10, output: 40}]
`

// prompted are the names of a prompt that an answer is made of: those of the library, or those that stand for
// them.
var prompted = struct{ header, maker, adder, function, property *regexp.Regexp }{
	header:   regexp.MustCompile(`(?m)^#include <.+>$`),
	maker:    regexp.MustCompile(`(?m)^(\w+) \*(\w+)\(void\);?$`),
	adder:    regexp.MustCompile(`(?m)^\w+ (\w+)\((\w+) \*\w+, (\w+) \*\w+\);?$`),
	function: regexp.MustCompile("One test function, `void (\\w+)\\(void\\)`"),
	property: regexp.MustCompile(`(?m)^(\d+)\. `),
}

// comparedAnswer is a program that makes an object. The large model's also asks what every function that takes
// two objects says without any: with cjson-9, one says yes.
func comparedAnswer(model, prompt string) string {
	function, made := prompted.function.FindStringSubmatch(prompt), prompted.maker.FindStringSubmatch(prompt)
	if function == nil || made == nil { // properties that were observed
		var verdicts []string
		for _, n := range prompted.property.FindAllStringSubmatch(prompt, -1) {
			verdicts = append(verdicts, fmt.Sprintf(`{"n": %s, "verdict": "consistent", "reason": "it held"}`, n[1]))
		}
		return "[" + strings.Join(verdicts, ",") + "]"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "```c\n%s\nvoid %s(void)\n{\n    // STEP1\n", strings.Join(prompted.header.FindAllString(prompt, -1), "\n"), function[1])
	fmt.Fprintf(&b, "    %s *object = %s();\n", made[1], made[2])
	for n, adder := range prompted.adder.FindAllStringSubmatch(prompt, -1) {
		if model == "large" && adder[2] == made[1] && adder[3] == made[1] {
			fmt.Fprintf(&b, "    int added%d = %s(0, 0);\n", n, adder[1])
		}
	}
	return b.String() + "}\n```\n"
}

// TestTwoModels compares two models in one run: a variant each, with what they cost and the bugs that each may
// remember, and variants in which they see the library under other names. A script draws the outcome. Tests, seeds
// and knowledge bases are made again from their answers, and evaluated again.
func TestTwoModels(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and evaluates four suites three times")
	}
	t.Parallel()
	endpoint := llmtest.ServeModels(t, func(model string, messages []llm.Message) string {
		return comparedAnswer(model, messages[len(messages)-1].Content)
	})
	dir := t.TempDir()
	l := lab{cache: testcache.Dir(""), experiment: filepath.Join(dir, "comparing.yaml")}
	writeFile(t, l.experiment, strings.Replace(comparingModels, "URL", endpoint.URL, 1))
	run := filepath.Join(dir, "run")
	cmd := exec.Command("bench", "run", l.experiment, "--cache", l.cache, "--dir", run, "--json", "--fresh")
	cmd.Env = append(os.Environ(), llm.DefaultKeyEnv+"=none")
	outcome, err := cmd.Output()
	assert.Assert(t, err == nil, "%v\n%s", err, outcome)
	report := regexp.MustCompile(`(?: \[[\d,]+\])?[ ]+`).ReplaceAllString(readFile(t, filepath.Join(run, "report", "report.txt")), " ")
	for _, row := range []string{
		`cJSON lisa/model=large 1 of 1 100\.0 100\.0 \S+ \S+ 1 of 2`, `cJSON lisa/model=small 1 of 1 100\.0 100\.0 \S+ \S+ 0 of 2`,
		`cJSON lisa/model=large 0\.0\d+ \d+ n/a n/a 0\.0\d+ \d+`, // dollars and tokens of a program, a mutant and a bug
		`lisa/model=large large 2023-06-30 1 of 1 0 of 1`, `lisa/model=small small 2000-01-01 n/a 0 of 2`,
	} {
		assert.Check(t, regexp.MustCompile("(?m)^ "+row).MatchString(report), "no row %s:\n%s", row, report)
	}
	drawn := filepath.Join(dir, "outcome.json")
	writeFile(t, drawn, string(outcome))
	svg, err := exec.Command("python3", filepath.Join("..", "..", "examples", "bugs-by-dollars.py"), drawn).Output()
	if err := errors.Join(err, xml.Unmarshal(svg, new(struct{}))); err != nil {
		t.Fatalf("%v\n%s", err, svg)
	}
	for _, point := range []string{`cx="60\d\.\d" cy="30\.0" r="5"><title>lisa/model=large cJSON 1: 1 bugs, \$0\.07<`, `cy="350\.0" r="5"><title>lisa/model=small cJSON 1: 0 bugs, \$0\.01<`} {
		assert.Check(t, strings.Count(string(svg), "<circle") == 2 && regexp.MustCompile(point).Match(svg),
			"no point %s, or not one for each of two cells:\n%s", point, svg)
	}

	start(t, "", "replay", run, "--suites", "--cache", l.cache).expect(t, exitOK)
	start(t, "", "replay", run, "--cache", l.cache).expect(t, exitOK)
}
