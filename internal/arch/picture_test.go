package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestPicture holds the picture of the architecture to the layers block.
func TestPicture(t *testing.T) {
	docs := filepath.Join(root, "docs", "explanation")
	drawn := picture(layers(t, filepath.Join(docs, "architecture.md")))
	golden.Assert(t, drawn, filepath.Join("..", docs, "layers.svg"))
}

// The measures of the picture, in pixels: its width, and the height and margin of a box.
const (
	wide, boxHeight, margin = 1000, 26, 6
)

// colours are those of the groups that packages belong to, by the beginning of their names.
var colours = []struct{ group, colour string }{
	{"cmd/", "#d55e00"}, {"report", "#cc79a7"}, {"run/", "#e69f00"}, {"stats", "#cc79a7"}, {"results", "#cc79a7"},
	{"metrics", "#009e73"}, {"pipeline/", "#56b4e9"}, {"baselines/", "#56b4e9"}, {"tools/", "#56b4e9"},
	{"execute/", "#8fb996"}, {"bench/", "#c4b7a6"}, {"", "#dfe3e8"},
}

// picture draws the rows of packages, the last one on top, so that a package imports what lies below it.
func picture(rows [][]string) string {
	var body bytes.Buffer
	y := margin
	for _, row := range slices.Backward(rows) {
		x, top := margin, y
		y += margin
		for _, pkg := range row {
			w := 14 + 7*len(pkg)
			if x+w > wide-2*margin {
				x, y = margin, y+boxHeight+margin
			}
			i := slices.IndexFunc(colours, func(c struct{ group, colour string }) bool { return strings.HasPrefix(pkg, c.group) })
			fmt.Fprintf(&body, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n",
				x+margin, y, w, boxHeight, colours[i].colour, x+margin+7, y+17, pkg)
			x += w + margin
		}
		y += boxHeight + margin
		fmt.Fprintf(&body, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"none\" stroke=\"#9aa3ad\"/>\n", margin, top, wide-2*margin, y-top)
		y += margin
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"11.5\" role=\"img\">\n"+
		"<title>The packages in their layers: each imports only packages of lower layers</title>\n<rect width=\"%[1]d\" height=\"%[2]d\" fill=\"white\"/>\n%s</svg>\n", wide, y, body.String())
}

// named is a function as the page of a test program's life names it: package, then type and method, or function.
var named = regexp.MustCompile("`((?:[a-z]+/)*[a-z]+)\\.([A-Za-z]+)(?:\\.([A-Za-z]+))?`")

// TestNamedFunctionsExist follows every function that the page names.
func TestNamedFunctionsExist(t *testing.T) {
	var found [][]string
	for line := range strings.Lines(read(t, filepath.Join(root, "docs", "explanation", "life-of-a-test.md"))) {
		if strings.HasPrefix(line, "|") {
			found = append(found, named.FindAllStringSubmatch(line, -1)...)
		}
	}
	assert.Assert(t, len(found) >= 15, "only %d functions are named", len(found))
	there := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				there[f.pkg+"."+receiver(fn)+fn.Name.Name] = true
			}
		}
	}
	for _, m := range found {
		if name := strings.Trim(m[0], "`"); !there[name] {
			t.Errorf("%s is not there", name)
		}
	}
}

// receiver is the type of a method with a dot, or nothing.
func receiver(fn *ast.FuncDecl) (name string) {
	if fn.Recv != nil {
		ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && name == "" {
				name = id.Name + "."
			}
			return true
		})
	}
	return name
}
