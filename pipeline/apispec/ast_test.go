package apispec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTopLevelRefusesOtherText(t *testing.T) {
	for _, tc := range []struct{ name, in string }{
		{"empty", ""}, {"list", "[]"}, {"truncated", `{"kind":"TranslationUnitDecl","inner":[{"kind":"Fun`},
		{"inner is no list", `{"inner":{}}`}, {"not JSON", "int main"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := topLevel(strings.NewReader(tc.in), func(*node) error { return nil }); err == nil {
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
	err := topLevel(strings.NewReader(ast), func(n *node) error {
		p := position(n)
		got = append(got, n.Name+" "+p.File+":"+string(rune('0'+p.Line)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "a a.h:3, b a.h:5, c a.h:8, d .:0, e a.h:9"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("positions:\n got %s\nwant %s", s, want)
	}
}

// FuzzExtract checks that no AST or macro listing makes Extract panic.
func FuzzExtract(f *testing.F) {
	header := filepath.Join(f.TempDir(), "h.h")
	if err := os.WriteFile(header, []byte("/* doc */\nint f(int a[4]);\n"), 0o644); err != nil {
		f.Fatal(err)
	}
	f.Add(`{"inner":[{"kind":"FunctionDecl","name":"f","loc":{"offset":1,"file":"`+header+
		`","line":2},"type":{"qualType":"int (int)"},"inner":[{"kind":"ParmVarDecl","type":{"qualType":"int"},"range":{"begin":{"offset":16},"end":{"offset":23,"tokLen":1}}}]}]}`,
		"# 1 \""+header+"\"\n#define G(x) f(x)\n#define N (1 << 3)\n")
	f.Add(`{"inner":[{"kind":"RecordDecl","id":"1","completeDefinition":true,"inner":[null]},{"kind":"TypedefDecl","name":"t","inner":[{"ownedTagDecl":{"id":"1"}}]}]}`, "#undef x\n")
	f.Fuzz(func(t *testing.T, ast, macros string) {
		_, _ = Extract(Source{AST: strings.NewReader(ast), Macros: strings.NewReader(macros), Headers: []string{header}})
	})
}
