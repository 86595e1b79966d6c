package submission

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

const experimentText = `name: made
seed: 1
trials: 2
budget: {programs: 2}
test: {timeout: 5s, repeats: 3}
sandbox: bwrap
jobs: 0
libraries:
    - name: cJSON
      edition: debian
      bugs: [cjson-1, cjson-2]
tools:
    - name: randoop
`

// The cells of the made run.
const (
	firstCell  = "cells/randoop.default.cJSON.debian.1/"
	secondCell = "cells/randoop.default.cJSON.debian.2/"
)

func write(t testing.TB, path string, content any) {
	t.Helper()
	data, ok := content.([]byte)
	if !ok {
		var err error
		if data, err = json.MarshalIndent(content, "", "  "); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// madeRun writes the directory of a run with a cell that has a record and one that has none.
func madeRun(t testing.TB) *results.Data {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	exp, err := parseExperiment([]byte(experimentText))
	if err != nil {
		t.Fatal(err)
	}
	m := results.Manifest{Schema: results.ManifestSchema, Name: "made", Corpus: "1.0.0", Created: time.Unix(1e9, 0).UTC()}
	for _, c := range exp.Plan().Cells {
		m.Cells = append(m.Cells, results.PlannedCell{Cell: c.Cell, Key: "key of " + c.ID()})
	}
	write(t, filepath.Join(dir, "experiment.yaml"), []byte(experimentText))
	write(t, filepath.Join(dir, "manifest.json"), m)
	write(t, filepath.Join(dir, "lock"), []byte("stays behind\n"))
	write(t, filepath.Join(dir, firstCell, "events.jsonl"), []byte("stays behind\n"))
	write(t, filepath.Join(dir, firstCell, "suite", "p00001.c"), []byte("int main(void) { return 0; }\n"))
	write(t, filepath.Join(dir, firstCell, "suite", trial.SuiteFile), trial.Suite{Schema: trial.SuiteSchema, Kind: trial.KindPrograms})
	write(t, filepath.Join(dir, firstCell, llm.TranscriptFile), []byte("{\"transcript\":1,\"config\":{}}\n"))
	write(t, filepath.Join(dir, firstCell, "record.json"), trial.Record{
		Schema: trial.RecordSchema, Key: m.Cells[0].Key, Cell: m.Cells[0].Cell, Kind: trial.KindPrograms,
		Bugs: []trial.BugResult{{Bug: "cjson-1", Detected: true, Tests: 1}, {Bug: "cjson-2"}},
	})
	write(t, filepath.Join(dir, secondCell, "incomplete.json"), trial.Incomplete{Cell: m.Cells[1].Cell, Kind: "tool", Message: "it fell over"})
	data, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func pack(t testing.TB, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := Pack(&out, dir, nil, false); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPackedRunIsTheRun(t *testing.T) {
	data := madeRun(t)
	packed := pack(t, data.Dir)
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := errors.Join(os.CopyFS(moved, os.DirFS(data.Dir)), os.Chmod(filepath.Join(moved, "manifest.json"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed, pack(t, moved)) {
		t.Error("the same run somewhere else, with other times and modes, is another file")
	}
	file, scratch := filepath.Join(t.TempDir(), "mine.tar.gz"), t.TempDir()
	write(t, file, packed)
	run, err := Open(file, scratch)
	if err != nil {
		t.Fatal(err)
	}
	if run.Name != "mine" || run.Cells[0].Record.Bugs[0].Tests != 1 || run.Cells[1].Incomplete.Kind != "tool" || len(run.Plan.Cells) != 2 {
		t.Errorf("got %+v", run)
	}
	for _, name := range []string{"lock", firstCell + "events.jsonl"} {
		if _, err := os.Stat(filepath.Join(scratch, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s was packed: %v", name, err)
		}
	}
}

func TestPackRefuses(t *testing.T) {
	for _, tc := range []struct {
		name    string
		spoil   func(t *testing.T, run string)
		keys    []string
		checked bool
		want    string
	}{
		{"link", func(t *testing.T, run string) {
			if err := os.Symlink("/etc/passwd", filepath.Join(run, firstCell, "suite", "p00002.c")); err != nil {
				t.Fatal(err)
			}
		}, nil, false, "p00002.c: a link or special file"},
		{"key", func(t *testing.T, run string) {
			write(t, filepath.Join(run, firstCell, llm.TranscriptFile), []byte("{}\n{\"k\":\"sk-proj-Ab3dEfGh1jKlMn0pQrStUv\"}\n"))
		}, nil, false, llm.TranscriptFile + ":2: this looks like an API key"},
		{"known key", func(t *testing.T, run string) {
			write(t, filepath.Join(run, firstCell, llm.TranscriptFile), []byte("{\"k\":\"hunter2hunter2\"}\n"))
		}, []string{"hunter2hunter2"}, true, llm.TranscriptFile + ":1: holds an API key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := madeRun(t).Dir
			tc.spoil(t, dir)
			_, err := Pack(io.Discard, dir, tc.keys, tc.checked)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "sk-proj")) {
				t.Errorf("the error repeats the key: %v", err)
			}
		})
	}
}

// An entry is what a forger may put into an archive.
type entry struct {
	tar.Header
	body string
}

func packEntries(t testing.TB, list ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	for _, e := range list {
		e.Size = int64(len(e.body))
		if err := archive.WriteHeader(&e.Header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(archive, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return gzipped(t, out.Bytes())
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestUnpackRefuses reads what is no packed run, or a hostile one. Nothing may be written outside of the directory.
func TestUnpackRefuses(t *testing.T) {
	good := pack(t, madeRun(t).Dir)
	flipped := bytes.Clone(good)
	flipped[len(flipped)-6] ^= 1 // in the checksum
	record := entry{tar.Header{Name: firstCell + "record.json"}, "{}"}
	link := func(kind byte) entry {
		return entry{tar.Header{Name: firstCell + "suite/p00001.c", Typeflag: kind, Linkname: "/etc/passwd"}, ""}
	}
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"nothing", nil, "no gzip archive"},
		{"text", []byte("these are my results\n"), "no gzip archive"},
		{"not a tar", gzipped(t, bytes.Repeat([]byte("x"), 4096)), "damaged"},
		{"truncated", good[:len(good)/2], "damaged"},
		{"bits flipped", flipped, "damaged"},
		{"another tar", packEntries(t, entry{tar.Header{Name: "notes.txt"}, "hello"}), "no manifest.json"},
		{"escape", packEntries(t, entry{tar.Header{Name: "../escaped"}, "x"}), "leads out of the archive"},
		{"absolute", packEntries(t, entry{tar.Header{Name: "/tmp/escaped"}, "x"}), "leads out of the archive"},
		{"dots inside", packEntries(t, entry{tar.Header{Name: "cells/../../escaped"}, "x"}), "leads out of the archive"},
		{"symbolic link", packEntries(t, link(tar.TypeSymlink)), "is a link or special file"},
		{"hard link", packEntries(t, link(tar.TypeLink)), "is a link or special file"},
		{"twice", packEntries(t, record, record), "record.json"},
		{"file as directory", packEntries(t, entry{tar.Header{Name: "cells/a/suite/b"}, "x"}, entry{tar.Header{Name: "cells/a/suite/b/c"}, "x"}), "unpack"},
		{"large", packEntries(t, entry{tar.Header{Name: firstCell + "record.json"}, strings.Repeat(" ", maxFile+1)}), "the limit is"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			outer := t.TempDir()
			file, scratch := filepath.Join(outer, "run.tar.gz"), filepath.Join(outer, "scratch")
			write(t, file, tc.file)
			if err := os.Mkdir(scratch, 0o755); err != nil {
				t.Fatal(err)
			}
			_, err := Open(file, scratch)
			var invalid *invalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if left, err := os.ReadDir(outer); err != nil || len(left) != 2 {
				t.Errorf("outside of the directory: %v, %v", left, err)
			}
		})
	}
}

// TestOpenRefuses changes one thing of a run, as a forger might.
func TestOpenRefuses(t *testing.T) {
	experiment := func(old, new string) func(t *testing.T, data *results.Data) {
		return func(t *testing.T, data *results.Data) {
			write(t, filepath.Join(data.Dir, "experiment.yaml"), []byte(strings.Replace(experimentText, old, new, 1)))
		}
	}
	manifest := func(change func(*results.Manifest)) func(t *testing.T, data *results.Data) {
		return func(t *testing.T, data *results.Data) {
			m := data.Manifest
			m.Cells = slices.Clone(m.Cells)
			change(&m)
			write(t, filepath.Join(data.Dir, "manifest.json"), m)
		}
	}
	values := "[" + strings.Repeat("1, ", 999) + "1]"
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, data *results.Data)
		want  string
	}{
		{"cell left out", manifest(func(m *results.Manifest) { m.Cells = m.Cells[:1] }), "lacks 1 cell of experiment.yaml"},
		{"cell twice", manifest(func(m *results.Manifest) { m.Cells[1] = m.Cells[0] }), "debian.1 twice"},
		{"another seed", manifest(func(m *results.Manifest) { m.Cells[0].Seed++ }), "does not plan it like that"},
		{"other schema", manifest(func(m *results.Manifest) { m.Schema = 9 }), "schema 9, this bench reads 1"},
		{"includes", experiment("seed: 1\n", "seed: 1\ninclude: [/etc/passwd]\n"), "field include not found"},
		{"endless", experiment("trials: 2", "trials: 2000000000"), "plans 2000000000 cells"},
		{"endless sweep", experiment("- name: randoop", "- {name: randoop, sweep: {a: "+values+", b: "+values+"}}"), "plans 2000000 cells"},
		{"cell that leads out", experiment("- name: randoop", "- name: ../../../randoop"), "no name of a directory"},
		{"no experiment", experiment(experimentText, ""), "is empty"},
		{"record of another cell", func(t *testing.T, data *results.Data) {
			r := *data.Cells[0].Record
			r.Cell.Trial = 2
			write(t, filepath.Join(data.Dir, firstCell, "record.json"), r)
		}, "of another cell"},
		{"edited suite", func(t *testing.T, data *results.Data) {
			seal := map[string]any{"files": map[string]string{"suite/p00001.c": strings.Repeat("0", 64)}}
			write(t, filepath.Join(data.Dir, firstCell, "seal.json"), seal)
		}, "p00001.c changed after its cell was complete"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := madeRun(t)
			tc.spoil(t, data)
			_, err := Open(data.Dir, "")
			var invalid *invalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func TestCheckSuite(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p1.c"), []byte("int x;\n"))
	sum := "7c725f30854a46033dd94f728ac6b08caf10845993cd3ed48e40079cdb0a76a6"
	program := func(id, file string) trial.SuiteEntry { return trial.SuiteEntry{ID: id, File: file, SHA256: sum} }
	for want, s := range map[string]trial.Suite{
		"":                               {Programs: []trial.SuiteEntry{program("p1", "p1.c")}},
		"p2.c is not what its tool made": {Programs: []trial.SuiteEntry{program("p1", "p1.c"), program("p2", "p2.c")}},
		"no name or there twice":         {Programs: []trial.SuiteEntry{program("p1", "p1.c"), program("p1", "p2.c")}},
		"\"../p1\", which is no":         {Programs: []trial.SuiteEntry{program("../p1", "p1.c")}},
		"outside of the suite":           {Programs: []trial.SuiteEntry{program("p1", "../p1.c")}},
	} {
		if err := CheckSuite(dir, s); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// FuzzUnpack: whatever comes in, reading ends with an *invalidError or unpacks plain files of a run.
func FuzzUnpack(f *testing.F) {
	good := pack(f, madeRun(f).Dir)
	f.Add(good, false)
	f.Add(packEntries(f, entry{tar.Header{Name: "cells/a/suite/b", Typeflag: tar.TypeSymlink, Linkname: "/etc"}, ""}), false)
	f.Add([]byte("cells/a/suite/b"), true)
	f.Fuzz(func(t *testing.T, data []byte, unpacked bool) {
		if unpacked { // mutations of compressed bytes seldom get past the checksum
			data = gzipped(t, data)
		}
		file, dir := filepath.Join(t.TempDir(), "run.tar.gz"), t.TempDir()
		write(t, file, data)
		var invalid *invalidError
		if err := unpack(file, dir); err != nil && !errors.As(err, &invalid) {
			t.Fatalf("%T: %v", err, err)
		}
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if name, _ := filepath.Rel(dir, path); err == nil && !d.IsDir() && (!d.Type().IsRegular() || !belongs(filepath.ToSlash(name))) {
				t.Errorf("%s was unpacked", name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
