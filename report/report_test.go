package report_test

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report"
	. "github.com/lisa-bench/lisa-bench/report/doc"
	. "github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
)

func build(t *testing.T, run Run) *Document {
	t.Helper()
	return Build(run)
}

// only is a document with only the named sections.
func only(d *Document, ids ...string) *Document {
	part := *d
	part.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s Section) bool { return !slices.Contains(ids, s.ID) })
	return &part
}

func rendered(t *testing.T, d *Document) map[string]string {
	t.Helper()
	files, err := render.Files(d, func(err error) { t.Error(err) })
	assert.NilError(t, err)
	byName := map[string]string{}
	for name, data := range files {
		byName[name] = string(data)
	}
	return byName
}

// echarts is the library that pages hold.
func echarts(t *testing.T) string {
	t.Helper()
	f, err := os.Open(filepath.Join("render", "assets", "echarts.min.js.gz"))
	assert.NilError(t, err)
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	assert.NilError(t, err)
	script, err := io.ReadAll(unpacked)
	assert.NilError(t, err)
	return string(script)
}

// image is a picture that is in the page.
var image = regexp.MustCompile(`src="data:image/svg[^"]*"`)

// withoutLibrary cuts the megabyte of echarts, and the images, out of a page.
func withoutLibrary(t *testing.T, html string) string {
	t.Helper()
	library := echarts(t)
	assert.Assert(t, strings.Count(html, library) == 1, "the page does not hold echarts exactly once")
	return image.ReplaceAllString(strings.Replace(html, library, "(echarts)", 1), `data-image`)
}

func TestGolden(t *testing.T) {
	files := rendered(t, build(t, fixture()))
	files["index.html"] = withoutLibrary(t, files["index.html"])
	for name := range files { // the others are made alike
		switch dir, file := path.Split(name); {
		case dir == "", file == "coverage-line.svg", file == "matrix_zlib.csv", file == "bugs.csv", file == "bugs.tex":
		default:
			delete(files, name)
		}
	}
	if golden.FlagUpdate() {
		assert.NilError(t, os.RemoveAll(filepath.Join("testdata", "golden")))
	}
	for name, got := range files {
		t.Run(name, func(t *testing.T) { golden.Assert(t, got, filepath.Join("golden", filepath.FromSlash(name))) })
	}
}

// A report may depend neither on the order in which files were read nor, where no budget
// was in seconds, on any clock.
func TestReportsOfEqualRecordsAreEqual(t *testing.T) {
	want := rendered(t, build(t, fixture()))
	run := fixture()
	slices.Reverse(run.Cells)
	slices.Reverse(run.Incomplete)
	slices.Reverse(run.Planned)
	for i := range run.Cells {
		run.Cells[i].Usage.Wall *= 3
		run.Cells[i].Usage.CPU *= 2
		run.Cells[i].Growth = slices.Clone(run.Cells[i].Growth)
		for j := range run.Cells[i].Growth {
			run.Cells[i].Growth[j].Elapsed *= 5
		}
		for _, b := range run.Cells[i].Bugs {
			for j := range b.First {
				b.First[j].Elapsed *= 7
			}
		}
	}
	got := rendered(t, build(t, run))
	for name := range want {
		assert.Check(t, got[name] == want[name], "%s depends on a clock or on the order of files", name)
	}
}

var (
	tag      = regexp.MustCompile(`<[a-zA-Z][^>]*>`)
	loads    = regexp.MustCompile(`(?i)\s(src|srcset|action|data|poster)=|href="[^#]|url\(|@import`)
	scriptEl = regexp.MustCompile(`<script[ >]`)
)

func TestHTMLIsSelfContainedAndEscaped(t *testing.T) {
	html := withoutLibrary(t, rendered(t, build(t, fixture()))["index.html"])
	assert.Check(t, !strings.Contains(html, hostileName), "a name from a program is not escaped")
	assert.Check(t, strings.Contains(html, "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;"),
		"the hostile name is nowhere to be seen")
	assert.Check(t, is.Equal(len(scriptEl.FindAllString(html, -1)), 3))
	for _, el := range tag.FindAllString(html, -1) {
		assert.Check(t, !loads.MatchString(el), "the page may load something: %s", el)
	}
	assert.Check(t, strings.Contains(html, "default-src &#39;none&#39;;"), "no policy against loading")
	assert.Check(t, !strings.ContainsRune(html, '\x1b'), "a control character is in the page")
	assert.Check(t, !strings.Contains(html, "ZgotmplZ"), "the template refused a value")
}

// The hash is that of dist/echarts.min.js in the npm package echarts 5.6.0.
func TestEchartsIsAsPublished(t *testing.T) {
	library := echarts(t)
	assert.Check(t, is.Equal(digest(library), "bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1"))
	// It stands in a script element as it is, and its hash is taken of what a browser reads.
	if strings.Contains(library, "</script") || strings.Contains(library, "<!--") || strings.ContainsRune(library, '\r') {
		t.Error("the script cannot be put into a page unchanged")
	}
}

