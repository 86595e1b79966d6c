package cprog

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"
)

// readings are what our plugin of clang wrote of the programs in testdata:
// go test ./internal/toolchain -run TestReadingFixtures -update-readings makes them anew.
func readings(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.cprog")
	assert.Assert(t, err == nil && len(files) != 0, "no readings: %v", err)
	out := map[string][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		assert.NilError(t, err)
		out[filepath.Base(f)] = text
	}
	return out
}

func TestDecodeRefuses(t *testing.T) {
	for name, text := range readings(t) {
		if _, err := Decode(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for cut := 0; cut < len(text); cut += 1 + cut/50 {
			if _, err := Decode(text[:cut]); !errors.Is(err, errFormat) {
				t.Errorf("%s, cut at %d bytes: error %v", name, cut, err)
			}
		}
		if _, err := Decode(append(text[:len(text):len(text)], 0)); !errors.Is(err, errFormat) {
			t.Errorf("%s and one more byte: error %v", name, err)
		}
	}
}

// FuzzDecode: nothing makes the decoder, or a walk over what it accepts, panic.
func FuzzDecode(f *testing.F) {
	for _, text := range readings(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Decode(text)
		if err != nil {
			return
		}
		Reached(p.Entries())
		p.TestBodies()
		for _, n := range p.Tree {
			for in := range n.All() {
				in.Body()
				in.Callee()
				in.Assertion()
			}
		}
	})
}
