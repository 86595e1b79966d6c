package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// TestCacheIsSwept leaves temporary files of every age in a cache: those that may be somebody's stay.
func TestCacheIsSwept(t *testing.T) {
	now, dir := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), t.TempDir()
	for name, age := range map[string]time.Duration{
		"builds/.tmp-lib-1": 2 * time.Hour, "fuzz/.tmp-2": 25 * time.Hour, "sources/trees/.tmp-3": 26 * time.Hour,
		".tmp-validate-4": 30 * time.Minute, "builds/cJSON-plain": 1000 * time.Hour,
	} {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o755))
		assert.NilError(t, os.Chtimes(path, now, now.Add(-age)))
	}
	assert.NilError(t, sweepCache(dir, now.Add(-sweepAfter)))
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	assert.NilError(t, err)
	var names []string
	for _, path := range left {
		names = append(names, strings.TrimPrefix(path, dir+"/"))
	}
	assert.DeepEqual(t, names, []string{".tmp-validate-4/inside", "builds/.tmp-lib-1", "builds/cJSON-plain", "sources/trees"})
	for _, gone := range []string{"fuzz/.tmp-2", "sources/trees/.tmp-3"} {
		_, err := os.Stat(filepath.Join(dir, gone))
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
}

// TestVariantsSayHowTheyDiffer expects a phrase for each variant of the paper's experiments.
func TestVariantsSayHowTheyDiffer(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	exp, err := Load(bench, "paper", "", nil)
	assert.NilError(t, err)
	list, err := Variants(exp)
	assert.NilError(t, err)
	differs := map[string]string{}
	for _, v := range list {
		differs[v.Tool+"/"+v.Variant] = v.Differs
		if v.Differs == "" && v.Variant != "default" {
			t.Errorf("%s of %s differs in nothing", v.Variant, v.Tool)
		}
	}
	for name, want := range map[string]string{
		"lisa/default": "", "lisa/no_chunk": "the whole program in one prompt", "lisa/no_inv_repair": "no repair of assertions; one that fails ends its test",
		"lisa/no_knowledge": "no knowledge of the APIs", "lisa/daikon_only": "what is mined of calls, unfiltered, and no documents",
		"lisa/doc_only": "documents, and nothing mined", "lisa-api/ngram_2": "ngram_order 2, not 3",
	} {
		if got, ok := differs[name]; !ok || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestEqualVariantsAreRefused expects an error of the plan where two variants would do the same.
func TestEqualVariantsAreRefused(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	for _, c := range []struct{ set, want string }{
		{"tools=[{name: lisa, budget: {programs: 3}, variants: [{name: default}, {name: a, params: {inv_attempts: 5}}]}]", "variants default and a of lisa would do the same on cJSON"},
		{"tools=[{name: lisa, budget: {programs: 3}, variants: [{name: no_knowledge, params: {knowledge: none}}, {name: daikon_only, params: {knowledge: daikon}}]}]", "give the tool knowledge: auto"},
		{"tools=[{name: lisa, budget: {programs: 3}, variants: [{name: default}, {name: doc_only, params: {knowledge: documents}}]}]", "give the tool knowledge: auto"},
		{"tools=[{name: lisa, knowledge: auto, budget: {programs: 3}, variants: [{name: default}, {name: doc_only, params: {knowledge: documents}}]}]", ""},
		{"tools=[{name: lisa, budget: {programs: 3}, variants: [{name: a, params: {oracle: none}}, {name: b, params: {oracle: none, chunks: false}}]}]", "variants a and b of lisa would do the same"},
		{"tools=[{name: lisa, budget: {programs: 3}, params: {seeds: auto}, variants: [{name: default}, {name: b, params: {seeds: {repair: false}}}]}]", ""},
		{"tools=[{name: lisa-api, variants: [{name: default}, {name: b, params: {ngram_order: 3}}]}]", "variants default and b of lisa-api would do the same"},
	} {
		_, err := Load(bench, "success", "quick", []string{c.set})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.set, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.set, err, c.want)
		}
	}
}

// TestModelsOfThePaper expects the model and the reasoning effort of each stage in the manifest.
func TestModelsOfThePaper(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	exp, err := Load(bench, "paper", "", []string{"tools.vanilla.params.model=other", "llm.prices=[{model: gpt-5-mini, input: 1, output: 1}, {model: gpt-5.1, input: 1, output: 1}, {model: text-embedding-3-small, input: 1, output: 0}, {model: other, input: 1, output: 1}]"})
	assert.NilError(t, err)
	models := modelsOf(exp)
	for stage, want := range map[string]string{
		"sequence": "gpt-5-mini", "invariant": "gpt-5.1, reasoning effort medium", "citywalk-embedding": "text-embedding-3-small",
		"sequence of other": "other",
	} {
		assert.Check(t, models[stage] == want, "%s: %q, want %q", stage, models[stage], want)
	}
}
