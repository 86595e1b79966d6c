package paper

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gotest.tools/v3/assert"
)

// Sums over whole tables, taken from the paper by hand: a typing error in any cell shows.
func TestTablesAddUp(t *testing.T) {
	p := Published()
	for _, tt := range []struct {
		table, columns string
		want           float64
	}{
		{"benchmark", "apis", 1138}, {"benchmark", "kloc", 641},
		{"success", "vanilla_csr vanilla_esr lisa_csr lisa_esr", 2259.3},
		{"coverage", "vanilla_line vanilla_branch ossfuzz_line ossfuzz_branch lisa_line lisa_branch", 1505.42},
		{"auvc", "lisa citywalk", 261.3},
		{"ablation", "csr esr line branch", 4366.52},
		{"bugs", "citywalk ossfuzz lisa no_repair no_chunk no_knowledge daikon_only doc_only", 37},
		{"ngram", "valid line branch", 2425.63},
		{"variance", "csr esr line branch csr_std esr_std line_std branch_std", 929.2},
		{"variance", "bugs_1 bugs_2 bugs_3", 20},
	} {
		c := &cells{paper: p, source: printed}
		got := 0.0
		for _, column := range strings.Fields(tt.columns) {
			got += c.sum(tt.table + "." + column)
		}
		assert.Check(t, math.Abs(got-tt.want) <= 1e-6 && c.missing == "",
			"%s of %s: %.6g, want %g; missing %q", tt.columns, tt.table, got, tt.want, c.missing)
	}
}

// The summary rows are what the paper computed from the other rows.
func TestSummaries(t *testing.T) {
	for _, table := range Published().Tables {
		for _, row := range table.Summary {
			for i, c := range table.Columns {
				sum := 0.0
				for _, r := range table.Rows {
					sum += r[i].Number
				}
				switch {
				case c.Text || row[i].Text == "":
				case row[0].Text == "average":
					assert.Check(t, math.Abs(row[i].Number-sum/float64(len(table.Rows))) <= halfUnit(row[i].Text)+slack,
						"%s of %s: average %s, computed %g", c.Key, table.ID, row[i].Text, sum/float64(len(table.Rows)))
				case row[0].Text == "total":
					assert.Check(t, row[i].Number == sum,
						"%s of %s: total %s, computed %g", c.Key, table.ID, row[i].Text, sum)
				case row[0].Text == "% of bugs":
					assert.Check(t, row[i].Number == 100*sum/25,
						"%s of %s: %s%%, computed %g", c.Key, table.ID, row[i].Text, 4*sum)
				default:
					t.Errorf("%s: unknown summary %q", table.ID, row[0].Text)
				}
			}
		}
	}
}

func TestMarks(t *testing.T) {
	p := Published()
	// All that does not come out as printed; everything else matches, rounds or holds.
	different := map[string]float64{"esr-gain": 0.885714, "feedback-lowest": -1}
	tests := map[string]struct {
		mark  Mark
		value float64
	}{
		"fisher-ossfuzz-p":        {RoundsTo, 0.003613718},
		"fisher-ossfuzz-odds":     {RoundsTo, 12.0 * 23 / (2 * 13)},
		"fisher-citywalk-p":       {RoundsTo, 0.012115963},
		"fisher-citywalk-odds":    {RoundsTo, 12.0 * 22 / (3 * 13)},
		"bugs-margin":             {Matches, 9},
		"auvc-ratio":              {RoundsTo, 199.8 / 61.5},
		"sqlite3-doubles":         {HoldsTrue, 31.06 / 14.40},
		"variance-representative": {HoldsTrue, 2.51 / 2.1},
		"alpha-min":               {Matches, 0.5},
	}
	for _, c := range p.Claims {
		check := c.Check(p)
		by, differs := different[c.ID]
		assert.Check(t, differs == (check.Mark == Differs) && check.Mark != DoesNotHold && math.Abs(check.By-by) <= 1e-6,
			"%s: %s by %g", c.ID, check.Mark, check.By)
		if want, ok := tests[c.ID]; ok && (check.Mark != want.mark || math.Abs(check.Value-want.value) > 1e-8) {
			t.Errorf("%s: %s, %.9g; want %s, %.9g", c.ID, check.Mark, check.Value, want.mark, want.value)
		}
	}
}

