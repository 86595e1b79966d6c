package randoop

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestHand(t *testing.T) {
	lib := os.Getenv("HAND")
	if lib == "" {
		t.Skip()
	}
	var x *plainExec
	tg := trial.Target{Library: lib, Language: trial.C}
	switch lib {
	case "cjson":
		d := "/tmp/src/cjson-1.7.15"
		x = buildLib(t, "cjson", []string{d + "/cJSON.c", d + "/cJSON_Utils.c"}, []string{"-I" + d})
		tg.Headers = []string{"cJSON.h", "cJSON_Utils.h"}
		tg.IncludeDirs = []string{d}
		tg.SourceDir = d
		tg.Documents = []string{"README.md"}
	case "zlib":
		d := "/tmp/src/zlib-1.2.13.dfsg"
		fs, _ := filepath.Glob(d + "/*.c")
		x = buildLib(t, "z", fs, []string{"-I" + d, "-DHAVE_UNISTD_H", "-D_LARGEFILE64_SOURCE=1"})
		tg.Headers = []string{"zlib.h"}
		tg.IncludeDirs = []string{d}
		tg.SourceDir = d
		tg.Documents = []string{"FAQ"}
	}
	var n int64 = 200
	fmt.Sscan(os.Getenv("N"), &n)
	ledger := trial.NewLedger(trial.Budget{Programs: n, Wall: 20 * time.Minute}, trial.Usage{}, time.Now)
	suite := &memorySuite{ledger: ledger}
	start := time.Now()
	job := trial.Job{Target: tg, Seed: 1, Exec: x, Suite: suite, Ledger: ledger, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	o, _ := parseOptions(nil)
	spec := mustSpec(t, tg)
	g, err := newGrower(job, o, spec)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{job: job, options: o, grower: g, made: map[string]bool{}}
	stop, err := s.run(context.Background())
	el := time.Since(start)
	fmt.Println(stop, err, len(suite.programs), "programs", el, "runs", x.runs.Load(), "cand", s.counts.candidates, "valid", s.counts.valid, "kept", s.counts.kept, "unstable", s.counts.unstable)
	out := "/tmp/rand/" + lib
	os.RemoveAll(out)
	os.MkdirAll(out, 0o755)
	for _, p := range suite.programs {
		os.WriteFile(out+"/"+p.ID+".c", []byte(p.Source), 0o644)
	}
	var names []string
	for _, c := range g.api.callables {
		names = append(names, c.name)
	}
	sort.Strings(names)
	for _, nme := range names {
		tl := g.memory.calls[nme]
		if tl == nil {
			tl = &tally{}
		}
		fmt.Printf("%-34s %v\n", nme, *tl)
	}
	var muted []string
	for k := range g.memory.reads {
		if g.memory.muted(k) {
			muted = append(muted, k)
		}
	}
	sort.Strings(muted)
	fmt.Println("muted", muted)
}
