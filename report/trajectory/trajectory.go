// Package trajectory makes the page of what an agent did in one cell: its conversation with the model turn by turn,
// what it had after each turn, and in which turns the tests that detect bugs were written and kept.
package trajectory

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// These bound a trajectory's page, in bytes of text.
const (
	maxSaid     = 8 << 10 // of one answer, call or result
	maxSaidLate = 300     // the same, when the page is full
	maxPage     = 3 << 20
)

// A trajectory is the conversation of one cell.
type trajectory struct {
	record trial.Record
	turns  []turn
	found  []detection
	size   int // bytes of text so far
}

// A turn is a request and its answer. Figures are those at its end.
type turn struct {
	said   []doc.Passage
	called []string // names of functions
	words  string   // arguments of all calls but those of the workspace's own commands
	tokens int64
	price  float64
	tests  int // files that passed check so far
	lines  int // that they cover, by what check said last
	of     int // lines of the library
	bugs   int // that tests kept so far detect
}

// A detection is a bug with the test that detects it, and the turns in which the test was written and kept.
type detection struct {
	bug, test     string
	written, kept int
}

var (
	passes    = regexp.MustCompile(`(?m)^(\S+\.(?:c|cc|cpp|cxx)): passes$`)
	covers    = regexp.MustCompile(`The suite covers (\d+) of (\d+) lines`)
	workspace = []string{"check", "gaps", "suspect"}
)

// Page returns the page of a cell whose agent asked and was answered so, and how many bugs its tests detect.
func Page(title string, r trial.Record, entries []llm.Entry, bugs []measured.BugInfo) (page *doc.Document, found int) {
	tr := read(r, entries)
	return tr.document(title, bugs), len(tr.found)
}

// read goes through the requests and answers.
func read(r trial.Record, entries []llm.Entry) *trajectory {
	tr := &trajectory{record: r}
	var asked [][]llm.Message
	for _, e := range entries {
		asked = append(asked, wire.Whole(e.Request).Messages)
	}
	var now turn
	kept := map[string]bool{}
	for i, e := range entries {
		now.said, now.called, now.words = nil, nil, ""
		tr.say(&now, "It was asked", news(asked[i]))
		now.price += e.Dollars
		if e.Answer != nil {
			now.tokens += e.Answer.Usage.Tokens()
			tr.say(&now, "It said", e.Answer.Text)
			for _, c := range e.Answer.ToolCalls {
				result := resultOf(c.ID, asked[i+1:])
				now.called = append(now.called, c.Function.Name)
				if !slices.Contains(workspace, c.Function.Name) {
					now.words += c.Function.Arguments
				}
				tr.say(&now, "It called "+c.Function.Name, arguments(c.Function.Arguments))
				tr.say(&now, "What came back", result)
				for _, m := range passes.FindAllStringSubmatch(result, -1) {
					kept[m[1]] = true
				}
				if all := covers.FindAllStringSubmatch(result, -1); all != nil {
					last := all[len(all)-1]
					now.lines, _ = strconv.Atoi(last[1]) // digits
					now.of, _ = strconv.Atoi(last[2])
				}
			}
		}
		now.tests = len(kept)
		tr.turns = append(tr.turns, now)
	}
	tr.detections()
	return tr
}

// say adds a text that has words, as far as the page has room for it.
func (tr *trajectory) say(t *turn, title, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	most := maxSaid
	if tr.size > maxPage {
		most = maxSaidLate
	}
	if len(text) > most {
		text = fmt.Sprintf("%s\n[%d bytes in all; the cell's %s has the rest]", llm.Shorten(text, most), len(text),
			llm.TranscriptFile)
	}
	tr.size += len(text)
	t.said = append(t.said, doc.Passage{Title: doc.Clean(title), Text: doc.Clean(text)})
}

// news is what a request says behind the last answer, results of calls left out.
func news(messages []llm.Message) string {
	var texts []string
	for _, m := range slices.Backward(messages) {
		if m.Role == "assistant" {
			break
		}
		if m.Role != "tool" {
			texts = append(texts, m.Content)
		}
	}
	slices.Reverse(texts)
	return strings.Join(texts, "\n\n")
}

// resultOf returns what a call returned. A program from outside may ask something else before it tells its model.
func resultOf(id string, later [][]llm.Message) string {
	const near = 5 // requests
	for _, messages := range later[:min(near, len(later))] {
		for _, m := range slices.Backward(messages) {
			if m.Role == "tool" && m.ToolCallID == id {
				return m.Content
			}
		}
	}
	return ""
}

