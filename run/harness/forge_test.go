package harness

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// forgedLibraries are those whose bugs are forged, with what forging programs need of them. CI takes cJSON.
var forgedLibraries = map[string]struct{ header, functions, exercise string }{
	"cJSON": {"<cJSON.h>", "cJSON_Version, cJSON_Parse, cJSON_Print, cJSON_Duplicate, cJSON_InsertItemInArray, cJSON_DetachItemViaPointer, cJSON_ReplaceItemViaPointer, cJSON_AddItemReferenceToArray",
		`static void exercise(void) {
    cJSON *a = cJSON_Parse("{\"b\":[1,2,3],\"a\":{\"c\":null}}"), *b = cJSON_Duplicate(a, 1), *list = cJSON_GetObjectItem(a, "b");
    cJSON_InsertItemInArray(list, 1, cJSON_CreateNumber(7));
    cJSON_AddItemReferenceToArray(list, cJSON_GetObjectItem(b, "a"));
    cJSON_ReplaceItemInArray(list, 0, cJSON_CreateNumber(9));
    cJSON_DeleteItemFromArray(list, 1);
    cJSON_Delete(a);
    cJSON_Delete(b);
}
`},
	"zlib": {"<zlib.h>", "zlibVersion, deflate, inflate, crc32_combine, deflateBound, inflateSync, deflateParams, deflatePrime",
		`static void exercise(void) {
    unsigned char in[300] = "hello hello hello", out[1000], back[300];
    uLongf n = sizeof out, m = sizeof back;
    compress(out, &n, in, sizeof in);
    uncompress(back, &m, out, n);
    z_stream s = {0};
    deflateInit(&s, 1);
    deflateBound(&s, 100);
    deflatePrime(&s, 3, 1);
    deflateParams(&s, 2, Z_FIXED);
    deflateEnd(&s);
    crc32_combine(1, 2, 3);
}
`},
}

// TestForgedDetections: suites that know all of the reference build and nothing of what a bug does
// detect none, and are flagged. Each way to know a build again (testdata/forge) once was, or would be,
// a detection of every bug; so would be a clock or a coin.
func TestForgedDetections(t *testing.T) {
	if testing.Short() {
		t.Skip("make attack")
	}
	prelude, err := os.ReadFile("testdata/forge/prelude.h")
	assert.NilError(t, err)
	channels, err := txtar.ParseFile("testdata/forge/channels.txtar")
	assert.NilError(t, err)
	for name, lib := range forgedLibraries {
		if name != "cJSON" && os.Getenv(attackEnv) == "" {
			continue // make attack
		}
		head := fmt.Sprintf("#define LIB_HEADER %s\n#define LIB_FUNCTIONS %s\n%s", lib.header, lib.functions, prelude)
		t.Run(name, func(t *testing.T) {
			var programs []trial.Program
			for _, c := range channels.Files {
				programs = append(programs, trial.Program{ID: c.Name, Lang: trial.C, Source: head + lib.exercise + string(c.Data)})
			}
			known := learn(t, name, programs)
			forged := map[string]string{}
			for _, p := range programs {
				if k, ok := known[p.ID]; ok {
					forged[p.ID+".c"] = "#define KNOWN " + k + "ULL\n" + p.Source
					if p.ID == "code" { // one bit of it, with many salts: some are right on any few builds
						for salt := range 64 {
							forged[fmt.Sprintf("salted%d.c", salt)] = fmt.Sprintf("#define KNOWN %s && (probe() * %dULL >> 17 & 1)\n%s", k+"ULL", 2*salt+1, p.Source)
						}
					}
				}
			}
			t.Run("channels", func(t *testing.T) { forge(t, name, forged, "off") })
			t.Run("clock and coin", func(t *testing.T) { forge(t, name, blind(head+lib.exercise), "off") })
		})
	}
}

