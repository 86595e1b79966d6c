package report

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
)

// maxSaid bounds one answer, call or result on a trajectory's page, in bytes.
const maxSaid = 8 << 10

// trajectories makes a page for each cell of an agent, with its conversation turn by turn: what it had after each,
// and in
// which turns the tests that detect bugs were written and kept.
func (a *analysis) trajectories(s *doc.Section) {
	if a.Run.Turns == nil {
		return
	}
	t := lines("trajectories", "What each agent did, turn by turn", doc.Number("trial", "Trial", 0), doc.Text("page",
		"Page"),
		doc.Number("turns", "Turns", 0), doc.Number("bugs", "Bugs detected", 0))
	a.pages = map[string]*doc.Document{}
	for _, g := range a.Groups {
		for _, r := range g.Records {
			entries, err := a.Run.Turns(r.Cell)
			switch {
			case err != nil:
				t.Warnings = append(t.Warnings, doc.Clean(fmt.Sprintf("%s has no page: %v", r.Cell.ID(), err)))
				continue
			case len(entries) == 0:
				continue
			}
			tr := &trajectory{record: r}
			tr.read(entries)
			found := tr.detections()
			page := &doc.Document{Schema: doc.Schema, Title: doc.Clean(fmt.Sprintf("%s on %s, trial %d", g.Tool,
				a.Label(g.Library), r.Cell.Trial))}
			page.Add(a.trajectoryOf(tr, found))
			for i, t := range tr.turns {
				page.Add(doc.Section{ID: fmt.Sprintf("turn-%d", i+1), Title: fmt.Sprintf("Turn %d", i+1),
					Lead: doc.Clean(t.line()), Texts: t.said})
			}
			name := "trajectories/" + doc.Clean(r.Cell.ID()) + ".html"
			a.pages[name] = page
			t.Add(a.line(g, doc.Int(r.Cell.Trial), doc.Cell{Text: "conversation", Page: name}, doc.Int(len(entries)),
				doc.Int(len(found)))...)
		}
	}
	s.Put(t)
}

