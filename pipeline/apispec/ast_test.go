package apispec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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
	f.Add(`{"inner":[{"kind":"NamespaceDecl","name":"n","inner":[{"kind":"CXXRecordDecl","id":"1","name":"C","tagUsed":"struct","completeDefinition":true,"inner":[null,
{"kind":"CXXMethodDecl","name":"m","loc":{"offset":1,"file":"`+header+`","line":2},"type":{"qualType":"int (n::C<int> &&, char (&)[2]) const"}},
{"kind":"FunctionTemplateDecl","name":"t","inner":[{"kind":"CXXMethodDecl","name":"t","loc":{"offset":2},"type":{"qualType":"A<"}}]}]}]}]}`, "")
	f.Fuzz(func(t *testing.T, ast, macros string) {
		for _, lang := range []trial.Language{trial.C, trial.CXX} {
			_, _ = extract(headerSource{AST: strings.NewReader(ast), Lang: lang, Macros: strings.NewReader(macros),
				Values: func(names []string) (map[string]int64, error) { return map[string]int64{names[0]: 1}, nil }, Headers: []string{header}})
		}
	})
}
