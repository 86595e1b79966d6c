package harness

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// frozen are the versions of the tools that ask a model, each with a hash of what decides what it asks: the templates of its prompts, the prompts
// that its own tests hold for a made-up library or a real one, and the values of its parameters. Recorded answers are found by what was asked, and
// a transcript's first line has the tool's version.
var frozen = map[string]struct{ version, hash string }{
	"agent":     {"1", "061517530ba13222"},
	"citywalk":  {"2", "8baf07eb329016e2"},
	"knowledge": {"1", "a2111145314f8ac5"},
	"lisa":      {"2-2", "e92e848f51395fec"},
	"lisa-api":  {"2", "647d6266584ecf93"},
	"lisa-prop": {"2", "3dc7e8d09b6f381b"},
	"vanilla":   {"2", "d0d5f187b0f13f25"},
}

// asking are the files that decide what a tool asks.
var asking = map[string][]string{
	"agent":     {"baselines/agent/prompts/*.tmpl", "baselines/agent/testdata/*.golden", "tools/agentspace/*.tmpl", "pipeline/survivors/*.tmpl"},
	"citywalk":  {"baselines/citywalk/prompts/*.tmpl", "baselines/citywalk/testdata/*.golden.md"},
	"knowledge": {"pipeline/knowledge/prompts/*.tmpl", "pipeline/knowledge/testdata/*.golden.md"},
	"lisa": {"pipeline/invariant/prompts/*.tmpl", "pipeline/invariant/testdata/*.golden.md", "pipeline/sequence/prompts/[!v]*.tmpl", "pipeline/sequence/testdata/[!v]*.golden.md",
		"pipeline/suspicion/prompts/*.tmpl", "pipeline/survivors/*.tmpl", "pipeline/survivors/testdata/*.golden.md"},
	"lisa-api":  {"pipeline/sequence/prompts/[!v]*.tmpl", "pipeline/sequence/testdata/[!v]*.golden.md", "pipeline/survivors/*.tmpl"},
	"lisa-prop": {"pipeline/property/prompts/*.tmpl", "pipeline/property/testdata/*.golden", "pipeline/property/header/*.h", "pipeline/survivors/*.tmpl"},
	"vanilla":   {"pipeline/sequence/prompts/system.tmpl", "pipeline/sequence/prompts/vanilla.tmpl", "pipeline/sequence/testdata/vanilla.golden.md"},
}

// TestFrozenPrompts: what a tool asks changes with its version alone.
func TestFrozenPrompts(t *testing.T) {
	for _, k := range Kinds {
		if len(k.Stages()) == 0 {
			continue
		}
		was, ok := frozen[k.Name()]
		assert.Check(t, ok && k.Version() == was.version,
			"%s is of version %s, and %q is frozen: put version and hash here", k.Name(), k.Version(), was.version)
		if hash := asked(t, k); hash != was.hash {
			t.Errorf(`the prompts or default parameters of %s have the hash
	%s, and version %s is frozen with
	%s
Answers that were recorded for that version do not fit any more. Undo the change; or raise Version of the tool, put it here with the hash, and record answers anew for all
libraries: until then TestStaleRecordings tells which ones are stale.`, k.Name(), hash, was.version, was.hash)
		}
	}
}

// asked is a hash of all that decides what a tool asks.
func asked(t *testing.T, k Kind) string {
	t.Helper()
	settings, err := k.settings(nil)
	assert.NilError(t, err)
	text, err := json.Marshal(settings)
	assert.NilError(t, err)
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", text)
	for _, pattern := range asking[k.Name()] {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		assert.Assert(t, err == nil && len(files) != 0, "%s of %s names no file (%v)", pattern, k.Name(), err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			assert.NilError(t, err)
			fmt.Fprintf(sum, "%s %d\n%s", filepath.Base(file), len(data), data)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// staleFile says, in a directory of recorded answers or above it, why they are not answers to what is asked today.
const staleFile = "stale.txt"

// TestStaleRecordings says which recorded answers were given to another version of their tool. These cannot be replayed, and need a stale.txt that says
// so. Answers of today's version have none, unless somebody made them stand in for answers to newer prompts.
func TestStaleRecordings(t *testing.T) {
	root := filepath.Join("..", "..")
	versions := map[string]string{}
	for _, k := range Kinds {
		versions[k.Name()] = k.Version()
	}
	for _, dir := range []string{"recordings", filepath.Join("cmd", "bench", "testdata", "lisa")} {
		found := 0
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".jsonl") {
				return err
			}
			found++
			config, err := recordedFor(path)
			if err != nil {
				return err
			}
			name, why := strings.TrimPrefix(path, root+string(filepath.Separator)), told(filepath.Dir(path), root)
			tool := config["tool"]
			if config["knowledge"] != "" { // of `bench knowledge build`
				tool = "knowledge"
			}
			switch today := versions[tool]; {
			case why != "":
				t.Logf("stale: %s (%s, version %s): %s", name, tool, config["version"], strings.TrimSpace(why))
			case config["version"] != today:
				t.Errorf("%s was recorded with version %q of %s, and today's is %s: say so in %s beside it, and record anew", name, config["version"], tool, today, staleFile)
			}
			return nil
		})
		assert.NilError(t, err)
		assert.Check(t, found != 0, "no recorded answers in %s", dir)
	}
}

// recordedFor is the first line of a transcript: what its answers were given for.
func recordedFor(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var first struct{ Config map[string]string }
	if err := json.NewDecoder(in).Decode(&first); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return first.Config, nil
}

// told is what the nearest stale.txt says of the recordings in dir.
func told(dir, root string) string {
	for ; dir != root; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, staleFile)); err == nil {
			return string(text)
		}
	}
	return ""
}
