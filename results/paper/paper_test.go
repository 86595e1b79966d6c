package paper

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func published(t *testing.T) *Paper {
	t.Helper()
	p, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every table and figure with numbers is here; the labels are those of the paper's source.
func TestTablesAreComplete(t *testing.T) {
	var labels []string
	for _, table := range published(t).Tables {
		if table.Place.Label != "" {
			labels = append(labels, table.Place.Label)
		}
	}
	want := []string{"tab:benchmark", "tab:successful_rate", "tab:coverage_comparison", "fig:auvc_comparison", "tab:ablation_lisa1",
		"tab:bug_finding", "tab:ngram_sensitivity", "tab:variance"}
	if !slices.Equal(labels, want) {
		t.Errorf("got %v", labels)
	}
}

// Sums over whole tables, taken from the paper by hand: a typing error in any cell shows.
func TestTablesAddUp(t *testing.T) {
	p := published(t)
	tests := map[string]float64{
		"sum(benchmark.apis)": 1138, "sum(benchmark.kloc)": 641,
		"sum(success.vanilla_csr, success.vanilla_esr, success.lisa_csr, success.lisa_esr)":                                                             2259.3,
		"sum(coverage.vanilla_line, coverage.vanilla_branch, coverage.ossfuzz_line, coverage.ossfuzz_branch, coverage.lisa_line, coverage.lisa_branch)": 1505.42,
		"sum(auvc.lisa, auvc.citywalk)":                                   261.3,
		"sum(ablation.csr, ablation.esr, ablation.line, ablation.branch)": 4366.52,
		"sum(bugs.citywalk, bugs.ossfuzz, bugs.lisa, bugs.no_repair, bugs.no_chunk, bugs.no_knowledge, bugs.daikon_only, bugs.doc_only)": 37,
		"sum(ngram.valid, ngram.line, ngram.branch)": 2425.63,
		"sum(variance.csr, variance.esr, variance.line, variance.branch, variance.csr_std, variance.esr_std, variance.line_std, variance.branch_std)": 929.2,
		"sum(variance.bugs_1, variance.bugs_2, variance.bugs_3)": 20,
	}
	for text, want := range tests {
		if got := eval(t, p, text); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s = %.6g, want %g", text, got, want)
		}
	}
}

func eval(t *testing.T, p *Paper, text string) float64 {
	t.Helper()
	f, err := parseFormula(text)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.eval(p, printed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The summary rows are what the paper computed from the other rows.
func TestSummaries(t *testing.T) {
	for _, table := range published(t).Tables {
		for _, row := range table.Summary {
			for i, c := range table.Columns {
				sum := 0.0
				for _, r := range table.Rows {
					sum += r[i].Number
				}
				switch {
				case c.Text || row[i].Text == "":
				case row[0].Text == "average":
					if math.Abs(row[i].Number-sum/float64(len(table.Rows))) > halfUnit(row[i].Text)+slack {
						t.Errorf("%s of %s: average %s, computed %g", c.Key, table.ID, row[i].Text, sum/float64(len(table.Rows)))
					}
				case row[0].Text == "total":
					if row[i].Number != sum {
						t.Errorf("%s of %s: total %s, computed %g", c.Key, table.ID, row[i].Text, sum)
					}
				case row[0].Text == "% of bugs":
					if row[i].Number != 100*sum/25 {
						t.Errorf("%s of %s: %s%%, computed %g", c.Key, table.ID, row[i].Text, 4*sum)
					}
				default:
					t.Errorf("%s: unknown summary %q", table.ID, row[0].Text)
				}
			}
		}
	}
}

func TestMarks(t *testing.T) {
	p := published(t)
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
		check, err := c.Check(p)
		if err != nil {
			t.Fatal(err)
		}
		by, differs := different[c.ID]
		if differs != (check.Mark == Differs) || check.Mark == DoesNotHold || math.Abs(check.By-by) > 1e-6 {
			t.Errorf("%s: %s by %g", c.ID, check.Mark, check.By)
		}
		if want, ok := tests[c.ID]; ok && (check.Mark != want.mark || math.Abs(check.Value-want.value) > 1e-8) {
			t.Errorf("%s: %s, %.9g; want %s, %.9g", c.ID, check.Mark, check.Value, want.mark, want.value)
		}
	}
}

func TestMarkOfAClaim(t *testing.T) {
	p := published(t)
	tests := []struct {
		value, published, holds string
		want                    Mark
	}{
		{"1.25", "1.25", "", Matches},
		{"1.2549", "1.25", "", RoundsTo},
		{"1.2551", "1.25", "", Differs},
		{"1.245", "1.25", "", RoundsTo}, // a tie may round either way
		{"12.4", "12", "", RoundsTo},
		{"12", "12", "1 > 2", DoesNotHold},
		{"12", "13", "1 > 2", Differs},
		{"12", "", "2 > 1", HoldsTrue},
		{"12", "", "1 > 2", DoesNotHold},
	}
	for _, tt := range tests {
		c := &Claim{ID: "x", Section: "s", Statement: "s", Value: tt.value, Holds: tt.holds}
		if tt.published != "" {
			c.Published = &Value{Text: tt.published}
		}
		if err := c.check(p); err != nil {
			t.Fatal(err)
		}
		if got, err := c.Check(p); err != nil || got.Mark != tt.want {
			t.Errorf("%s, printed %q, holds %q: %v, %v; want %v", tt.value, tt.published, tt.holds, got.Mark, err, tt.want)
		}
	}
}

func TestFormulas(t *testing.T) {
	p := published(t)
	tests := map[string]float64{
		"1 + 2*3 - 4/8": 6.5,
		"-(2 - 5)":      3,
		"(1 < 2) + (2 <= 2) + (1 > 2) + (2 >= 3)":    2,
		"(1 == 1 && 0 == 1) || 1 > 0":                1,
		`coverage.lisa_line["zlib"]`:                 73.01,
		`ablation.esr["sqlite3"]["no_repair"]`:       51.4,
		`min(ablation.line["zlib"]["!default"])`:     65.58,
		`max(ablation.line["*"]["no_rules"])`:        72.54,
		`count(ablation.csr["cJSON"] >= 100)`:        2,
		`sum(ngram.valid)`:                           2035,
		`max(variance.line_std)`:                     3.5,
		`sum(coverage.lisa_line - variance.line)`:    4.37, // joins on the three rows of the shorter
		`sum(variance.line - coverage.lisa_line)`:    -4.37,
		`all(bugs.lisa > 1) + all(bugs.lisa > 2)`:    1,
		`sum(least(bugs.lisa, bugs.daikon_only, 1))`: 4,
		`mean(most(1, 2))`:                           2,
		`abs(-3) + sign(-2) + sign(0) + log10(100)`:  4,
		`reach(3)`:               2 / math.Sqrt(3),
		"sum(1,\n 2)\n + 3":      6,
		`fisher_p(3, 4, 1, 4)`:   0.48571428571,
		`odds_ratio(3, 4, 1, 4)`: 9,
	}
	for text, want := range tests {
		if got := eval(t, p, text); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s = %g, want %g", text, got, want)
		}
	}
}

