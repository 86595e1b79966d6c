package experiments

import (
	"path/filepath"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// externalFile is an experiment with one tool from outside, whose block ends with more.
func externalFile(t *testing.T, more string) Source {
	t.Helper()
	text := "name: own\nbudget: {wall: 1m}\nlibraries:\n  - {name: zlib, bugs: none}\ntools:\n  - name: mine\n" + more
	return Source{Name: filepath.Join(t.TempDir(), "own.yaml"), Data: []byte(text)}
}

func TestExternalToolIsResolvedBesideItsFile(t *testing.T) {
	src := externalFile(t, "    command: [./gen.sh, --depth, '3', ../data]\n    files: [./lib]\n    params: {style: short}\n")
	e, err := Load(src, nil, known())
	assert.NilError(t, err)
	dir := filepath.Dir(src.Name)
	tool := e.Externals()[0]
	want := []string{filepath.Join(dir, "gen.sh"), "--depth", "3", filepath.Join(filepath.Dir(dir), "data")}
	assert.Check(t, slices.Equal(tool.Command, want), "command = %q, want %q", tool.Command, want)
	if want := []string{filepath.Join(dir, "lib")}; !slices.Equal(tool.Files, want) {
		t.Errorf("files = %q, want %q", tool.Files, want)
	}
	assert.Check(t, tool.Contract == Contract && tool.Oracle == trial.OracleSpecification && !tool.Model,
		"defaults: %+v", tool.External)
	c := e.Plan().Cells[0]
	assert.Check(t, c.Params["style"] == "short" && c.Tool == "mine", "cell = %+v", c)
	text, err := e.YAML()
	assert.NilError(t, err)
	again, err := Load(Source{Name: filepath.Join(t.TempDir(), "experiment.yaml"), Data: text}, nil, known())
	assert.Check(t, err == nil && slices.Equal(again.Externals()[0].Command, tool.Command),
		"loaded again from elsewhere: %v\n%s", err, text)
}
