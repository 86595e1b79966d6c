package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

const submittedExperiment = `name: submitted
trials: 1
budget: {programs: PROGRAMS}
test: {timeout: 1m}
libraries:
  - {name: cJSON, edition: debian, bugs: [cjson-1, cjson-11]}
tools:
  - name: randoop
    params: {batch: 10}
`

const submittedCell = "cells/randoop.default.cJSON.debian.1/"

// TestSubmission packs a run of the real cJSON, verifies it, and verifies what forgers of
// growing skill make of it.
func TestSubmission(t *testing.T) {
	t.Parallel()
	programs := "20"
	if testing.Short() {
		programs = "8"
	}
	l := newLab(t, strings.Replace(submittedExperiment, "PROGRAMS", programs, 1))
	dir := t.TempDir()
	run, file := filepath.Join(dir, "run"), filepath.Join(dir, "good.tar.gz")
	l.run(t, run)
	bench := func(code int, args []string, words ...string) *session {
		t.Helper()
		s := start(t, "", append(args, "--cache", l.cache)...)
		s.expect(t, code, words...)
		return s
	}
	bench(exitOK, []string{"submission", "pack", run, "--out", file, "--name", "good"}, "good, 1 of 1 cells complete")
	bench(exitUsage, []string{"submission", "pack", run, "--out", file}, "already exists")
	if text, err := os.ReadFile(file); err != nil || bytes.Contains(gunzip(t, text), []byte(dir)) {
		t.Errorf("the archive names the directory it was made from (%v)", err)
	}

	s := bench(exitOK, []string{"submission", "verify", file, "--receipt", "--json"})
	var v submission.Verification
	text := s.out.String()
	if err := json.Unmarshal([]byte(text[strings.Index(text, "{\n"):]), &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if v.Count(submission.Holds) < 12 || v.Count(submission.Holds) != len(v.Cells[0].Figures) || v.Cells[0].Figures[0].Found != programs+" programs from its seed" {
		t.Errorf("got %+v", v)
	}
	board := []string{"leaderboard", dir, "--library", "cJSON", "--trials", "1"}
	bench(exitIncomplete, board, "cJSON (debian), trial 1: bug cjson-2 was not looked for (and 8 more)")

	for _, f := range []struct {
		name     string
		edit     func(t *testing.T, files map[string][]byte)
		relisted bool // the hashes fit what was edited
		code     int
		words    []string
	}{
		{"changed record", func(t *testing.T, files map[string][]byte) { files[submittedCell+"record.json"] = inventBug(t, files) }, false,
			exitFailure, []string{"changed after packing: the SHA-256 of " + submittedCell + "record.json is not the one listed"}},
		{"changed program", func(t *testing.T, files map[string][]byte) {
			flip(t, files, submittedCell+"suite/p00007.c")
		}, false, exitFailure, []string{"changed after packing", "p00007.c"}},
		{"forged record", func(t *testing.T, files map[string][]byte) { files[submittedCell+"record.json"] = inventBug(t, files) }, true,
			exitFailure, []string{"What is wrong", "HBDR", "bug cjson-1", "detected by 1 tests", "not detected", "2 of "}},
		{"forged program", func(t *testing.T, files map[string][]byte) {
			flip(t, files, submittedCell+"suite/p00007.c")
			resuite(t, files, "p00007")
		}, true, exitFailure, []string{"program p00007 differs"}},
		{"forged program, suite left alone", func(t *testing.T, files map[string][]byte) { flip(t, files, submittedCell+"suite/p00007.c") }, true,
			exitFailure, []string{"p00007.c is not what its tool made"}},
		{"forged oracle", func(t *testing.T, files map[string][]byte) {
			for _, name := range []string{"record.json", "suite/suite.json"} {
				files[submittedCell+name] = bytes.ReplaceAll(files[submittedCell+name], []byte(`"reference"`), []byte(`"specification"`))
			}
		}, true, exitFailure, []string{"program p00001 differs"}},
		{"of another corpus", func(t *testing.T, files map[string][]byte) {
			files["manifest.json"] = bytes.Replace(files["manifest.json"], []byte(`"corpus": "1.`), []byte(`"corpus": "9.`), 1)
		}, true, exitUsage, []string{"made with version 9.", "use the same version"}},
	} {
		t.Run(f.name, func(t *testing.T) {
			forged := filepath.Join(t.TempDir(), "forged.tar.gz")
			forge(t, file, forged, f.relisted, func(files map[string][]byte) { f.edit(t, files) })
			start(t, "", "submission", "verify", forged, "--cache", l.cache).expect(t, f.code, f.words...)
		})
	}

	t.Run("no execution", func(t *testing.T) {
		forged := filepath.Join(t.TempDir(), "forged.tar.gz")
		forge(t, file, forged, true, func(files map[string][]byte) { files[submittedCell+"record.json"] = inventBug(t, files) })
		start(t, "", "submission", "verify", forged, "--no-exec", "--cache", l.cache).expect(t, exitOK, "this does not detect a record that was changed together with its hash")
	})
	t.Run("no library", func(t *testing.T) {
		// A file where the fetched sources would go: nothing can be fetched.
		cache := t.TempDir()
		writeFile(t, filepath.Join(cache, "sources", "downloads"), "")
		start(t, "", "submission", "verify", file, "--cache", cache).expect(t, exitIncomplete, "What could not be checked", "could not be made again here: source", "figures could not be checked here")
	})
}

// inventBug returns the record with a bug that nothing detects as detected.
func inventBug(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var r trial.Record
	if err := json.Unmarshal(files[submittedCell+"record.json"], &r); err != nil {
		t.Fatal(err)
	}
	if r.Bugs[0].Bug != "cjson-1" || r.Bugs[0].Detected {
		t.Fatalf("there is nothing to invent: %+v", r.Bugs[0])
	}
	r.Bugs[0].Detected, r.Bugs[0].Tests = true, 1
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// flip changes a comment's worth of a program, so that only its bytes are other ones.
func flip(t *testing.T, files map[string][]byte, name string) {
	t.Helper()
	if files[name] == nil {
		t.Fatalf("%s is not there", name)
	}
	files[name] = append(bytes.Clone(files[name]), "\n/* better */\n"...)
}

// resuite makes suite.json fit an edited program.
func resuite(t *testing.T, files map[string][]byte, id string) {
	t.Helper()
	var s trial.Suite
	if err := json.Unmarshal(files[submittedCell+"suite/suite.json"], &s); err != nil {
		t.Fatal(err)
	}
	for i, p := range s.Programs {
		if p.ID == id {
			sum := sha256.Sum256(files[submittedCell+"suite/"+p.File])
			s.Programs[i].SHA256 = hex.EncodeToString(sum[:])
		}
	}
	var err error
	if files[submittedCell+"suite/suite.json"], err = json.MarshalIndent(s, "", "  "); err != nil {
		t.Fatal(err)
	}
}

// forge packs an edited copy of a submission, with the hashes of what is in it or the old ones.
func forge(t *testing.T, from, to string, relisted bool, edit func(map[string][]byte)) {
	t.Helper()
	contents := map[string][]byte{}
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	h, err := submission.Read(in, submission.DefaultLimits, func(f submission.File, r io.Reader) error {
		body, err := io.ReadAll(r)
		contents[f.Path] = body
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	edit(contents)
	if relisted {
		h.Files = nil
		for _, path := range slices.Sorted(maps.Keys(contents)) {
			sum := sha256.Sum256(contents[path])
			h.Files = append(h.Files, submission.File{Path: path, Size: int64(len(contents[path])), SHA256: hex.EncodeToString(sum[:])})
		}
	}
	head, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	add := func(name string, body []byte) {
		_, err := 0, archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(body))})
		if err == nil {
			_, err = archive.Write(body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(submission.HeaderFile, head)
	for _, f := range h.Files {
		add(f.Path, contents[f.Path])
	}
	if err := errors.Join(archive.Close(), packed.Close(), os.WriteFile(to, out.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func gunzip(t *testing.T, data []byte) []byte {
	t.Helper()
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSubmissionOfGivenFiles packs tests that were made from directories of seeds and contracts: both are in the
// package, and the tests are made again from them and the recorded answers. Who changes one of the three is found.
func TestSubmissionOfGivenFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newInv(t, filepath.Join("testdata", "lisa", "inv-cjson"), dir)
	one := regexp.MustCompile(`(?m)^      - \{name: (no_chunk|no_knowledge|daikon_judged|doc_only|crash_only|exact_values).*\n`)
	writeFile(t, f.experiment, one.ReplaceAllString(readFile(t, f.experiment), ""))
	run, file := filepath.Join(dir, "run"), filepath.Join(dir, "given.tar.gz")
	lab{cache: f.cache, experiment: f.experiment}.run(t, run)
	verify := func(file string, code int, words ...string) {
		t.Helper()
		start(t, "", "submission", "verify", file, "--cache", f.cache).expect(t, code, words...)
	}
	start(t, "", "submission", "pack", run, "--out", file, "--cache", f.cache).expect(t, exitOK, "1 of 1 cells complete")
	const cell = "cells/lisa.default.cJSON.debian.1/"
	const seed, contracts = cell + "suite/given/seeds/p00001.c", cell + "suite/given/contracts/cJSON.yaml"
	verify(file, exitOK)

	edited := func(name string, edit func(t *testing.T, files map[string][]byte), words ...string) {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && (name == "contract" || name == "answer") {
				t.Skip("found as another seed is, by a replay")
			}
			forged := filepath.Join(dir, strings.ReplaceAll(name, " ", "_")+".tar.gz")
			forge(t, file, forged, true, func(files map[string][]byte) { edit(t, files) })
			verify(forged, exitFailure, words...)
		})
	}
	replace := func(t *testing.T, files map[string][]byte, name, from, to string) {
		t.Helper()
		was := sha256.Sum256(files[name])
		if !bytes.Contains(files[name], []byte(from)) {
			t.Fatalf("%s has no %s", name, from)
		}
		files[name] = bytes.Replace(files[name], []byte(from), []byte(to), 1)
		now := sha256.Sum256(files[name])
		suite := cell + "suite/suite.json"
		files[suite] = bytes.ReplaceAll(files[suite], []byte(hex.EncodeToString(was[:])), []byte(hex.EncodeToString(now[:])))
	}
	edited("seed", func(t *testing.T, files map[string][]byte) {
		replace(t, files, seed, "// STEP1", "// STEP1 better")
	}, "does not follow from its transcript")
	edited("contract", func(t *testing.T, files map[string][]byte) {
		replace(t, files, contracts, "text: ", "text: better ")
	}, "does not follow from its transcript")
	edited("seed, suite left alone", func(t *testing.T, files map[string][]byte) {
		files[seed] = append(files[seed], '\n')
	}, "p00001.c is not what its tool made")
	edited("another seed", func(t *testing.T, files map[string][]byte) {
		files[cell+"suite/given/seeds/p00000.c"] = files[seed]
	}, "p00000.c is not in suite.json")
	edited("answer", func(t *testing.T, files map[string][]byte) {
		name := cell + "transcript.jsonl"
		text := string(files[name])
		last := strings.LastIndex(text, "assert(") // an earlier one would lead to prompts that nobody answered
		files[name] = []byte(text[:last] + "assert(1 || " + text[last+len("assert("):])
	}, "What is wrong")
}
