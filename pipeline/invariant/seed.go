package invariant

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// seedFiles are the files of a directory that have one of some extensions, in the order of
// their names.
func seedFiles(dir string, extensions []string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("seeds: %w", err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && slices.Contains(extensions, filepath.Ext(e.Name())) {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// readSeeds reads the programs of a directory, such as the suite of another cell.
func readSeeds(dir string, lang trial.Language) ([]sequence.Seed, error) {
	files, err := seedFiles(dir, extensions[lang])
	if err != nil {
		return nil, err
	}
	var seeds []sequence.Seed
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("seeds: %w", err)
		}
		name := filepath.Base(file)
		id := strings.TrimSuffix(name, filepath.Ext(name))
		seeds = append(seeds, sequence.Seed{Program: trial.Program{ID: id, Lang: lang, Source: string(source), Origin: name}})
	}
	if len(seeds) == 0 {
		return nil, fmt.Errorf("seeds: %s has no %s file", dir, strings.Join(extensions[lang], " or "))
	}
	return seeds, nil
}

var extensions = map[trial.Language][]string{trial.C: {".c"}, trial.CXX: {".cc", ".cpp", ".cxx"}}

// included are the headers that assertions may use.
var included = []string{"assert.h", "limits.h", "math.h", "stdint.h", "string.h"}

// withIncludes adds the headers that assertions need to a program, after its own includes.
func withIncludes(source string) string {
	end := 0
	missing := slices.Clone(included)
	for _, in := range clex.Includes(source) {
		if in.Depth == 0 {
			end = in.End
		}
		missing = slices.DeleteFunc(missing, func(h string) bool { return h == in.Name })
	}
	head := source[:end]
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	for _, h := range missing {
		head += "#include <" + h + ">\n"
	}
	return head + source[end:]
}

// A chunk is a part of a program that is asked for at once.
type chunk struct {
	raw    string
	marker string   // its first line, "" for a whole program
	apis   []string // that it calls, in order of first call
}

// A split is a program in parts: the chunks joined between head and tail are the program.
type split struct {
	head, tail string
	chunks     []chunk
	whole      bool // one chunk: the program as a whole
}

// splitProgram splits a program at its step markers (paper, sec:chunk-inv-gen). One whose steps
// cannot be told apart, or whose last line holds more than the end of the function, is one
// chunk; so is every one if one is set.
func splitProgram(source string, r straightline.Report, one bool) split {
	all := split{chunks: []chunk{{raw: source}}, whole: true}
	for _, t := range r.Tests {
		all.chunks[0].apis = append(all.chunks[0].apis, names(t.Calls, 0, true)...)
	}
	all.chunks[0].apis = distinct(all.chunks[0].apis)
	if one || len(r.Tests) != 1 || r.Tests[0].StepProblem != "" || len(r.Tests[0].Steps) == 0 {
		return all
	}
	t := r.Tests[0]
	if strings.TrimSpace(lines(source, t.LastLine, t.LastLine)) != "}" {
		return all
	}
	s := split{head: lines(source, 1, t.Steps[0].FirstLine-1), tail: lines(source, t.LastLine, len(source))}
	for _, step := range t.Steps {
		c := chunk{raw: lines(source, step.FirstLine, min(step.LastLine, t.LastLine-1)), marker: strings.TrimSpace(lines(source, step.FirstLine, step.FirstLine))}
		c.apis = distinct(names(t.Calls, step.Number, false))
		s.chunks = append(s.chunks, c)
	}
	return s
}

// names are those of the APIs that a step, or every step, calls.
func names(calls []straightline.Call, step int, every bool) []string {
	var list []string
	for _, c := range calls {
		if every || c.Step == step {
			list = append(list, c.API)
		}
	}
	return list
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

var stepMarker = regexp.MustCompile(`(?i)^\s*//\s*STEP\s*\d{1,4}\b`)

// chunkOf cuts a chunk out of an answer that may hold more: from its marker to the next one, or
// to the brace that ends the function. What it cannot find it leaves to the comparison.
func chunkOf(answer string, c chunk) string {
	if c.marker == "" {
		return answer
	}
	var kept []string
	inside := false
	for _, line := range strings.SplitAfter(answer, "\n") {
		if stepMarker.MatchString(line) {
			if inside {
				break
			}
			inside = sameMarker(line, c.marker)
		}
		if inside {
			kept = append(kept, line)
		}
	}
	body := strings.Join(kept, "")
	if !inside && body == "" {
		body = c.marker + "\n" + answer
	}
	body = balanced(body)
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return body
}

func sameMarker(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(stepMarker.FindString(a)), ""), strings.Join(strings.Fields(stepMarker.FindString(b)), ""))
}

// balanced cuts a text before the first brace that closes more than was opened.
func balanced(s string) string {
	depth := 0
	for i, end := 0, 0; i < len(s); i = end {
		_, end = clex.At(s, i)
		switch s[i:end] {
		case "{":
			depth++
		case "}":
			if depth--; depth < 0 {
				return s[:i]
			}
		}
	}
	return s
}