// arguments are those of a call, one below the other, with texts as they are.
func arguments(text string) string {
	var named map[string]any
	if json.Unmarshal([]byte(text), &named) != nil || len(named) == 0 {
		return text
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(named)) {
		value := fmt.Sprint(named[name])
		if strings.Contains(value, "\n") {
			value = "\n" + value
		}
		lines = append(lines, name+": "+value)
	}
	return strings.Join(lines, "\n")
}

// detections finds the turns in which tests that detect bugs were kept, by the tokens that were used up then, and
// written: the last one before whose calls name the test's file.
func (tr *trajectory) detections() {
	for _, b := range tr.record.Bugs {
		if !b.Detected || len(b.First) == 0 {
			continue
		}
		earliest := slices.MinFunc(b.First, func(x, y trial.TestReference) int { return int(x.Tokens - y.Tokens) })
		file := filepath.Base(earliest.Origin)
		kept := slices.IndexFunc(tr.turns, func(t turn) bool { return t.tokens >= earliest.Tokens })
		if kept < 0 {
			kept = len(tr.turns) - 1
		}
		written := kept
		for n := kept; n >= 0; n-- {
			if strings.Contains(tr.turns[n].words, file) {
				written = n
				break
			}
		}
		tr.found = append(tr.found, detection{b.Bug, file, written + 1, kept + 1})
		for n := kept; n < len(tr.turns); n++ {
			tr.turns[n].bugs++
		}
	}
	slices.SortStableFunc(tr.found, func(x, y detection) int { return x.kept - y.kept })
}

func (tr *trajectory) document(title string, bugs []measured.BugInfo) *doc.Document {
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean(title)}
	over := doc.Section{ID: "trajectory", Title: "Trajectory"}
	over.Draw(tr.chart())
	link := func(n int) doc.Cell {
		return doc.Cell{Text: fmt.Sprintf("turn %d", n), Page: fmt.Sprintf("#turn-%d", n)}
	}
	found := doc.NewTable("found", "Bugs that its tests detect", doc.Text("bug", "Bug"),
		doc.Wide("title", "Defect"), doc.Text("test", "Test"),
		doc.Text("written", "Written"), doc.Text("kept", "Kept"))
	for _, f := range tr.found {
		defect := doc.NA("another version of the corpus has it")
		if i := slices.IndexFunc(bugs, func(b measured.BugInfo) bool { return b.ID == f.bug }); i >= 0 {
			defect = doc.Words(bugs[i].Title)
		}
		found.Add(doc.Words(f.bug), defect, doc.Words(f.test), link(f.written), link(f.kept))
	}
	over.Put(found)
	if g := tr.record.Generation; g != nil && g.Mutants != nil {
		over.Notes = []string{fmt.Sprintf("Of %s of the library, its tests reached %d and killed %d while it worked.",
			trial.Count(g.Mutants.Mutants, "mutant"), g.Mutants.Reached, g.Mutants.Killed)}
	}
	d.Add(over)
	for i, t := range tr.turns {
		d.Add(doc.Section{ID: fmt.Sprintf("turn-%d", i+1), Title: fmt.Sprintf("Turn %d", i+1),
			Lead: doc.Clean(t.line()), Texts: t.said})
	}
	return d
}

// line says what a turn did and what was there at its end.
func (t turn) line() string {
	parts := slices.Compact(slices.Clone(t.called))
	parts = append(parts, fmt.Sprintf("%d tokens", t.tokens))
	if t.price > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", t.price))
	}
	if t.tests > 0 {
		parts = append(parts, trial.Count(t.tests, "test"))
	}
	if t.of > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d lines", t.lines, t.of))
	}
	return strings.Join(parts, ", ")
}

// chart has all figures in percent: lines of all lines, the others of what they are at the end.
func (tr *trajectory) chart() doc.Chart {
	c := doc.Chart{ID: "trajectory", Title: "What it had after each turn", Kind: doc.Steps, XLabel: "turn", YLabel: "%",
		Caption: "Lines covered, of all lines as check said; the others of what they are at the end."}
	last := tr.turns[len(tr.turns)-1]
	draw := func(name string, end float64, of func(turn) float64) {
		series := doc.Series{Name: name, Style: len(c.Series)}
		for i, t := range tr.turns {
			if end > 0 {
				y := 100 * of(t) / end
				series.Points = append(series.Points, doc.Point{X: float64(i + 1), Mean: y, Min: y, Max: y})
			}
		}
		c.Add(series)
	}
	draw("tokens", float64(last.tokens), func(t turn) float64 { return float64(t.tokens) })
	draw("dollars", last.price, func(t turn) float64 { return t.price })
	draw("tests kept", float64(last.tests), func(t turn) float64 { return float64(t.tests) })
	draw("lines covered", float64(last.of), func(t turn) float64 { return float64(t.lines) })
	draw("bugs detected", float64(last.bugs), func(t turn) float64 { return float64(t.bugs) })
	return c
}
