package invariant

import (
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

func TestMissingContractsSayHowToMakeThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "knowledge")
	_, err := loadBase(options{Contracts: dir, Knowledge: "all", Oracle: oracleInvariants}, "zlib")
	want := filepath.Join(dir, "zlib.yaml") + " does not exist; make it with `bench knowledge build EXPERIMENT --library zlib --dir " + dir + "`"
	assert.Check(t, err != nil && strings.Contains(err.Error(), want), "%v, want %s", err, want)
	if base, err := loadBase(options{Contracts: dir, Knowledge: "none", Oracle: oracleInvariants}, "zlib"); err != nil || len(base.APIs) != 0 {
		t.Errorf("a variant without knowledge reads contracts: %v, %v", base, err)
	}
}
