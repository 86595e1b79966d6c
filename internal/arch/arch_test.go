package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

const (
	module = "github.com/lisa-bench/lisa-bench/"
	root   = "../.."
)

// execAllowed are the only packages that may start processes.
var execAllowed = map[string]bool{"internal/toolchain": true, "execute/sandbox": true}

// TestLayers parses the imports itself: a test that calls `go list` would be answered from
// the test cache after a violation.
func TestLayers(t *testing.T) {
	position := map[string]int{}
	for _, row := range layers(t, filepath.Join(root, "docs", "explanation", "architecture.md")) {
		for _, pkg := range row {
			position[pkg] = len(position)
		}
	}
	for _, f := range goFiles(t) {
		at, known := position[f.pkg]
		if !known {
			t.Errorf("%s: package %s is in no row of the layers block of docs/explanation/architecture.md", f.name, f.pkg)
			continue
		}
		for _, imp := range f.imports() {
			if imp == "os/exec" && !execAllowed[f.pkg] && !f.test {
				t.Errorf("%s imports os/exec: only internal/toolchain and execute/sandbox start processes", f.name)
			}
			own, ok := strings.CutPrefix(imp, module)
			if !ok || own == f.pkg {
				continue
			}
			if target, ok := position[own]; !ok || target >= at && !f.test {
				t.Errorf("%s imports %s: a package imports only what stands before it in the layers block", f.name, own)
			}
		}
	}
}

// layers reads the block: the packages of each row, left to right.
func layers(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	assert.NilError(t, err)
	_, block, ok := strings.Cut(string(data), "```layers\n")
	assert.Assert(t, ok, "%s has no ```layers block", file)
	block, _, _ = strings.Cut(block, "```")
	for line := range strings.Lines(strings.TrimSpace(block)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// A goFile is a file of the repository, parsed, with its package's path.
type goFile struct {
	name, pkg string // slash-separated
	test      bool
	syntax    *ast.File
}

// goFiles parses every Go file of the repository.
func goFiles(t *testing.T) (found []goFile) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (d.Name() == "testdata" || d.Name() == "runs" || strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		found = append(found, goFile{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), f})
		return err
	})
	assert.Assert(t, err == nil && len(found) >= 10, "%d Go files, %v", len(found), err)
	return found
}

// imports are the packages that a file imports.
func (f goFile) imports() (paths []string) {
	for _, imp := range f.syntax.Imports {
		p, _ := strconv.Unquote(imp.Path.Value)
		paths = append(paths, p)
	}
	return paths
}
