package harness

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// PackOptions says what must not be in the submission of a run that is packed here: API keys, and
// directories of this machine. Its name is the run's.
func (e *Env) PackOptions(data *results.Data) (submission.Options, error) {
	o := submission.Options{Name: data.Manifest.Name}
	var exp experiments.Experiment
	if err := yaml.Unmarshal(data.Experiment, &exp); err != nil {
		return o, fmt.Errorf("%s: %w", filepath.Join(data.Dir, "experiment.yaml"), err)
	}
	keys := []string{llm.DefaultKeyEnv}
	here := func(dir, word string) {
		if filepath.IsAbs(dir) && dir != "/" {
			o.Here = append(o.Here, submission.Place{Dir: filepath.Clean(dir), Word: word})
		}
	}
	here(data.Dir, "RUN")
	here(e.Getenv("HOME"), "~")
	if cache, err := e.CachePath(); err == nil {
		here(cache, "CACHE")
	}
	if exp.LLM != nil {
		here(exp.LLM.Dir, "ANSWERS")
		keys = append(keys, exp.LLM.APIKeyEnv)
	}
	const shortest = 8 // what is shorter is no key, and may be anywhere
	for _, name := range keys {
		if key := strings.TrimSpace(e.Getenv(name)); len(key) >= shortest {
			o.Keys = append(o.Keys, key)
		}
	}
	return o, nil
}