func TestFormulaErrors(t *testing.T) {
	p := published(t)
	tests := map[string]string{
		"1 +":                                   "formula",
		"coverage.lisa_line":                    "gives 7 values",
		"sum(nothing.at_all)":                   "no table nothing",
		"sum(coverage.library)":                 "no column of numbers library",
		"sum(coverage.lisa_line_std)":           "no column of numbers lisa_line_std",
		`coverage.lisa_line["zlob"]`:            "no row zlob",
		`coverage.lisa_line["zlib"]["default"]`: "named by 1 keys",
		`coverage.lisa_line[1]`:                 "named by a string",
		"1 / 0":                                 "divides by 0",
		"log10(0)":                              "divides by 0",
		"sum(coverage.lisa_line - auvc.lisa - ngram.line)": "row 2 is missing",
		"nonsense(1)":            "no function nonsense",
		"abs(1, 2)":              "no function abs of 2",
		"sum()":                  "one argument or more",
		"fisher_p(1.5, 2, 1, 2)": "not a count",
		"fisher_p(3, 2, 1, 2)":   "impossible counts",
		"odds_ratio(2, 2, 1, 2)": "odds ratio is undefined",
		"1 % 2":                  "no operator %",
		`"text"`:                 "not a part of a formula",
		"func() {}":              "not a part of a formula",
		"!1":                     "not a part of a formula",
	}
	for text, want := range tests {
		f, err := parseFormula(text)
		if err == nil {
			_, err = f.eval(p, printed)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// Whatever is written, a formula gives a finite number or an error.
func FuzzFormula(f *testing.F) {
	p, err := Published()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range p.Claims {
		f.Add(c.Value)
		f.Add(c.Holds)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := parseFormula(text)
		if err != nil {
			return
		}
		x, err := formula.eval(p, printed)
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Errorf("%q = %g", text, x)
		}
	})
}

const (
	goodTables = "tables:\n  - id: a\n    title: t\n    columns: [{key: k, name: K, text: true}, {key: x, name: X}]\n    rows: [[r, 1], [s, 2.50]]\n"
	goodClaims = "claims:\n  - {id: c, section: s, statement: s, value: sum(a.x), published: 3.5}\n"
)

func TestLoad(t *testing.T) {
	tests := []struct {
		name, tables, claims, want string
	}{
		{"good", goodTables, goodClaims, ""},
		{"unknown key", goodTables + "    colour: red\n", goodClaims, "tables.yaml: yaml: unmarshal errors:\n  line 6: field colour not found"},
		{"two documents", goodTables + "---\na: 1\n", goodClaims, "more than one document"},
		{"no id", strings.Replace(goodTables, "id: a", "id: ''", 1), goodClaims, `table "" has no id`},
		{"short row", strings.Replace(goodTables, "[r, 1]", "[r]", 1), goodClaims, "tables.yaml: table a: row 1: 1 cells, not 2"},
		{"no number", strings.Replace(goodTables, "[r, 1]", "[r, one]", 1), goodClaims, `row 1: column x: "one" is not a number`},
		{"infinite", strings.Replace(goodTables, "[r, 1]", "[r, +Inf]", 1), goodClaims, `"+Inf" is not a number`},
		{"nested cell", strings.Replace(goodTables, "[r, 1]", "[r, [1]]", 1), goodClaims, "a cell is one number or text"},
		{"row twice", strings.Replace(goodTables, "[s,", "[r,", 1), goodClaims, "two rows r"},
		{"column twice", strings.Replace(goodTables, "key: x", "key: k", 1), goodClaims, "two columns k"},
		{"tool without metric", strings.Replace(goodTables, "name: X", "name: X, tool: lisa", 1), goodClaims, "needs both tool and metric"},
		{"unknown metric", strings.Replace(goodTables, "name: X", "name: X, tool: lisa, metric: beauty", 1), goodClaims, `unknown metric "beauty"`},
		{"spread without ±", strings.Replace(goodTables, "name: X", "name: X, spread: 3", 1), goodClaims, `"1" has no ±`},
		{"contest over nothing", goodTables + "    contests: [[y]]\n", goodClaims, "contest over y"},
		{"note on nothing", goodTables + "    notes: [{row: q, column: x, text: t}]\n", goodClaims, `note on row "q"`},
		{"disjoint nothing", goodTables + "    disjoint: [{row: r, columns: [x, y]}]\n", goodClaims, "which are no cells"},
		{"claim over nothing", goodTables, strings.Replace(goodClaims, "a.x", "a.y", 1), "claims.yaml: claim c: sum(a.y): table a has no column of numbers y"},
		{"claim twice", goodTables, goodClaims + strings.TrimPrefix(goodClaims, "claims:\n"), `claim "c" has no id, or one that another has`},
		{"nothing to check", goodTables, strings.Replace(goodClaims, ", published: 3.5", "", 1), "nothing to check"},
		{"no value", goodTables, strings.Replace(goodClaims, "value: sum(a.x), ", "", 1), "needs a statement, a section and a value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(fstest.MapFS{"tables.yaml": {Data: []byte(tt.tables)}, "claims.yaml": {Data: []byte(tt.claims)}})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := load(fstest.MapFS{}); err == nil {
		t.Error("an empty directory loads")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(goodTables, goodClaims)
	f.Fuzz(func(t *testing.T, tables, claims string) {
		p, err := load(fstest.MapFS{"tables.yaml": {Data: []byte(tables)}, "claims.yaml": {Data: []byte(claims)}})
		if err != nil {
			return
		}
		for _, c := range p.Claims {
			if check, err := c.Check(p); err != nil || math.IsNaN(check.Value) {
				t.Errorf("claim %s was loaded but gives %v, %v", c.ID, check, err)
			}
		}
	})
}

// Known from R: fisher.test, p.adjust(…, "holm"), binom.test; see the tests of package stats.
func TestBugPairs(t *testing.T) {
	pairs, err := published(t).BugPairs()
	if err != nil {
		t.Fatal(err)
	}
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
	if len(want) > 0 || len(pairs) != 7 {
		t.Errorf("%d pairs, lacking %v", len(pairs), want)
	}
}

func TestRankings(t *testing.T) {
	rankings, err := published(t).Rankings()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(rankings, func(r Ranking) bool { return r.Metric == Line })
	// By hand: LISA is first on 5 libraries and second on 2; Vanilla second on re2 and cJSON.
	if got := rankings[i].AverageRanks; math.Abs(got[2]-9.0/7) > 1e-9 || math.Abs(got[0]-19.0/7) > 1e-9 || math.Abs(got[1]-2) > 1e-9 {
		t.Errorf("average ranks in lines: %v", got)
	}
}

func TestErrMissingIsTyped(t *testing.T) {
	p := published(t)
	f, err := parseFormula("sum(auvc.lisa)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.eval(p, Measure(p, nil, nil, nil).mean); !errors.Is(err, errMissing) {
		t.Errorf("got %v", err)
	}
}