func TestMarkOfAClaim(t *testing.T) {
	p := Published()
	holds := func(h bool) finding { return func(*cells) bool { return h } }
	for _, tt := range []struct {
		value     float64
		published string
		holds     finding
		want      Mark
	}{
		{1.25, "1.25", nil, Matches},
		{1.2549, "1.25", nil, RoundsTo},
		{1.2551, "1.25", nil, Differs},
		{1.245, "1.25", nil, RoundsTo}, // a tie may round either way
		{12.4, "12", nil, RoundsTo},
		{12, "12", holds(false), DoesNotHold},
		{12, "13", holds(false), Differs},
		{12, "", holds(true), HoldsTrue},
		{12, "", holds(false), DoesNotHold},
	} {
		c := &Claim{computation: computation{func(*cells) float64 { return tt.value }, tt.holds}}
		if tt.published != "" {
			c.Published = &Value{Text: tt.published}
			c.Published.read()
		}
		got := c.Check(p)
		assert.Check(t, got.Mark == tt.want, "%g, printed %q: %v; want %v", tt.value, tt.published, got.Mark, tt.want)
	}
}

func TestCells(t *testing.T) {
	c := &cells{paper: Published(), source: printed}
	lisa, variance := c.col("coverage.lisa_line"), c.col("variance.line")
	for name, values := range map[string][2]float64{
		"cell":             {c.at("ablation.esr", "sqlite3", "no_repair"), 51.4},
		"any but one":      {lowest(c.col("ablation.line", "zlib", "!default")), 65.58},
		"any library":      {highest(c.col("ablation.line", "*", "no_rules")), 72.54},
		"deviations":       {highest(c.col("variance.line_std")), 3.5},
		"rows that share":  {floats.Sum(c.minus(lisa, variance).values), 4.37}, // the three rows of the shorter one
		"the other way":    {floats.Sum(c.minus(variance, lisa).values), -4.37},
		"rows that exceed": {c.count(c.col("bugs.lisa"), c.col("bugs.daikon_only"), more), 5},
		"Fisher":           {c.fisher("citywalk").P, 0.0121160},
	} {
		assert.Check(t, math.Abs(values[0]-values[1]) <= 1e-6, "%s: %g, want %g", name, values[0], values[1])
	}
	assert.Check(t, c.missing == "", "missing: %s", c.missing)
}

// Every claim computes something, every computation is of a claim, and there is something to check.
func TestClaimsAreComplete(t *testing.T) {
	p := Published()
	for _, c := range p.Claims {
		if c.Statement == "" || c.Section == "" || c.Published == nil && c.holds == nil || c.Winner && c.holds == nil {
			t.Errorf("claim %s lacks a statement, a section, or what is to be checked", c.ID)
		}
		assert.Check(t, p.Claim(c.ID) == c, "two claims %s", c.ID)
	}
	assert.Check(t, len(p.Claims) == len(computations), "%d claims, %d computations", len(p.Claims), len(computations))
}

// Known from R: fisher.test, p.adjust(…, "holm"), binom.test; see the tests of package stats.
func TestBugPairs(t *testing.T) {
	pairs := Published().BugPairs()
	want := map[string][5]float64{ // found by the other, Fisher p, Holm p, McNemar's range
		"citywalk":     {3, 0.0121160, 0.0121160, 0.00390625, 0.03515625},
		"ossfuzz":      {2, 0.0036137, 0.0072274, 0.00634766, 0.01293945},
		"no_knowledge": {3, 0.0121160, 0.0605798, 0.00390625, 0.03515625},
		"daikon_only":  {5, 0.0718, 0.1286, 0.015625, 0.143463},
	}
	for _, b := range pairs {
		w, ok := want[b.Other.Key]
		if !ok {
			continue
		}
		delete(want, b.Other.Key)
		got := [5]float64{float64(b.OfThem), b.Fisher.P, b.Holm, b.PairedLow, b.PairedHigh}
		for i := range got {
			if math.Abs(got[i]-w[i]) > 1e-4 {
				t.Errorf("%s: %v, want %v", b.Other.Key, got, w)
				break
			}
		}
	}
	assert.Check(t, len(want) == 0 && len(pairs) == 7, "%d pairs, lacking %v", len(pairs), want)
}
