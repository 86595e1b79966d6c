package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A view is what a screen shows of a run.
type view struct {
	planned, ended int
	gone           time.Duration
	forecast       Forecast
	usage          trial.Usage // of cells done and at work
	cells          []cellLine
}

// A cellLine is what a screen shows of a cell at work.
type cellLine struct {
	name, stage string
	done        float64 // of the stage, 0..1; 0 if that is not known
	how         string  // what done is, in words
	gone        time.Duration
	usage       trial.Usage
}

func (w *work) line(now time.Time) cellLine {
	l := cellLine{name: w.cell.ID(), stage: w.stage, done: w.fraction(), gone: now.Sub(w.since), usage: w.usage()}
	switch {
	case w.stage == stageGenerating:
		l.how = percent(l.done)
	case !w.looking.IsZero():
		looked := 0
		for _, done := range w.bugs {
			if done {
				looked++
			}
		}
		l.how = fmt.Sprintf("%d/%d bugs", looked, len(w.cell.Bugs))
	}
	return l
}

const (
	wideScreen = 120 // columns, from which bars are long
	leastRow   = 60  // columns, below which there is only the first line
	leastName  = 26  // characters of a cell's name that are left of it where columns are few
)

// render returns the lines for a terminal of that size: one about the run, and one about each cell at
// work as far as there is room.
func (v view) render(columns, rows int, colour bool) []string {
	columns-- // some terminals wrap after the last one
	bar := 10
	if columns >= wideScreen {
		bar = 24
	}
	lines := []string{v.first(columns, bar)}
	if columns >= leastRow {
		shown := v.cells[:min(len(v.cells), max(0, rows/2-2))]
		var table [][]string
		for _, c := range shown {
			table = append(table, []string{c.name, c.stage, drawBar(c.done, bar), c.how, clock(c.gone),
				tokens(c.usage), dollars(c.usage), count(c.usage.Programs, "program"), count(c.usage.LLMCalls, "LLM call")})
		}
		lines = append(lines, aligned(table, columns)...)
		if more := len(v.cells) - len(shown); more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more at work", more))
		}
	}
	if colour {
		lines[0] = "\x1b[1m" + lines[0] + "\x1b[0m"
		for i, line := range lines {
			lines[i] = filled.ReplaceAllString(line, "\x1b[32m$0\x1b[39m")
		}
	}
	return lines
}

// first is the line about the run. What does not fit is left out.
func (v view) first(columns, bar int) string {
	part := float64(v.ended) / float64(v.planned)
	if v.forecast.Left > 0 {
		part = v.gone.Seconds() / (v.gone + v.forecast.Left).Seconds()
	}
	fields := []string{fmt.Sprintf("%d of %d cells", v.ended, v.planned), drawBar(part, bar), percent(part),
		clock(v.gone) + " gone", v.forecast.String(), tokens(v.usage), dollars(v.usage), count(v.usage.Programs, "program"), count(v.usage.LLMCalls, "LLM call")}
	for _, out := range []int{-1, 8, 7, 2, 1, 5, 6, 3} { // the least needed field first; -1 is none
		if out >= 0 {
			fields[out] = ""
		}
		if line := spaced(fields); utf8.RuneCountInString(line) <= columns {
			return line
		}
	}
	return cut(spaced(fields), columns)
}

// aligned returns the rows of a table whose first column is shortened in the middle where it must be.
// Columns that do not fit are left out, the last ones first.
func aligned(table [][]string, columns int) []string {
	if len(table) == 0 {
		return nil
	}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	least, used, fit := min(widths[0], leastName), 0, 1
	for i := 1; i < len(widths); i++ {
		if widths[i] == 0 {
			continue
		}
		if least+used+2+widths[i] > columns {
			break
		}
		used, fit = used+2+widths[i], i+1
	}
	name := min(widths[0], columns-used)
	var lines []string
	for _, row := range table {
		line := fmt.Sprintf("%-*s", name, shortened(row[0], name))
		for i := 1; i < fit; i++ {
			if widths[i] > 0 {
				line += fmt.Sprintf("  %-*s", widths[i], row[i])
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// shortened leaves out the middle of text that is longer than n characters.
func shortened(text string, n int) string {
	r := []rune(text)
	if len(r) <= n || n < 3 {
		return cut(text, n)
	}
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

func cut(text string, n int) string {
	r := []rune(text)
	return string(r[:min(len(r), max(0, n))])
}

func spaced(fields []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f == "" }), "  ")
}

var filled = regexp.MustCompile(`█+`)

func drawBar(done float64, width int) string {
	n := int(min(1, max(0, done))*float64(width) + 0.5)
	return strings.Repeat("█", n) + strings.Repeat("░", width-n)
}

func percent(part float64) string { return fmt.Sprintf("%.0f %%", 100*part) }

// clock is 4:05, or 1:04:05 from an hour on.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// roughly is a duration of two digits at most, for it is no more exact.
func roughly(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%d s", max(1, int(d.Seconds()+0.5)))
	case d < 95*time.Second:
		return fmt.Sprintf("%d s", int(d.Seconds()/5+0.5)*5)
	case d < 95*time.Minute:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	case d < 10*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

func tokens(u trial.Usage) string {
	switch {
	case u.Tokens == 0:
		return ""
	case u.Tokens < 10_000:
		return fmt.Sprintf("%d tokens", u.Tokens)
	case u.Tokens < 10_000_000:
		return fmt.Sprintf("%dk tokens", u.Tokens/1000)
	}
	return fmt.Sprintf("%.1fM tokens", float64(u.Tokens)/1e6)
}

func dollars(u trial.Usage) string {
	if u.Dollars == 0 {
		return ""
	}
	return fmt.Sprintf("$%.2f", u.Dollars)
}

func count(n int64, what string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
