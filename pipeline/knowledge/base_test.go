package knowledge

import (
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestBaseRoundTrip(t *testing.T) {
	b := &Base{Library: "x"}
	b.add("f", Contract{Kind: ValueRange, Text: "a: \"b\"\nc", Source: Doc, Status: Open, Reason: "r"})
	b.add("f", Contract{Kind: Relational, Shape: "x < y", Source: Daikon, Status: Accepted, Reason: "r"})
	b.add("a", Contract{Kind: Structural, Text: "t", Source: Manual, Status: Accepted, Reason: "r"})
	assert.NilError(t, b.Decide("f.1", Rejected, "  wrong "))
	b.add("f", Contract{Kind: ValueRange, Text: "a: \"b\"\nc", Source: Doc, Status: Accepted, Reason: "again"}) // was decided
	file := filepath.Join(t.TempDir(), "deep", "x.yaml")
	assert.NilError(t, b.Save(file))
	again, err := Load(file)
	assert.NilError(t, err)
	one, _ := b.YAML()
	two, _ := again.YAML()
	assert.Check(t, string(one) == string(two), "first\n%s\nthen\n%s", one, two)
	c := again.Contract("f.1")
	if c.Status != Rejected || c.Reason != "wrong" || c.By != "manual" || again.APIs[0].Name != "a" || len(again.APIs[1].Contracts) != 2 {
		t.Errorf("%+v", again)
	}
}

// TestAddReopens: a candidate that no other run called stays open only until one does.
func TestAddReopens(t *testing.T) {
	b := &Base{Library: "x"}
	candidate := func(status Status, reason, by string) Contract {
		return Contract{Kind: Structural, Text: "t", Shape: "p != null", Source: Daikon, Status: status, Reason: reason, By: by}
	}
	for i, step := range []struct {
		add    Contract
		status Status
		reason string
	}{
		{candidate(Open, unchecked, "program"), Open, unchecked},
		{candidate(Open, "holds in 3 other calls", "program"), Open, "holds in 3 other calls"},
		{candidate(Rejected, "fails", "program"), Rejected, "fails"},
		{candidate(Open, unchecked, "program"), Rejected, "fails"},
	} {
		b.add("f", step.add)
		if c := b.Contract("f.1"); c.Status != step.status || c.Reason != step.reason || len(b.APIs[0].Contracts) != 1 {
			t.Errorf("step %d: %+v", i, b.APIs)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const good = `library: x
apis:
  - api: f
    contracts:
      - id: f.1
        kind: structural
        text: t
        source: doc
        status: open
        reason: r
`
	if _, err := parse("x.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for want, edit := range map[string][2]string{
		"x.yaml: unmarshal errors:\n  line 6: field knd not found":                        {"kind:", "knd:"},
		`x.yaml: contract "f.1" of "f": kind "deep" is none of structural, value_range`:   {"structural", "deep"},
		`x.yaml: contract "f.1" of "f": status "yes" is none of accepted, rejected, open`: {"status: open", "status: yes"},
		`x.yaml: contract "f.1" of "f": source "hearsay" is none of doc, daikon, manual`:  {"source: doc", "source: hearsay"},
		`x.yaml: contract "f.1" of "f": it has neither text nor shape`:                    {"        text: t\n", ""},
		`x.yaml: library: is missing`:                                                     {"library: x\n", ""},
		`x.yaml: contract "f.1" of "f": two contracts have this id`: {"reason: r\n",
			"reason: r\n      - {kind: structural, text: u, source: doc, status: open, reason: r, id: f.1}\n"},
	} {
		_, err := parse("x.yaml", []byte(strings.Replace(good, edit[0], edit[1], 1)))
		assert.Check(t, err != nil && strings.HasPrefix(err.Error(), want), "%q: %v, want %s", edit[1], err, want)
	}
	if err := (&Base{Library: "x"}).Decide("f.9", Accepted, "r"); err == nil || err.Error() != "x has no contract f.9" {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("library: x\napis: [{api: f, contracts: [{id: f.1, kind: structural, text: t, source: doc, status: open, reason: r}]}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := parse("f", []byte(text))
		if err != nil {
			return
		}
		if _, err := b.YAML(); err != nil {
			t.Error(err)
		}
	})
}