// Every note, source and contents entry that is linked to must exist, once.
func TestHTMLLinksResolve(t *testing.T) {
	html := withoutLibrary(t, rendered(t, build(t, fixture()))["index.html"])
	ids := map[string]int{}
	for _, m := range regexp.MustCompile(`\sid="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		ids[m[1]]++
	}
	for id, n := range ids {
		assert.Check(t, n <= 1, "id %s is used %d times", id, n)
	}
	for _, m := range regexp.MustCompile(`(?:href="#|popovertarget="|aria-labelledby=")([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if ids[m[1]] == 0 && !strings.HasPrefix(m[1], "library=") { // which report.js reads
			t.Errorf("link to %s, which is not on the page", m[1])
		}
	}
}

func table(t *testing.T, d *Document, id string) Table {
	t.Helper()
	for _, s := range d.Sections {
		for _, tab := range s.Tables {
			if tab.ID == id {
				return tab
			}
		}
	}
	t.Fatalf("no table %s", id)
	return Table{}
}

// columnOf finds a column by its key.
func columnOf(tab Table, key string) int {
	return slices.IndexFunc(tab.Columns, func(c Column) bool { return c.Key == key })
}

func TestCSVIsTidy(t *testing.T) {
	for name, text := range rendered(t, build(t, fixture())) {
		if !strings.HasPrefix(name, "csv/") {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		seen := map[string]bool{}
		for _, column := range rows[0] {
			assert.Check(t, column != "" && !seen[column], "%s: column %q is empty or there twice", name, column)
			seen[column] = true
		}
	}
}

func TestCleanShowsControlCharacters(t *testing.T) {
	got, want := Clean("a\x1b[31m\u202e\xff\tb\n"), "a\\x1b[31m\\x202e\ufffd\tb\n"
	assert.Check(t, got == want, "got %q, want %q", got, want)
}

// writeLaTeX writes the LaTeX files of a document into a directory.
func writeLaTeX(t *testing.T, dir string, d *Document) {
	t.Helper()
	for name, text := range rendered(t, d) {
		if name, ok := strings.CutPrefix(name, "latex/"); ok {
			assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
	}
}

func TestLaTeXCompiles(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	dir := t.TempDir()
	writeLaTeX(t, dir, build(t, fixture()))
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "report.tex")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
}

// hasSection reports whether a document has a section.
func hasSection(d *Document, id string) bool {
	return slices.ContainsFunc(d.Sections, func(s Section) bool { return s.ID == id })
}

// TestVerifications checks the section of AUVC: means over trials, a reason where there is no
// compiler, and none of it in a run that counted nothing.
func TestVerifications(t *testing.T) {
	run := fixture()
	assert.Check(t, !hasSection(build(t, run), "verifications"), "a run without counts has a section of them")
	for i := range run.Cells {
		r := &run.Cells[i]
		switch {
		case r.Kind == trial.KindCorpus:
		case r.Cell.Library == "zlib":
			r.Verifications = &trial.Verifications{Seeds: 200, Programs: 250, Passing: 150, Unique: 400 * r.Cell.Trial,
				Assertions: 1000, Repeated: 90, Tautologies: 10, Structural: 7, Translated: 993}
		default:
			r.Lack(trial.PartVerifications, trial.Reason{Kind: trial.ReasonMissingTool, Message: "clang-19 is not installed"})
		}
	}
	d := build(t, run)
	rows := rowsOf(t, d, "verifications")
	for _, want := range []string{
		"zlib|randoop|2 of 2|3.00 ± 1.41|2.40 ± 1.13|300 of 500|2000|1200|180|20|0|14 of 2000|0",
		"cjson|randoop|2 of 2" + strings.Repeat("|missing", 10), "zlib|ossfuzz|2 of 2" + strings.Repeat("|n/a", 10),
	} {
		assert.Check(t, slices.Contains(rows, want), "%q lacks %q", rows, want)
	}
	text := rendered(t, d)["report.txt"]
	assert.Check(t, strings.Contains(text, "missing: missing_tool: clang-19 is not installed"), "the reason is not told")
}

// TestOneTableOrFigure checks that the commands beside tables and figures print what the report's files hold.
func TestOneTableOrFigure(t *testing.T) {
	d := build(t, fixture())
	files := rendered(t, d)
	for _, id := range d.Names() {
		data, err := render.Only(d, id)
		want := cmp.Or(files["csv/"+id+".csv"], files["figures/"+id+".svg"])
		assert.Check(t, err == nil && string(data) == want, "%s differs from the report's file: %v", id, err)
	}
	if f, err := render.Only(d, "coverag"); f != nil || err != nil {
		t.Errorf("%v, %v", f, err)
	}
}
