package clangast

import (
	"fmt"
	"strings"
	"testing"
)

func TestTopLevelRefusesOtherText(t *testing.T) {
	for _, tc := range []struct{ name, in string }{
		{"empty", ""}, {"list", "[]"}, {"truncated", `{"kind":"TranslationUnitDecl","inner":[{"kind":"Fun`},
		{"inner is no list", `{"inner":{}}`}, {"not JSON", "int main"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := TopLevel(strings.NewReader(tc.in), func(*Node) {}); err == nil {
				t.Error("no error")
			}
		})
	}
}

// TestLocationsAreCarriedOver checks the rule that clang leaves out a repeated file or
// line, also across macros.
func TestLocationsAreCarriedOver(t *testing.T) {
	const ast = `{"inner":[
	{"name":"a","loc":{"offset":1,"file":"a.h","line":3},"range":{"begin":{"offset":1},"end":{"offset":9,"line":5}}},
	{"name":"b","loc":{"offset":20},"range":{"begin":{"offset":20},"end":{"offset":21}}},
	{"name":"c","loc":{"spellingLoc":{"offset":2,"file":"m.h","line":1},"expansionLoc":{"offset":30,"file":"a.h","line":8}}},
	{"name":"d","loc":{}},
	{"name":"e","loc":{"offset":40,"line":9}}]}`
	var got []string
	err := TopLevel(strings.NewReader(ast), func(n *Node) {
		got = append(got, fmt.Sprintf("%s %s:%d", n.Name, n.Loc.File, n.Loc.Line))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "a a.h:3, b a.h:5, c a.h:8, d :0, e a.h:9"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("positions:\n got %s\nwant %s", s, want)
	}
}

// A program's strings and names need not be UTF-8, nor has clang each key once.
func TestTextThatStrictReadersRefuse(t *testing.T) {
	const ast = "{\"inner\":[{\"name\":\"caf\xe9\",\"isUsed\":true,\"isUsed\":true,\"value\":\"\\\"\xff\\\"\"}]}"
	var names []string
	if err := TopLevel(strings.NewReader(ast), func(n *Node) { names = append(names, n.Name) }); err != nil {
		t.Fatal(err)
	}
	if len(names) != 1 || names[0] != "caf\uFFFD" {
		t.Errorf("names %q", names)
	}
}

// TestEachTreeHasItsOwnLocations reads a filtered dump: the second tree names its file again, and
// what follows in it does not.
func TestEachTreeHasItsOwnLocations(t *testing.T) {
	const dump = `{"name":"a","loc":{"offset":1,"file":"a.h","line":3},"inner":[{"name":"b","loc":{"offset":2}}]}
	{"name":"c","loc":{"offset":4,"file":"b.h","line":7}}`
	var got []string
	visit := func(n *Node) {
		got = append(got, fmt.Sprintf("%s %s:%d", n.Name, n.Loc.File, n.Loc.Line))
		for _, in := range n.Children() {
			got = append(got, fmt.Sprintf("%s %s:%d", in.Name, in.Loc.File, in.Loc.Line))
		}
	}
	if err := Each(strings.NewReader(dump), visit); err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(got, ", "); s != "a a.h:3, b a.h:3, c b.h:7" {
		t.Errorf("positions: %s", s)
	}
	if err := Each(strings.NewReader(dump+`{"name":`), visit); err == nil {
		t.Error("a dump that is cut off is no error")
	}
}

// FuzzTopLevel checks that nothing makes the reader panic.
func FuzzTopLevel(f *testing.F) {
	f.Add(`{"kind":"TranslationUnitDecl","inner":[{"id":"1","kind":"FunctionDecl","loc":{"offset":1,"file":"a.c","line":3},"inner":[null,{},{"array_filler":[{"kind":"CallExpr"}]}]}]}`)
	f.Add(`{"inner":[{"loc":{"spellingLoc":{"offset":2},"expansionLoc":{"offset":3,"line":8}},"value":"7"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		_ = TopLevel(strings.NewReader(text), func(n *Node) {
			for _, in := range n.Children() {
				_ = in.Children()
			}
		})
	})
}
