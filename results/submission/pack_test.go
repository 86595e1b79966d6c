package submission

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

func TestPackedRunIsTheRun(t *testing.T) {
	data := madeRun(t, "missing_harness")
	packed := pack(t, data, Options{Here: []Place{{data.Dir, "RUN"}}})
	dir := t.TempDir()
	h, err := unpack(bytes.NewReader(packed), DefaultLimits, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range h.Files {
		paths = append(paths, f.Path)
	}
	want := []string{
		"cells/randoop.default.cJSON.debian.1/record.json",
		"cells/randoop.default.cJSON.debian.1/suite/p00001.c",
		"cells/randoop.default.cJSON.debian.1/suite/p00002.c",
		"cells/randoop.default.cJSON.debian.1/suite/suite.json",
		"cells/randoop.default.cJSON.debian.1/transcript.jsonl",
		"cells/randoop.default.cJSON.debian.2/incomplete.json",
		"experiment.yaml", "manifest.json",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("packed %q, want %q", paths, want)
	}
	got, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range Compare(data.Cells[0].Record, got.Cells[0].Record, "") {
		if f.Verdict != Holds {
			t.Errorf("figure %d: %+v", i, f)
		}
	}
	if note := got.Cells[0].Record.Notes[0]; note != "seen in RUN/cells and "+data.Dir+"2, on RUN" {
		t.Errorf("the note says %q", note)
	}
	if msg := got.Cells[1].Incomplete.Message; msg != "no harness in RUN/cells" {
		t.Errorf("the reason says %q", msg)
	}
	if strings.Contains(string(mustRead(t, filepath.Join(dir, "manifest.json"))), "secretive-host") {
		t.Error("the manifest names the host")
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The same run somewhere else, with other times and modes, is the same file.
func TestPackIsDeterministic(t *testing.T) {
	data := madeRun(t, "missing_harness")
	moved := filepath.Join(t.TempDir(), "moved", "elsewhere")
	if err := os.CopyFS(moved, os.DirFS(data.Dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(moved, "manifest.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	// What the run wrote of its directory does not move with it.
	here := []Place{{data.Dir, "RUN"}}
	if !bytes.Equal(pack(t, data, Options{Here: here}), pack(t, load(t, moved), Options{Here: here})) {
		t.Error("the archives differ")
	}
}

func TestPackRefuses(t *testing.T) {
	const program = "cells/randoop.default.cJSON.debian.1/suite/p00002.c"
	const transcript = "cells/randoop.default.cJSON.debian.1/" + llm.TranscriptFile
	for _, tc := range []struct {
		name, kind string
		spoil      func(t *testing.T, run string)
		options    Options
		want       string
	}{
		{"unfinished", "not_run", nil, Options{}, "not finished: 1 of its cells have neither a record nor a permanent reason for lacking one; the first is randoop.default.cJSON.debian.2"},
		{"interrupted", "interrupted", nil, Options{}, "not finished"},
		{"name", "tool", nil, Options{Name: "../x"}, `"../x" cannot name a submission`},
		{"edited program", "tool", func(t *testing.T, run string) { write(t, filepath.Join(run, program), []byte("int x;\n")) }, Options{}, "p00002.c: not what the tool made"},
		{"lost program", "tool", func(t *testing.T, run string) {
			if err := os.Remove(filepath.Join(run, program)); err != nil {
				t.Fatal(err)
			}
		}, Options{}, "the run is not whole"},
		{"link", "tool", func(t *testing.T, run string) {
			path := filepath.Join(run, program)
			if err := errors.Join(os.Rename(path, path+"x"), os.Symlink(path+"x", path)); err != nil {
				t.Fatal(err)
			}
		}, Options{}, "p00002.c: a link or special file"},
		{"key", "tool", func(t *testing.T, run string) {
			write(t, filepath.Join(run, transcript), []byte("{}\n{\"k\":\"sk-proj-Ab3dEfGh1jKlMn0pQrStUv\"}\n"))
		}, Options{}, llm.TranscriptFile + ":2: this looks like an API key"},
		{"known key", "tool", func(t *testing.T, run string) {
			write(t, filepath.Join(run, transcript), []byte("{\"k\":\"hunter2hunter2\"}\n"))
		}, Options{Keys: []string{"hunter2hunter2"}, KeysChecked: true}, llm.TranscriptFile + ":1: holds an API key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			data := madeRun(t, tc.kind)
			if tc.spoil != nil {
				tc.spoil(t, data.Dir)
			}
			if tc.options.Name == "" {
				tc.options.Name = "made"
			}
			_, _, err := packTo(io.Discard, data, tc.options)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "sk-proj")) {
				t.Errorf("the error repeats the key: %v", err)
			}
		})
	}
}

func TestPackUnfinishedOnDemand(t *testing.T) {
	dir := t.TempDir()
	packed := pack(t, madeRun(t, "not_run"), Options{Unfinished: true})
	if _, err := unpack(bytes.NewReader(packed), DefaultLimits, dir, nil); err != nil {
		t.Fatal(err)
	}
	got, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if open := unfinished(got.Data); !slices.Equal(open, []string{"randoop.default.cJSON.debian.2"}) {
		t.Errorf("unfinished: %q", open)
	}
}

func TestPackTellsWhatNamesPlaces(t *testing.T) {
	data := madeRun(t, "tool")
	const transcript = "cells/randoop.default.cJSON.debian.1/" + llm.TranscriptFile
	write(t, filepath.Join(data.Dir, transcript), []byte("{\"prompt\":\"#include </home/me/x.h>\"}\n"))
	_, named, err := packTo(io.Discard, data, Options{Name: "made", Here: []Place{{"/home/me", "~"}}})
	if err != nil || !slices.Equal(named, []string{transcript}) {
		t.Errorf("got %q, %v", named, err)
	}
}

// TestAPartThatIsMissingIsPacked checks that a submission tells of a record's gaps what the record does,
// and that neither packing nor checking it against its suite asks for the part.
func TestAPartThatIsMissingIsPacked(t *testing.T) {
	for _, p := range slices.DeleteFunc(slices.Clone(trial.Parts), func(p trial.Part) bool { return p == trial.PartDetections }) {
		data := madeRun(t, "tool")
		why := trial.Reason{Kind: trial.ReasonSandbox, Message: "it broke"}
		lacking := copied(t, data.Cells[0].Record, func(r *trial.Record) {
			r.Drop(trial.Gap{Part: p})
			r.Lack(p, why)
		})
		write(t, filepath.Join(data.Dir, "cells", data.Cells[0].Cell.ID(), "record.json"), lacking)
		data, err := results.Load(data.Dir)
		if err != nil {
			t.Fatal(err)
		}
		var archive bytes.Buffer
		h, _, err := packTo(&archive, data, Options{Name: "gap"})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		dir := t.TempDir()
		if _, err := unpack(&archive, DefaultLimits, dir, nil); err != nil {
			t.Fatal(err)
		}
		c, err := Open(dir)
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		got := c.Cells[0].Record
		if gaps := got.Gaps(); len(gaps) != 1 || gaps[0] != (trial.Gap{Part: p, Reason: why}) {
			t.Errorf("%s: gaps %+v", p, gaps)
		}
		suite, err := results.ReadSuite(filepath.Join(c.Cells[0].Dir, "suite"))
		if err != nil {
			t.Fatal(err)
		}
		at := "cells/" + c.Cells[0].Cell.ID() + "/suite"
		if err := CheckSuite(h.Hashes(), at, suite, got); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		got.Missing = nil
		if err := CheckSuite(h.Hashes(), at, suite, got); (err != nil) != (p == trial.PartSuccess || p == trial.PartCoverage) {
			t.Errorf("%s, without a reason: %v", p, err)
		}
	}
}
