package report_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"gotest.tools/v3/assert"

	. "github.com/lisa-bench/lisa-bench/report/measured"
)

// shownIn opens a page at an address in a browser without a screen and returns its tree after the scripts ran.
func shownIn(t *testing.T, browser, file, fragment string) *html.Node {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+file+fragment)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	assert.NilError(t, err)
	root, err := html.Parse(strings.NewReader(string(out)))
	assert.NilError(t, err)
	return root
}

// TestAddressesNarrowThePage runs the page's script where a browser is installed.
func TestAddressesNarrowThePage(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil || testing.Short() {
		t.Skip("chromium is not installed, or -short")
	}
	file := filepath.Join(t.TempDir(), "index.html")
	assert.NilError(t, os.WriteFile(file, []byte(rendered(t, build(t, timed(fixture())))["index.html"]), 0o644))
	for _, c := range []struct {
		fragment         string
		libraries, tools []string // that rows of the coverage table still show
		figures          []string // that are shown, of those of one library
		link             string   // of the contents
	}{
		{"#coverage", []string{"cjson", "zlib"}, []string{"ossfuzz", "randoop", "randoop/no_feedback"}, []string{"cjson", "zlib"}, "#coverage"},
		{"#library=zlib&tool=randoop&variant=default", []string{"zlib"}, []string{"randoop"}, []string{"zlib"}, "#library=zlib&tool=randoop&variant=default&at=coverage"},
		{"#tool=ossfuzz&at=coverage", []string{"cjson", "zlib"}, []string{"ossfuzz"}, []string{"zlib"}, "#tool=ossfuzz&at=coverage"},
	} {
		root := shownIn(t, browser, file, c.fragment)
		var libraries, tools, figures []string
		drawn, link := 0, ""
		walk(root, func(n *html.Node) {
			switch {
			case n.Data == "table" && strings.HasPrefix(textOf(n.FirstChild.NextSibling), "Library coverage "):
				walk(n, func(row *html.Node) {
					if row.Data == "tr" && attr(row, "data-library") != "" && !hidden(row) {
						libraries, tools = append(libraries, attr(row, "data-library")), append(tools, attr(row, "data-tools"))
					}
				})
			case n.Data == "figure" && attr(n, "data-library") != "" && !hidden(n):
				figures = append(figures, attr(n, "data-library"))
			case n.Data == "svg":
				drawn++
			case n.Data == "a" && textOf(n) == "Coverage":
				link = attr(n, "href")
			}
		})
		for _, x := range []struct {
			what      string
			got, want []string
		}{{"libraries", libraries, c.libraries}, {"tools", tools, c.tools}, {"figures", figures, c.figures}} {
			slices.Sort(x.got)
			got := slices.Compact(x.got)
			assert.Check(t, slices.Equal(got, x.want), "%q: %s %q, want %q", c.fragment, x.what, got, x.want)
		}
		assert.Check(t, drawn != 0 && link == c.link,
			"%q: %d charts drawn, contents lead to %q, want %q", c.fragment, drawn, link, c.link)
	}
}

func hidden(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
}

func walk(n *html.Node, visit func(*html.Node)) {
	if n.Type == html.ElementNode {
		visit(n)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, visit)
	}
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c))
	}
	return b.String()
}

func timed(r Run) Run {
	r.Timed = true
	return r
}