// A trajectory is the conversation of one cell.
type trajectory struct {
	record record
	turns  []turn
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

var (
	passes    = regexp.MustCompile(`(?m)^(\S+\.(?:c|cc|cpp|cxx)): passes$`)
	covers    = regexp.MustCompile(`The suite covers (\d+) of (\d+) lines`)
	workspace = []string{"check", "gaps", "suspect"}
)

// read goes through the requests and answers.
func (tr *trajectory) read(entries []llm.Entry) {
	var asked [][]llm.Message
	for _, e := range entries {
		asked = append(asked, wire.Whole(e.Request).Messages)
	}
	var now turn
	kept := map[string]bool{}
	for i, e := range entries {
		now.said, now.called, now.words = nil, nil, ""
		now.say("It was asked", news(asked[i]))
		now.price += e.Dollars
		if e.Answer != nil {
			now.tokens += e.Answer.Usage.Tokens()
			now.say("It said", e.Answer.Text)
			for _, c := range e.Answer.ToolCalls {
				result := resultOf(c.ID, asked[i+1:])
				now.called = append(now.called, c.Function.Name)
				if !slices.Contains(workspace, c.Function.Name) {
					now.words += c.Function.Arguments
				}
				now.say("It called "+c.Function.Name, arguments(c.Function.Arguments))
				now.say("What came back", result)
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
}

// say adds a text that has words.
func (t *turn) say(title, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(text) > maxSaid {
		text = fmt.Sprintf("%s\n[%d bytes in all; the cell's %s has the rest]", llm.Shorten(text, maxSaid), len(text),
			llm.TranscriptFile)
	}
	t.said = append(t.said, doc.Passage{Title: doc.Clean(title), Text: doc.Clean(text)})
}

// news is what a request says behind the last answer, results of calls left out.
func news(messages []llm.Message) string {
	var texts []string
	for _, m := range messages {
		switch m.Role {
		case "assistant":
			texts = nil
		case "tool":
		default:
			texts = append(texts, m.Content)
		}
	}
	return strings.Join(texts, "\n\n")
}

// resultOf returns what a call returned. A program from outside may ask something else before it tells its model.
func resultOf(id string, later [][]llm.Message) string {
	for _, messages := range later {
		for _, m := range messages {
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

// A detection is a bug with the test that detects it, and the turns, from 1, in which the test was written and kept.
type detection struct {
	bug, test     string
	written, kept int
}

// detections finds the turns in which tests that detect bugs were kept, by the tokens that were used up then, and
// written: the last one before whose calls name the test's file.
func (tr *trajectory) detections() (found []detection) {
	for _, b := range tr.record.Bugs {
		if !b.Detected || len(b.First) == 0 {
			continue
		}
		earliest := slices.MinFunc(b.First, func(x, y trial.TestReference) int { return int(x.Tokens - y.Tokens) })
		d := detection{bug: b.Bug, test: filepath.Base(earliest.Origin), kept: len(tr.turns)}
		if i := slices.IndexFunc(tr.turns, func(t turn) bool { return t.tokens >= earliest.Tokens }); i >= 0 {
			d.kept = i + 1
		}
		d.written = d.kept
		for i := d.kept - 1; i >= 0; i-- {
			if strings.Contains(tr.turns[i].words, d.test) {
				d.written = i + 1
				break
			}
		}
		for i := range tr.turns[d.kept-1:] {
			tr.turns[d.kept-1+i].bugs++
		}
		found = append(found, d)
	}
	slices.SortStableFunc(found, func(x, y detection) int { return x.kept - y.kept })
	return found
}

// trajectoryOf is the first section of a trajectory's page.
func (a *analysis) trajectoryOf(tr *trajectory, found []detection) doc.Section {
	s := doc.Section{ID: "trajectory", Title: "Trajectory", Charts: []doc.Chart{tr.chart()}}
	link := func(n int) doc.Cell {
		return doc.Cell{Text: fmt.Sprintf("turn %d", n), Page: fmt.Sprintf("#turn-%d", n)}
	}
	t := doc.NewTable("found", "Bugs that its tests detect", doc.Text("bug", "Bug"), doc.Wide("title", "Defect"),
		doc.Text("test", "Test"),
		doc.Text("written", "Written"), doc.Text("kept", "Kept"))
	for _, f := range found {
		title := ""
		for _, b := range a.Bugs[tr.record.Cell.Library] {
			if b.ID == f.bug {
				title = b.Title
			}
		}
		t.Add(doc.Words(f.bug), doc.Words(title), doc.Words(f.test), link(f.written), link(f.kept))
	}
	s.Put(t)
	if told.In(tr.record) {
		m := tr.record.Generation.Mutants
		s.Notes = []string{fmt.Sprintf("Of %s of the library, its tests reached %d and killed %d while it worked.",
			trial.Count(m.Mutants, "mutant"), m.Reached, m.Killed)}
	}
	return s
}

// line says what a turn did and what was there at its end.
func (t turn) line() string {
	parts := append(slices.Compact(slices.Clone(t.called)), fmt.Sprintf("%d tokens", t.tokens))
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
	for style, of := range []struct {
		name string
		end  float64
		at   func(turn) float64
	}{
		{"tokens", float64(last.tokens), func(t turn) float64 { return float64(t.tokens) }},
		{"dollars", last.price, func(t turn) float64 { return t.price }},
		{"tests kept", float64(last.tests), func(t turn) float64 { return float64(t.tests) }},
		{"lines covered", float64(last.of), func(t turn) float64 { return float64(t.lines) }},
		{"bugs detected", float64(last.bugs), func(t turn) float64 { return float64(t.bugs) }},
	} {
		series := doc.Series{Name: of.name, Style: style}
		for i, t := range tr.turns {
			if of.end > 0 {
				series.Points = append(series.Points, over(float64(i+1), []float64{100 * of.at(t) / of.end}))
			}
		}
		c.Add(series)
	}
	return c
}
