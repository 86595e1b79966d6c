package property

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/build/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// prompted are the hashes of the prompts of each plan's first round, and of a repair and a second opinion. Recorded answers are found by their prompts: whoever
// changes a word here, in the templates, in sequence.Describe or in the documents' excerpts, has none any more.
var prompted = map[string]string{
	"cJSON": "da165a70f01d24993dee9d117f99394bbcbf50963e66970424d92d9120e76bb3",
	"zlib":  "912bdfd87850f2790283a822d4f7b21ba9ba3638e6bf169f0eee9daf8034d931",
}

// TestPlan holds the plan for two libraries, in their Debian edition, and what is asked first.
func TestPlan(t *testing.T) {
	t.Parallel()
	found, _ := compiler(t)
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	store := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler))
	headers := map[string][]string{"cJSON": {"cJSON.h", "cJSON_Utils.h"}, "zlib": {"zlib.h"}}
	for _, b := range bench.Libraries {
		if headers[b.Name] == nil {
			continue
		}
		tree, err := store.Reference(t.Context(), b, lisabench.Debian)
		if err != nil {
			t.Fatal(err)
		}
		view, err := store.ToolView(t.Context(), b, tree)
		if err != nil {
			t.Fatal(err)
		}
		target := trial.Target{Library: b.Name, Language: b.Language, Description: b.Description, Headers: headers[b.Name],
			IncludeDirs: []string{tree.Dir}, SourceDir: view, Documents: b.DocumentsFor(lisabench.Debian)}
		spec, err := apispec.Load(t.Context(), found.Clang.Path, target)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := newLibrary(target, spec)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlan(spec, nil, 40)
		golden := filepath.Join("testdata", "plan."+b.Name+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(p.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != p.String() {
			t.Errorf("the plan of %s differs from %s (%v):\n%s", b.Name, golden, err, p)
		}
		sum := sha256.New()
		ask := func(name string, g page) {
			messages, err := prompts.Messages(name, g)
			if err != nil {
				t.Fatal(err)
			}
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
		if got := hex.EncodeToString(sum.Sum(nil)); got != prompted[b.Name] {
			t.Errorf("the prompts for %s have the hash %s, want %s", b.Name, got, prompted[b.Name])
		}
	}
}
