package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
)

// tortureExperiment goes through every stage, with a tool that asks no model and one that does.
// It ends by counting programs, so that its report depends on no clock.
const tortureExperiment = `name: torture
seed: 7
trials: 1
budget: {programs: PROGRAMS}
libraries:
  - {name: cJSON, edition: debian, bugs: BUGS}
tools:
  - name: randoop
    params: {batch: 6}
  - name: lisa
    params: {seeds: SEEDS, wave: 6, inv_attempts: 2}
llm:
  base_url: URL
  model: claude
  prices: [{model: claude, input: 1, output: 1}]
`

// tortureCells are the cells of the experiment, in their order.
var tortureCells = []string{"randoop.default.cJSON.debian.1", "lisa.default.cJSON.debian.1"}

// A payroll is a model that puts assertions into the steps it is shown, some of them wrong, and
// takes them out again when it is asked to mend them. It counts what it is asked.
type payroll struct {
	pause time.Duration // before each answer, so that a kill meets some on their way

	mu    sync.Mutex
	asked map[string]int // by conversation
}

// shownStep finds the step, or the program, that a prompt of LISA is about.
var shownStep = regexp.MustCompile("(?s)# (?:Step|Program)\n\n```c\n(.*?\n)```")

// answer is the llmtest.Model: what it says depends on nothing but what it is asked.
func (p *payroll) answer(messages []llm.Message) string {
	about := conversation(messages)
	p.mu.Lock()
	p.asked[about]++
	p.mu.Unlock()
	time.Sleep(p.pause)
	step := shownStep.FindStringSubmatch(messages[len(messages)-1].Content)
	if step == nil {
		return "I see no step."
	}
	text := step[1]
	switch sum := sha256.Sum256([]byte(about)); {
	case strings.Contains(about, "# What is wrong"):
	case sum[0] < 64:
		text += "    assert(1 + 1 == 3);\n"
	default:
		text += "    assert(cJSON_Version() != NULL);\n"
	}
	return "```c\n" + text + "```\n"
}

func conversation(messages []llm.Message) string { return fmt.Sprintf("%q", messages) }

// since returns what was asked since the last call.
func (p *payroll) since() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = map[string]int{}
	return asked
}

// paid returns how often each conversation has an answer in the transcript of a run.
func paid(t *testing.T, run string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	entries, err := llm.ReadTranscript(filepath.Join(run, "cells", tortureCells[1], llm.TranscriptFile))
	assert.Assert(t, err == nil || errors.Is(err, fs.ErrNotExist), "%v", err)
	for _, e := range entries {
		if e.Answer != nil {
			counts[conversation(e.Request.Messages)]++
		}
	}
	return counts
}

// An extent is how much work the experiment is.
type extent struct {
	bugs            string // of cJSON, as YAML
	programs, seeds int    // of each tool at most; for LISA
	pause           time.Duration
}

// newTortureLab returns a lab with the experiment, and its model.
func newTortureLab(t *testing.T, e extent) (lab, *payroll) {
	t.Helper()
	model := &payroll{pause: e.pause, asked: map[string]int{}}
	endpoint := llmtest.Serve(t, model.answer)
	dir := t.TempDir()
	l := lab{cache: filepath.Join(dir, "cache"), experiment: filepath.Join(dir, "torture.yaml")}
	if !tortured() {
		l.equip(t)
	}
	seeds := filepath.Join(dir, "seeds")
	writeSeeds(t, seeds, e.seeds)
	text := strings.NewReplacer("URL", endpoint.URL, "BUGS", e.bugs, "SEEDS", seeds, "PROGRAMS", strconv.Itoa(e.programs)).Replace(tortureExperiment)
	assert.NilError(t, os.WriteFile(l.experiment, []byte(text), 0o644))
	return l, model
}

// writeSeeds writes programs that a model once wrote for cJSON (testdata/lisa) as seeds for LISA.
func writeSeeds(t *testing.T, dir string, n int) {
	t.Helper()
	entries, err := llm.ReadTranscript(filepath.Join("testdata", "lisa", lisaOnCJSON.name, llm.TranscriptFile))
	assert.NilError(t, err)
	for i, e := range entries[:n] {
		_, text, _ := strings.Cut(e.Answer.Text, "```c\n")
		text, _, _ = strings.Cut(text, "```")
		assert.NilError(t, errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%05d.c", i+1)), []byte(text), 0o644)))
	}
}

// A stage is what a run is doing. The two cells come to theirs one after the other.
type stage int

const (
	fetching stage = iota
	building
	generating // the first cell; the second one's is two further on
	evaluating
	generatingWithModel
	evaluatingWithModel
	reporting
	stages // how many there are
)

func (s stage) String() string {
	return [...]string{"fetch", "build", "generate (randoop)", "evaluate (randoop)", "generate (lisa)", "evaluate (lisa)", "report"}[s]
}

// A watch tells the stage of one session by the files that it leaves: by what the first cell
// without a record has logged since the session began.
type watch struct {
	lab lab
	run string
	log []int64 // sizes of the cells' logs when the session began
}

func (l lab) watch(run string) watch {
	w := watch{lab: l, run: run}
	for _, cell := range tortureCells {
		w.log = append(w.log, size(w.logOf(cell)))
	}
	return w
}

func (w watch) logOf(cell string) string { return filepath.Join(w.run, "cells", cell, "log.jsonl") }

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (w watch) stage() stage {
	for i, cell := range tortureCells {
		if _, err := os.Stat(filepath.Join(w.run, "cells", cell, "record.json")); err == nil {
			continue
		}
		text, _ := os.ReadFile(w.logOf(cell))
		said := string(text[min(int64(len(text)), w.log[i]):])
		switch {
		case strings.Contains(said, `"msg":"evaluating"`):
			return evaluating + stage(2*i)
		case strings.Contains(said, `"msg":"generating"`):
			return generating + stage(2*i)
		case w.lab.fetched():
			return building
		}
		return fetching
	}
	return reporting
}

// fetched reports whether the cache has a source tree.
func (l lab) fetched() bool {
	trees, _ := filepath.Glob(filepath.Join(l.cache, "sources", "trees", "[0-9a-f]*"))
	return len(trees) > 0
}
