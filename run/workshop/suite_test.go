package workshop

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestOnlyWhatWasGeneratedIsScored(t *testing.T) {
	const text = "int main(void) { return 0; }\n"
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	entries := []trial.SuiteEntry{{ID: "p00001", File: "p00001.c", Lang: trial.C, Oracle: trial.OracleReference, Origin: "a.c", SHA256: sum}}
	inputs := []trial.CorpusInput{{Target: "t", File: "p00001.c", SHA256: sum}}
	for _, tt := range []struct{ name, content, want string }{
		{"as generated", text, ""},
		{"edited", text + " ", "p00001.c is not what was generated"},
		{"emptied by a power failure", "", "p00001.c is not what was generated"},
		{"gone", "-", "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.content != "-" {
				assert.NilError(t, os.WriteFile(filepath.Join(dir, "p00001.c"), []byte(tt.content), 0o644))
			}
			programs, err := readPrograms(dir, entries)
			if tt.want == "" {
				want := []trial.Program{{ID: "p00001", Lang: trial.C, Source: text, Oracle: trial.OracleReference, Origin: "a.c"}}
				assert.Check(t, err == nil && reflect.DeepEqual(programs, want), "programs %+v, %v", programs, err)
				if err := checkInputs(dir, inputs); err != nil {
					t.Error(err)
				}
				return
			}
			for _, err := range []error{err, checkInputs(dir, inputs)} {
				assert.Check(t, err != nil && strings.Contains(err.Error(), tt.want),
					"error = %v, want %q", err, tt.want)
			}
		})
	}
}
