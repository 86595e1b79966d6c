package apispec

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestCounts pins the API counts of real libraries, in their Debian edition.
//
// The rules that give the paper's counts (see Spec.APIs) give the same numbers here, because
// cJSON.h and zlib.h declare the same functions in Debian's versions as at the paper's
// commits. The paper's 70 for re2 counts cre2, a C wrapper of another project that its
// artifact tests in re2's place.
func TestCounts(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	re2 := &lisabench.Library{Name: "re2", Debian: &lisabench.DebianPin{Package: "re2", Version: "20220601+dfsg-1",
		DscSHA256: "e0d2eab89a0312e9a0ba4e9a6fb18b081764d6776a28496d389aa3831d970940"}}
	store := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler))
	trees, wanted := map[string]string{}, []string{"cJSON", "zlib", "re2"}
	if testing.Short() {
		wanted = wanted[:2]
	}
	for _, lib := range append(slices.Clone(bench.Libraries), re2) {
		if !slices.Contains(wanted, lib.Name) || trees[lib.Name] != "" {
			continue
		}
		if tree, err := store.Reference(context.Background(), lib, lisabench.Debian); err != nil {
			t.Errorf("%s: %v", lib.Name, err)
		} else {
			trees[lib.Name] = tree.Dir
		}
	}
	for _, tc := range []struct {
		name, library string
		lang          trial.Language
		headers       []string
		defines       []string
		excluded      []string
		want          int
	}{
		{"the paper's cJSON", "cJSON", trial.C, []string{"cJSON.h"}, nil, []string{"cJSON_InitHooks", "cJSON_GetErrorPtr"}, 76},
		{"cJSON.h", "cJSON", trial.C, []string{"cJSON.h"}, nil, nil, 78},
		{"cJSON with its utilities", "cJSON", trial.C, []string{"cJSON.h", "cJSON_Utils.h"}, nil, nil, 92},
		{"the paper's zlib", "zlib", trial.C, []string{"zlib.h"}, []string{"_LARGEFILE64_SOURCE=1"}, []string{"gzvprintf"}, 87},
		{"the paper's zlib, read as C++", "zlib", trial.CXX, []string{"zlib.h"}, nil, []string{"gzvprintf"}, 87},
		{"zlib as C", "zlib", trial.C, []string{"zlib.h", "zconf.h"}, nil, []string{"gzvprintf"}, 80},
		{"all of re2", "re2", trial.CXX, []string{"re2/re2.h", "re2/stringpiece.h", "re2/set.h", "re2/filtered_re2.h"}, nil, nil, 124},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := trees[tc.library]
			if dir == "" {
				t.Skip("no source")
			}
			spec, err := Load(context.Background(), testCompiler(t), trial.Target{
				Library: tc.library, Language: tc.lang, Headers: tc.headers, IncludeDirs: []string{dir}, Defines: tc.defines})
			assert.NilError(t, err)
			assert.Check(t, is.Equal(len(spec.APIs(tc.excluded)), tc.want), "APIs")
		})
	}
}
