package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// fence is a block of a Markdown page: the words behind its marks, and its lines.
var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// TestTutorials runs the sh blocks of one tutorial in order, in an empty directory; each commit has another tutorial.
// Each line of a text block must be in the output of the sh block before it.
func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("builds cJSON and zlib with their bugs")
	}
	pages, err := filepath.Glob("../../docs/tutorial/first-*.md")
	assert.Assert(t, err == nil && len(pages) >= 3, "%d tutorials, %v", len(pages), err)
	home := t.TempDir()
	assert.NilError(t, os.Symlink(testcache.Dir(""), filepath.Join(home, "lisa-bench")))
	for i, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			turn(t, i, len(pages))
			dir, output, ran := t.TempDir(), "", 0
			for _, m := range fence.FindAllStringSubmatch(readFile(t, page), -1) {
				switch m[1] {
				case "sh":
					c := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", m[2])
					c.Dir, c.Env = dir, append(os.Environ(), "XDG_CACHE_HOME="+home)
					out, err := c.CombinedOutput()
					assert.Assert(t, err == nil, "%s%v:\n%s", m[2], err, out)
					output, ran = squeezed(string(out)), ran+1
				case "text":
					for line := range strings.Lines(m[2]) {
						assert.Check(t, strings.Contains(output, strings.TrimSpace(squeezed(line))),
							"no output has the line\n%sbut\n%s", line, output)
					}
				}
			}
			assert.Check(t, ran != 0, "no block was run")
		})
	}
}

// squeezed has one blank where a text has many, as tables have.
func squeezed(text string) string { return regexp.MustCompile(` +`).ReplaceAllString(text, " ") }

// command is the first word of a line for a shell, but for its prompt.
var command = regexp.MustCompile(`^(\$ )?(bin/bench|bench|make|git|go|python3|jq|curl|cd|export|docker) `)

// TestBlocksAreMarked holds all documents to the convention of the tutorials: blocks for a shell are marked as run
// or not run.
func TestBlocksAreMarked(t *testing.T) {
	pages := []string{"../../README.md", "../../CONTRIBUTING.md"}
	for _, door := range []string{"tutorial", "howto", "reference", "explanation"} {
		found, err := filepath.Glob("../../docs/" + door + "/*.md")
		assert.Assert(t, err == nil && len(found) >= 2, "%s: %d pages, %v", door, len(found), err)
		pages = slices.Concat(pages, found)
	}
	for _, page := range pages {
		for _, m := range fence.FindAllStringSubmatch(readFile(t, page), -1) {
			tutorial := strings.Contains(page, "/tutorial/")
			switch {
			case m[1] == "sh" && !tutorial:
				t.Errorf("%s: only blocks of tutorials are run; mark this one ```sh norun:\n%s", page, m[2])
			case m[1] == "" && command.MatchString(m[2]):
				t.Errorf("%s: a block for a shell is not marked; use ```sh norun:\n%s", page, m[2])
			}
		}
	}
}
