package citywalk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// read makes a library of these files, whose headers are in its root.
func read(t *testing.T, lang trial.Language, o options, files map[string]string) (*workbook, error) {
	t.Helper()
	dir := t.TempDir()
	to := trial.Target{Library: "box", Language: lang, IncludeDirs: []string{dir}, SourceDir: dir}
	for name, text := range files {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		if isHeader(name) {
			to.Headers = append(to.Headers, name)
		}
	}
	_, c := tools(t)
	w, _, err := (&Tool{Compiler: c}).read(t.Context(), to, o)
	return w, err
}

var boxes = map[string]string{
	"box.h": `typedef struct box { int n; } box;
/* Makes a box. */
box *box_new(void);
/* Releases a box. */
void box_free(box *b);
/* How much is in it. */
int box_count(const box *b);

int box_other(int n);
`,
	"make.c":  "#include \"box.h\"\n#include <stdlib.h>\nbox *box_new(void) { return calloc(1, sizeof(box)); }\nvoid box_free(box *b) { free(b); }\n",
	"count.c": "#include \"box.h\"\n/* Counts without a loop. */\nint box_count(const box *b) { return b->n; }\n/* Other  things. */\nint box_other(int n) { return n; }\n",
}

func TestChosenFunctions(t *testing.T) {
	o := defaultOptions()
	o.Functions = []string{"box_count"}
	w, err := read(t, trial.C, o, boxes)
	if err != nil || len(w.focals) != 1 || w.focals[0].name != "box_count" || len(w.makers(w.focals[0])) != 2 {
		t.Errorf("%v, %+v", err, w)
	}
	for name, hint := range map[string]string{"Box_Count": "give names as the headers have them"} {
		o.Functions = []string{name}
		if _, err := read(t, trial.C, o, boxes); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), hint) {
			t.Errorf("%s: error %v, want one with %q", name, err, hint)
		}
	}
}
