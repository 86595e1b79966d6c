package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// citywalkRecordings are CITYWALK on a library of each language, with the words of bench replay.
var citywalkRecordings = []struct {
	recorded
	replayed string
}{
	{recorded{"citywalk", "cjson", "citywalk.default.cJSON.debian.1"}, "92 programs, identical"},
	{recorded{"citywalk", "re2", "citywalk.default.re2.debian.1"}, "15 programs, identical"},
}

// TestReplayedCITYWALK runs CITYWALK on the real libraries from recorded answers: what its passes,
// metrics and bugs come to is in tables.txt, and `bench replay` agrees. In short mode it is for
// two functions of cJSON only.
func TestReplayedCITYWALK(t *testing.T) {
	t.Parallel()
	for i, r := range citywalkRecordings {
		t.Run(r.name, func(t *testing.T) {
			if !testing.Short() {
				turn(t, i, len(citywalkRecordings))
			}
			dir := t.TempDir()
			l, golden, replayed := lab{cache: testcache.Dir("")}, r.file("tables.txt"), r.replayed
			if testing.Short() {
				if r.name != "cjson" {
					t.Skip("builds re2")
				}
				golden, replayed = r.file("tables.short.txt"), "2 programs, identical"
				l.experiment = r.experiment(t, dir, "round: 100", "round: 100, functions: [cJSON_InsertItemInArray, cJSON_ReplaceItemInArray]",
					`"param round"`, `"param functions":"[cJSON_InsertItemInArray cJSON_ReplaceItemInArray]","param round"`, "edition: debian", "edition: debian, bugs: [cjson-5, cjson-6]")
			} else {
				l.experiment = r.experiment(t, dir)
			}
			whole := filepath.Join(dir, "whole")
			l.run(t, whole)
			report, err := os.ReadFile(filepath.Join(whole, "report", "report.txt"))
			if err != nil {
				t.Fatal(err)
			}
			got := reportSections(string(report), "Success rates", "Verifications", "Coverage", "Bug detection", "Detection matrix", "Generation with a model")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || string(want) != got {
				t.Errorf("the tables differ from %s (%v):\n%s", golden, err, got)
			}
			start(t, whole, "replay", whole, "--cache", l.cache).expect(t, exitOK, r.cell+": "+replayed)
		})
	}
}

// reportSections are sections of a report as text, by their titles, each up to the next one.
func reportSections(report string, titles ...string) string {
	var out strings.Builder
	for _, title := range titles {
		heading := "\n" + title + "\n" + strings.Repeat("=", len(title)) + "\n"
		_, rest, found := strings.Cut(report, heading)
		if !found {
			continue
		}
		body := strings.Split(rest, "\n")
		end := len(body)
		for i := 1; i < len(body); i++ {
			if strings.Trim(body[i], "=") == "" && body[i] != "" {
				end = i - 1
				break
			}
		}
		out.WriteString(strings.TrimLeft(heading, "\n") + strings.TrimRight(strings.Join(body[:end], "\n"), "\n") + "\n\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}