// blind are programs that guess: by the clock, in slots, and by coins. The date that programs see is no coin
// (sandbox.Clock).
func blind(head string) map[string]string {
	suite := map[string]string{}
	head = strings.Replace(head, "dl_iterate_phdr(find, NULL);", "if (guess()) return 1;", 1)
	head = strings.Replace(head, "static u64 probe(void);", "static int guess(void);\nstatic u64 probe(void) { return 0; }", 1)
	head = strings.Replace(head, "static void exercise(void);", "static void exercise(void);\n", 1)
	for odd := range 2 {
		suite[fmt.Sprintf("clock%d.c", odd)] = head + fmt.Sprintf(`
static int guess(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long ms = t.tv_sec * 1000LL + t.tv_nsec / 1000000;
    usleep((600 - ms %% 600) * 1000);
    return (ms / 600) %% 2 == %d;
}
`, odd)
	}
	for i := range 40 {
		suite[fmt.Sprintf("coin%d.c", i)] = head + fmt.Sprintf(`
static int guess(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (t.tv_nsec / 1000 * %dULL >> 7) & 1; }
`, 2*i+1)
	}
	return suite
}

// forgeEnv is a process that keeps no verdicts.
func forgeEnv(t *testing.T, sel string) *Env {
	return &Env{Cache: testcache.Dir(""), Select: sel, Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Stderr: t.Output()}
}

// attackEnv names the sandbox of `make attack`.
const attackEnv = "LISA_BENCH_ATTACK_SANDBOX"

func forgeSandbox() string { return cmp.Or(os.Getenv(attackEnv), "bwrap") }

// learn runs the programs as a tool can, and returns what they print if it is the same each time.
func learn(t *testing.T, library string, programs []trial.Program) map[string]string {
	t.Helper()
	env := forgeEnv(t, "on")
	bench, err := env.LoadBench()
	assert.NilError(t, err)
	scratch := t.TempDir()
	assert.NilError(t, os.Chmod(scratch, 0o755))
	shop, err := env.workshop(t.Context(), bench, Workplace{Sandbox: forgeSandbox(), Scratch: scratch, Jobs: 1, Limits: workshop.TestLimits(30 * time.Second)})
	assert.NilError(t, err)
	defer shop.Close()
	job, err := shop.Prepare(t.Context(), runner.Library{Name: library, Edition: string(lisabench.Debian)}, trial.Needs{})
	assert.NilError(t, err)
	known := map[string]string{}
	results, err := job.Exec.Run(t.Context(), programs, trial.ExecOptions{Stdout: true, Runs: 3})
	assert.NilError(t, err)
	for _, r := range results {
		switch r.Outcome {
		case trial.OK:
			known[r.ID] = strings.TrimSpace(r.Stdout)
		case trial.Flaky: // nothing can be known by it
			t.Logf("%s: %s", r.ID, r.Diagnostic)
		default:
			t.Errorf("%s: %s %s", r.ID, r.Outcome, r.Diagnostic)
		}
	}
	return known
}

// forge evaluates a suite, which must detect nothing and be flagged.
func forge(t *testing.T, library string, suite map[string]string, sel string) {
	dir := t.TempDir()
	for name, text := range suite {
		assert.NilError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	env := forgeEnv(t, sel)
	x, err := env.SuiteExecution(Suite{Library: library, Edition: string(lisabench.Debian), Tests: dir, Oracle: string(trial.OracleSpecification),
		Bugs: "available", Sandbox: forgeSandbox(), Timeout: 30 * time.Second, Repeats: 3, Dir: filepath.Join(t.TempDir(), "run")})
	assert.NilError(t, err)
	if _, err := env.Execute(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(x.Dir, "cells", "*", "record.json"))
	assert.Assert(t, err == nil && len(found) == 1, "records %v, %v", found, err)
	data, err := os.ReadFile(found[0])
	assert.NilError(t, err)
	var rec trial.Record
	assert.NilError(t, json.Unmarshal(data, &rec))
	t.Logf("%d programs, outcomes %v, flags %+v", rec.Programs.Generated, rec.Programs.Outcomes, rec.Flags)
	for _, b := range rec.Bugs {
		assert.Check(t, !b.Detected && b.Missing == nil, "%s: %+v %v", b.Bug, b.First, b.Missing)
	}
	assert.Check(t, len(rec.Flags) != 0, "the suite is not flagged")
}
