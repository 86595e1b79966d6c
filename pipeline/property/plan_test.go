package property

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// promptsFile has the hashes of the prompts of each plan's first round, and of a repair and a second opinion. Recorded answers are found by their prompts:
// a word that changes here, in the templates, in sequence.Describe or in the documents' excerpts leaves them without any, and asks for another Version of the tool.
const promptsFile = "prompts.golden"

// TestPlan holds the plan for two libraries, in their Debian edition, and what is asked first.
func TestPlan(t *testing.T) {
	t.Parallel()
	c := compiler(t)
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	store := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler))
	headers := map[string][]string{"cJSON": {"cJSON.h", "cJSON_Utils.h"}, "zlib": {"zlib.h"}}
	hashes := ""
	for _, b := range bench.Libraries {
		if headers[b.Name] == nil {
			continue
		}
		tree, err := store.Reference(t.Context(), b, lisabench.Debian)
		assert.NilError(t, err)
		view, err := store.ToolView(t.Context(), b, tree)
		assert.NilError(t, err)
		target := trial.Target{Library: b.Name, Language: b.Language, Description: b.Description, Headers: headers[b.Name],
			IncludeDirs: []string{tree.Dir}, SourceDir: view, Documents: b.DocumentsFor(lisabench.Debian)}
		spec, err := apispec.Load(t.Context(), c, target)
		assert.NilError(t, err)
		lib, err := newLibrary(target, spec)
		assert.NilError(t, err)
		p := newPlan(spec, nil, 40)
		golden.Assert(t, p.String(), "plan."+b.Name+".golden")
		sum := sha256.New()
		ask := func(name string, g page) {
			messages, err := prompts.Messages(name, g)
			assert.NilError(t, err)
			for _, m := range messages {
				fmt.Fprintf(sum, "%s\n%s\n", m.Role, m.Content)
			}
		}
		for _, task := range p.tasks {
			ask("test", lib.page(p, task))
		}
		g := lib.page(p, p.tasks[0])
		g.Program, g.Failures = "int a;", []section{{"test_a. A property does not hold:", "a\nb"}}
		ask("repair", g)
		ask("judge", g)
		hashes += b.Name + " " + hex.EncodeToString(sum.Sum(nil)) + "\n"
	}
	golden.Assert(t, hashes, promptsFile)
}
