package main

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A recording is an answered prompt.
type recording struct {
	lines  map[string]bool // of the prompt
	answer string
}

// recordings are those by kind of prompt and library, and by the step of a program that a prompt is about.
type recordings struct {
	prompts map[string][]recording
	steps   map[string]string
}

var (
	aboutLibrary = regexp.MustCompile(`library (\w+)`)
	shownCode    = regexp.MustCompile("(?s)```c\\w*\n(.*?\n)```")
	stepMark     = regexp.MustCompile(`(?m)^[ \t]*// STEP1\b.*\n`)
	variant      = regexp.MustCompile(`(?m)^ +int variant = \d+;\n +\(void\)variant;\n`)
	assertion    = regexp.MustCompile(`(?m)^[ \t]*assert\(.*\n`)
)

// recordedModel returns a model that answers from the transcripts below some directories: to a prompt, what was answered to the
// one of its kind and library that shares most lines with it. A program in steps is told apart from others of the same
// recording by a statement more, and a step of such a program is answered as that without it was; to one in eight a wrong
// assertion is added, and to mend a step is to take out its assertions. To what was never recorded it gives back the code
// that it is shown.
func recordedModel(t testing.TB, patterns ...string) func(model string, messages []llm.Message) string {
	t.Helper()
	all := recordings{map[string][]recording{}, map[string]string{}}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		assert.Assert(t, err == nil && len(files) != 0, "%s: no transcripts: %v", pattern, err)
		for _, file := range files {
			entries, err := llm.ReadTranscript(file)
			assert.NilError(t, err)
			for _, e := range entries {
				if e.Answer != nil && e.Answer.Outcome == llm.Answered && len(e.Request.Messages) > 0 {
					all.add(e.Request.Messages[len(e.Request.Messages)-1].Content, e.Answer.Text)
				}
			}
		}
	}
	return func(_ string, messages []llm.Message) string { return all.answer(messages[len(messages)-1].Content) }
}

// kindOf is how a prompt begins, and the library that it is about.
func kindOf(prompt string) string {
	words := strings.Fields(prompt[:min(len(prompt), 400)])
	library := aboutLibrary.FindStringSubmatch(prompt)
	return strings.Join(words[:min(len(words), 7)], " ") + "/" + strings.Join(library[min(1, len(library)):], "")
}

func linesOf(text string) map[string]bool {
	lines := map[string]bool{}
	for line := range strings.Lines(text) {
		lines[line] = true
	}
	return lines
}

func (all *recordings) add(prompt, answer string) {
	kind := kindOf(prompt)
	all.prompts[kind] = append(all.prompts[kind], recording{linesOf(prompt), answer})
	if step := shownStep.FindStringSubmatch(prompt); step != nil {
		all.steps[kind+step[1]] = answer
	}
}

func (all *recordings) answer(prompt string) string {
	kind, sum := kindOf(prompt), fnv.New32a()
	sum.Write([]byte(prompt))
	n := sum.Sum32()
	if step := shownStep.FindStringSubmatch(prompt); step != nil {
		text := all.steps[kind+variant.ReplaceAllString(step[1], "")]
		switch {
		case strings.Contains(prompt, "# What is wrong"):
			return "```c\n" + assertion.ReplaceAllString(step[1], "") + "```\n"
		case text == "":
			text = "```c\n" + step[1] + "```\n"
		default:
			text = mutate(text, variant.FindString(step[1]))
		}
		if n%8 == 0 {
			text = strings.TrimSuffix(strings.TrimRight(text, "\n"), "```") + "    assert(1 + 1 == 3);\n```\n"
		}
		return text
	}
	best, shared := "", -1
	for _, r := range all.prompts[kind] {
		same := 0
		for line := range linesOf(prompt) {
			if r.lines[line] {
				same++
			}
		}
		if same > shared {
			best, shared = r.answer, same
		}
	}
	if code := shownCode.FindAllStringSubmatch(prompt, -1); best == "" && len(code) > 0 {
		return "```c\n" + code[len(code)-1][1] + "```\n"
	}
	return mutate(best, fmt.Sprintf("    int variant = %d;\n    (void)variant;\n", n))
}

// mutate puts statements at the beginning of a program's first step.
func mutate(program, statements string) string {
	at := stepMark.FindStringIndex(program)
	if at == nil {
		return program
	}
	return program[:at[1]] + statements + program[at[1]:]
}
