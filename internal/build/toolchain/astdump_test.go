package toolchain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestDumpAST(t *testing.T) {
	ctx := context.Background()
	var ast bytes.Buffer
	flags := Flags{Defines: []string{"WIDTH=7"}}
	source := "// An ordinary comment.\nint area(int height); int width[WIDTH];\n"
	if err := testTools(t).DumpAST(ctx, trial.C, flags, source, &ast, nil); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(ast.Bytes()) {
		t.Fatal("not JSON")
	}
	for _, want := range []string{`"name": "area"`, "An ordinary comment.", `int[7]`} {
		if !strings.Contains(ast.String(), want) {
			t.Errorf("the AST lacks %s", want)
		}
	}
	var failed *CommandError
	err := testTools(t).DumpAST(ctx, trial.C, Flags{}, "#include <nowhere.h>\n", &ast, nil)
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "nowhere.h") {
		t.Errorf("missing header: %v", err)
	}
}
