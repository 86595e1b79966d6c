package workshop

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var (
	cited   = regexp.MustCompile(`(?m)^// Document: (.*) \(([^()]+)\)$`)
	spacing = regexp.MustCompile(`[\s*]+`)
)

// TestSuspicionPrograms runs the programs of testdata/suspicions on the reference builds: each prints what its
// .stdout has, or the sanitizers report what its .sanitizer has. The sentence that it cites is in the library's source.
func TestSuspicionPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two libraries, also with sanitizers")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	for _, name := range []string{"cJSON", "libpng"} {
		t.Run(name, func(t *testing.T) {
			lib, _ := openTarget(t, bench, name)
			equip(t, lib)
			archive, err := txtar.ParseFile(filepath.Join("testdata", "suspicions", name+".txtar"))
			assert.NilError(t, err)
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			for file, source := range files {
				if id := strings.TrimSuffix(file, ".c"); id != file {
					checkSentence(t, lib, source)
					runSuspicion(t, lib, files["prelude.h"]+source, files[id+".stdout"], files[id+".sanitizer"])
				}
			}
		})
	}
}

func runSuspicion(t *testing.T, lib *OpenLibrary, source, stdout, sanitizer string) {
	t.Helper()
	if stdout == "" && sanitizer == "" {
		t.Fatalf("nothing is expected of\n%s", source)
	}
	reference := testrun.Reference{Engine: lib.Engine, Plain: lib.Plain, Sanitizer: lib.sanitizer}
	programs := []trial.Program{{ID: "p", Lang: trial.C, Source: source}}
	results, err := reference.Run(t.Context(), programs, trial.ExecOptions{Stdout: true, Sanitize: sanitizer != ""})
	assert.NilError(t, err)
	r := results[0]
	if sanitizer != "" {
		if said := r.Diagnostic + r.Stderr; r.Outcome != trial.Crash || !strings.Contains(said, strings.TrimSpace(sanitizer)) {
			t.Errorf("%s\nends with %s and says %q, not %q", source, r.Outcome, said, sanitizer)
		}
	} else if r.Outcome != trial.OK || r.Stdout != stdout {
		t.Errorf("%s\nends with %s %s and prints %q, not %q", source, r.Outcome, r.Diagnostic, r.Stdout, stdout)
	}
}

// checkSentence looks for the sentence that a program cites in the file that it names.
func checkSentence(t *testing.T, lib *OpenLibrary, source string) {
	t.Helper()
	flat := func(s string) string { return spacing.ReplaceAllString(s, " ") }
	m := cited.FindStringSubmatch(source)
	assert.Assert(t, m != nil, "no document is cited in\n%s", source)
	text, err := os.ReadFile(filepath.Join(lib.Tree.Dir, filepath.FromSlash(path.Clean(m[2]))))
	if err != nil {
		t.Error(err)
	} else if !strings.Contains(flat(string(text)), flat(m[1])) {
		t.Errorf("%s does not say %q", m[2], m[1])
	}
}
