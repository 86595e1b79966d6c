package citywalk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// read makes a library of these files, whose headers are in its root.
func read(t *testing.T, lang trial.Language, o options, files map[string]string) (*workbook, error) {
	t.Helper()
	dir := t.TempDir()
	to := trial.Target{Library: "box", Language: lang, IncludeDirs: []string{dir}, SourceDir: dir}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
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

func TestMakersOfOtherFiles(t *testing.T) {
	w, err := read(t, trial.C, defaultOptions(), boxes)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"box_count": "box *box_new(void); void box_free(box *b);", "box_new": "", "box_other": ""} {
		if got := strings.Join(w.makers(function(t, w, name)), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := function(t, w, "box_count").documentation(); got != "Counts without a loop.\nHow much is in it." {
		t.Errorf("comments of definition and declaration: %q", got)
	}
	if got := function(t, w, "box_other").documentation(); got != "Other  things." {
		t.Errorf("comment of the definition alone: %q", got)
	}
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

// TestMethodsOfOneClass has two classes with a method of one name, an overload that calls the
// other, operators, and a default argument.
func TestMethodsOfOneClass(t *testing.T) {
	w, err := read(t, trial.CXX, defaultOptions(), map[string]string{
		"bag.h": `#include <string>
namespace bags {
class Other {
 public:
  int size() const { return 99; }
};
class Bag {
 public:
  explicit Bag(int n) : n_(n) {}
  int size() const { return n_; }
  int sum(int from = 1,
          const std::string& name = "x, y") const;
  int sum(const Bag& b, bool twice) const;
  bool operator==(const Bag& b) const { return n_ == b.n_; }
  explicit operator bool() const;
  Bag& operator=(const Bag&) = delete;
 private:
  int operator[](int i) const;
  int n_;
};
}
`,
		"bag.cc": `#include "bag.h"
namespace bags {
int Bag::sum(int from, const std::string& name) const { return from + name.size() + size(); }
int Bag::sum(const Bag& b, bool twice) const { return b.size() + sum(twice, ""); }
}
`,
	})
	if err != nil {
		t.Fatal(err)
	}
	first, second := w.focals[len(w.focals)-2], w.focals[len(w.focals)-1]
	if got, want := signature(first), `int sum(int from = 1, const std::string &name = "x, y") const;`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := strings.Join(w.project.operators(first), " "), "bool operator==(const Bag& b) const; explicit operator bool() const;"; got != want {
		t.Errorf("operators %s, want %s", got, want)
	}
	for f, want := range map[*focal]string{
		first:  "int size() const { return n_; }",
		second: "int size() const { return n_; }; int Bag::sum(int from, const std::string& name) const { return from + name.size() + size(); }",
	} {
		var got []string
		for _, d := range w.project.dependencies(f) {
			first, _, _ := strings.Cut(d.Text, "\n")
			got = append(got, first)
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: dependencies %s, want %s", signature(f), text, want)
		}
	}
}
