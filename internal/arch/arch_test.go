package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/lisa-bench/lisa-bench/"

// execAllowed are the only packages that may start processes.
var execAllowed = map[string]bool{"internal/toolchain": true, "execute/sandbox": true}

// TestLayers parses the imports itself: a test that calls `go list` would be answered from
// the test cache after a violation.
func TestLayers(t *testing.T) {
	root := filepath.Join("..", "..")
	position := map[string]int{}
	for _, row := range layers(t, filepath.Join(root, "docs", "explanation", "architecture.md")) {
		for _, pkg := range row {
			position[pkg] = len(position)
		}
	}
	for file, imports := range importsOf(t, root) {
		pkg := path.Dir(file)
		at, known := position[pkg]
		if !known {
			t.Errorf("%s: package %s is in no row of the layers block of docs/explanation/architecture.md", file, pkg)
			continue
		}
		for _, imp := range imports {
			if imp == "os/exec" && !execAllowed[pkg] && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s imports os/exec: only internal/toolchain and execute/sandbox start processes", file)
			}
			own, ok := strings.CutPrefix(imp, module)
			if !ok || own == pkg {
				continue
			}
			if target, ok := position[own]; !ok || target >= at && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s imports %s: a package imports only what stands before it in the layers block", file, own)
			}
		}
	}
}

// layers reads the block: the packages of each row, left to right.
func layers(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(data), "```layers\n")
	if !ok {
		t.Fatalf("%s has no ```layers block", file)
	}
	block, _, _ = strings.Cut(block, "```")
	for line := range strings.Lines(strings.TrimSpace(block)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// importsOf returns the imports of every Go file below root, by slash-separated path.
func importsOf(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (d.Name() == "testdata" || d.Name() == "runs" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		key := filepath.ToSlash(rel)
		found[key] = nil
		for _, imp := range f.Imports {
			p, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			found[key] = append(found[key], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("found only %d Go files below %s: the walk is broken", len(found), root)
	}
	return found
}
