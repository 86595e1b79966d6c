package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// externalExperiment has a tool that asks a model, one that crashes after its first program,
// one that fills its directory, and the example that makes tests of a fuzzer's inputs. Its words in capitals are replaced.
const externalExperiment = `name: external
budget: {programs: 12}
test: {timeout: 1m}
libraries:
  - {name: cJSON, edition: debian, bugs: [cjson-2]}
tools:
  - name: asking
    command: [EXAMPLES/python-model/generate.py]
    model: true
    params: {apis: 2}
  - name: crashing
    command: [TOOLS/crashes.sh]
  - name: flooding
    command: [TOOLS/floods.sh]
  - name: peeking
    command: [TOOLS/peeks.sh]
  - name: zzuf
    command: [EXAMPLES/zzuf-cjson/generate.py]
    files: [EXAMPLES/zzuf-cjson/seeds]
    oracle: reference
llm:
  base_url: URL
  api_key_env: LISA_BENCH_TEST_KEY
  model: scripted
  prices: [{model: scripted, input: 1, output: 1}]
`

// cJSONWriter is a model that writes a program for each prompt, every third of which needs a repair.
func cJSONWriter(messages []llm.Message) string {
	h := fnv.New32a()
	h.Write([]byte(messages[1].Content))
	n := h.Sum32() % 1000
	name := "item"
	if n%3 == 0 && len(messages) == 2 {
		name = "itme"
	}
	return fmt.Sprintf("```c\n#include <assert.h>\n#include \"cJSON.h\"\nint main(void) {\n\tcJSON *item = cJSON_CreateNumber(%d);\n"+
		"\tassert(cJSON_GetNumberValue(%s) == %d);\n\tcJSON_Delete(item);\n\treturn 0;\n}\n```", n, name, n)
}

// TestExternalTools runs commands on the real cJSON: one asks a model through the cell's session and is
// replayed; the cells of bad ones have a reason, and the run is intact.
func TestExternalTools(t *testing.T) {
	const key = "sk-planted-key-4711"
	t.Setenv("LISA_BENCH_TEST_KEY", key)
	server := llmtest.Serve(t, cJSONWriter)
	text := strings.Replace(externalExperiment, "URL", server.URL, 1)
	for word, dir := range map[string]string{"EXAMPLES": "../../examples/tools", "TOOLS": "../../tools/exttool/testdata/tools"} {
		abs, err := filepath.Abs(dir)
		assert.NilError(t, err)
		text = strings.ReplaceAll(text, word, abs)
	}
	l := newLab(t, text)
	const asking = "asking.default.cJSON.debian.1"
	whole := filepath.Join(t.TempDir(), "whole")
	l.start(t, whole).expect(t, exitIncomplete, "2 of 5 cells are incomplete",
		"tool_crashed: tool crashing: exit status 7 after 1 program: no memory for the second program",
		"tool_flooded: tool flooding: the output directory holds more than 20000 files")
	asked := server.Asked.Load()
	assert.Check(t, asked > 12, "%d requests for 12 programs, some of which need a repair", asked)
	assert.Check(t, len(programsOf(t, whole, "zzuf.default.cJSON.debian.1")) == 12)
	assert.Check(t, len(programsOf(t, whole, "peeking.default.cJSON.debian.1")) == 1)
	for name, content := range files(t, whole) {
		assert.Check(t, !strings.Contains(content, key), "the key is in %s", name)
	}
	start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitOK, asking+": 12 programs, identical")
	now := server.Asked.Load()
	assert.Check(t, now == asked, "the replay asked the model %d times", now-asked)
}

// programsOf returns the files of a cell's programs.
func programsOf(t *testing.T, run, cell string) []string {
	t.Helper()
	return matches(t, filepath.Join(run, "cells", cell, "suite", "*.c"))
}

// driversExperiment has what tools of other kinds leave: harnesses of a driver generator, with the inputs that libFuzzer
// finds, and inputs that AFL++ finds for the official harness. Its words in capitals are replaced.
const driversExperiment = `name: drivers
budget: {programs: 40}
test: {timeout: 30s}
libraries:
  - {name: cJSON, edition: debian, bugs: [cjson-2]}
tools:
  - name: promptfuzz
    command: [GENERATOR/generate.py]
    files: [GENERATOR/harnesses]
    params: {runs: 500}
  - name: aflplusplus
    command: [EXAMPLES/aflplusplus/generate.py]
    harnesses: true
`

// TestDrivers runs the examples whose suites are harnesses, and a suite that its directory's build command makes: a
// driver with a file and a command line.
func TestDrivers(t *testing.T) {
	if testing.Short() {
		t.Skip("fuzzes with AFL++")
	}
	t.Parallel()
	examples, err := filepath.Abs("../../examples/tools")
	assert.NilError(t, err)
	generator := filepath.Join(t.TempDir(), "promptfuzz")
	script, err := os.ReadFile(filepath.Join(examples, "promptfuzz", "generate.py"))
	assert.NilError(t, errors.Join(err, os.CopyFS(generator, os.DirFS("testdata/promptfuzz")), os.WriteFile(filepath.Join(generator, "generate.py"), script, 0o755)))
	text := strings.NewReplacer("EXAMPLES", examples, "GENERATOR", generator).Replace(driversExperiment)
	if _, err := os.Stat("/usr/bin/afl-fuzz"); err != nil {
		t.Log("without AFL++: scripts/install.sh afl++")
		text, _, _ = strings.Cut(text, "  - name: aflplusplus")
	}
	l := newLab(t, text)
	run := filepath.Join(t.TempDir(), "run")
	l.start(t, run).expect(t, exitOK)
	for tool, most := range map[string]int{"promptfuzz": 2, "aflplusplus": 1 << 20} {
		if !strings.Contains(text, tool) {
			continue
		}
		var rec trial.Record
		record, err := os.ReadFile(filepath.Join(run, "cells", tool+".default.cJSON.debian.1", "record.json"))
		assert.NilError(t, errors.Join(err, json.Unmarshal(record, &rec)))
		p := rec.Programs
		assert.Check(t, p != nil && p.Generated != 0 && p.Generated <= most && p.Executed == p.Generated, "%s: %+v", tool, p)
		c := rec.Coverage
		assert.Check(t, c != nil && c.LinesCovered >= 200, "%s: coverage %+v", tool, c)
	}
	out := filepath.Join(t.TempDir(), "own")
	start(t, out, "evaluate", "--library", "cJSON", "--suite", filepath.Join("testdata", "built"), "--build", "./build.sh", "--bugs", "cjson-9",
		"--cache", l.cache, "--dir", out).expect(t, exitOK, "2 programs, 1 of 1 bugs")
}
