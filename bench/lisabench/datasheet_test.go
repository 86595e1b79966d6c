package lisabench

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestDataSheet holds the counts in the data sheet against the corpus.
func TestDataSheet(t *testing.T) {
	const file, begin, end = "../../docs/reference/lisa-bench.md", "<!-- counts: go test ./bench/lisabench -run TestDataSheet -update -->\n", "<!-- end -->\n"
	bench, err := Load(Embedded())
	assert.NilError(t, err)
	data, err := os.ReadFile(file)
	assert.NilError(t, err)
	before, rest, found := strings.Cut(string(data), begin)
	_, after, ended := strings.Cut(rest, end)
	assert.Assert(t, found && ended, "%s has no %q and %q", file, begin, end)
	golden.Assert(t, before+begin+counts(bench)+end+after, filepath.Join("..", file))
}

// counts are the numbers of bugs by library, and by class, in the years of their fixes.
func counts(bench *Bench) string {
	byLibrary, byDefect := map[string]map[string]int{}, map[string]map[string]int{}
	years := map[string]bool{}
	for _, l := range bench.Libraries {
		for _, b := range l.Bugs {
			year := max(b.Date[:4], "2022")
			years[year] = true
			keys := []string{year, "all", string(b.Selection)}
			for ed, name := range map[Edition]string{Debian: "debian", Fresh: "fresh edition"} {
				if how := b.In(ed); how != nil && how.Strategy != Absent {
					keys = append(keys, name)
				}
			}
			for _, k := range keys {
				for in, row := range map[string]map[string]map[string]int{l.Name: byLibrary, b.Defect: byDefect} {
					for _, name := range []string{in, "all"} {
						if row[name] == nil {
							row[name] = map[string]int{}
						}
						row[name][k]++
					}
				}
			}
		}
	}
	var out strings.Builder
	columns := append(slices.Sorted(maps.Keys(years)), "all", string(FreshlyAdded), "debian", "fresh edition")
	head := strings.NewReplacer("2022", "to 2022", "fresh edition", "`debian-fresh`", "debian", "`debian`").Replace(strings.Join(columns, " | "))
	fmt.Fprintf(&out, "| library | %s |\n|---|%s\n", head, strings.Repeat("---|", len(columns)))
	for _, n := range append(names(byLibrary), "all") {
		fmt.Fprintf(&out, "| %s |", n)
		for _, c := range columns {
			fmt.Fprintf(&out, " %d |", byLibrary[n][c])
		}
		out.WriteString("\n")
	}
	var classes []string
	for _, n := range names(byDefect) {
		classes = append(classes, fmt.Sprintf("%s %d (%d)", n, byDefect[n]["all"], byDefect[n][string(FreshlyAdded)]))
	}
	fmt.Fprintf(&out, "\nBy class (of them fresh): %s.\n", strings.Join(classes, ", "))
	return out.String()
}

// names are those of the rows but for the sum.
func names(rows map[string]map[string]int) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(rows)), func(n string) bool { return n == "all" })
}
