package exttool

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// manifest is what a command is told of its job, as JSON. manifest.schema.json is its schema.
// Paths are absolute and lead into the sandbox; they differ from run to run, so that they
// belong neither into programs nor into prompts.
type manifest struct {
	Contract int `json:"contract"`
	Library  struct {
		Name         string         `json:"name"`
		Language     trial.Language `json:"language"`
		Description  string         `json:"description"`
		Headers      []string       `json:"headers"` // as written in #include <...>
		IncludeDirs  []string       `json:"include_dirs"`
		Defines      []string       `json:"defines"`
		SourceDir    string         `json:"source_dir"` // without history, changelogs and tests
		Documents    []string       `json:"documents"`
		ExcludedAPIs []string       `json:"excluded_apis"`
		Rules        []trial.Rule   `json:"rules"`
	} `json:"library"`
	Build struct { // the reference build and how programs are compiled and linked with it
		CC        string   `json:"cc"`
		CXX       string   `json:"cxx"`
		Compile   []string `json:"compile"`
		Link      []string `json:"link"`
		SharedLib string   `json:"shared_lib"`
		StaticLib string   `json:"static_lib"`
	} `json:"build"`
	Budget struct { // what is missing is not limited
		WallS    float64 `json:"wall_s,omitempty"`
		CPUS     float64 `json:"cpu_s,omitempty"`
		Programs int64   `json:"programs,omitempty"`
		LLMCalls int64   `json:"llm_calls,omitempty"`
		Tokens   int64   `json:"tokens,omitempty"`
		Dollars  float64 `json:"dollars,omitempty"`
	} `json:"budget"`
	Seed      uint64         `json:"seed"` // below 2^53, which every reader of JSON keeps whole
	Params    map[string]any `json:"params"`
	OutputDir string         `json:"output_dir"` // the only directory that is kept
	LLM       *manifestLLM   `json:"llm,omitempty"`
	Harnesses []harness      `json:"harnesses,omitzero"` // only where the tool's block asks for them
}

// A manifestLLM says how to ask the model: HTTP over a Unix socket.
type manifestLLM struct {
	Socket  string `json:"socket"`
	BaseURL string `json:"base_url"` // its host is of no account
	Model   string `json:"model"`
}

// manifestOf describes a job. The budget is the whole one and not what an interrupted session has left:
// the command starts over and must come to the same programs.
func (c *Command) manifestOf(job trial.Job, out string) (m manifest) {
	t, b := job.Target, job.Ledger.Budget()
	m.Contract, m.Seed, m.OutputDir, m.Params = experiments.Contract, uint64(job.Seed)>>11, out, map[string]any{}
	maps.Copy(m.Params, job.Params)
	l := &m.Library
	l.Name, l.Language, l.Description, l.SourceDir = t.Library, t.Language, t.Description, t.SourceDir
	l.Headers, l.IncludeDirs, l.Defines = list(t.Headers), list(t.IncludeDirs), list(t.Defines)
	l.ExcludedAPIs, l.Documents, l.Rules = list(t.ExcludedAPIs), each(t.Documents, t.SourceDir+"/"), list(t.Rules)
	m.Build.CC, m.Build.CXX, m.Build.SharedLib, m.Build.StaticLib = c.CC, c.CXX, t.SharedLib, t.StaticLib
	m.Build.Compile, m.Build.Link = append(each(t.IncludeDirs, "-I"), each(t.Defines, "-D")...), []string{}
	if t.StaticLib != "" {
		m.Build.Link = append([]string{t.StaticLib}, t.LinkLibs...)
	}
	m.Budget.WallS, m.Budget.CPUS, m.Budget.Programs = b.Wall.Seconds(), cmp.Or(b.CPU, b.Time).Seconds(), b.Programs
	m.Budget.LLMCalls, m.Budget.Tokens, m.Budget.Dollars = b.LLMCalls, b.Tokens, b.Dollars
	return m
}

// list is a copy that is never null in JSON.
func list[T any](s []T) []T { return append([]T{}, s...) }

// each puts a prefix before each text.
func each(texts []string, prefix string) []string {
	out := list(texts)
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out
}

// writeReadable writes a file that everybody may read, whatever the mask.
func writeReadable(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}

// environment says the same for shell scripts, which read JSON badly: lists are separated by blanks.
// A limit that is not set is an empty text.
func (m manifest) environment(path string) (env []string) {
	values := [][2]any{
		{"MANIFEST", path}, {"OUT", m.OutputDir}, {"LIBRARY", m.Library.Name}, {"LANGUAGE", m.Library.Language},
		{"HEADERS", strings.Join(m.Library.Headers, " ")}, {"CC", m.Build.CC}, {"CXX", m.Build.CXX},
		{"CFLAGS", strings.Join(m.Build.Compile, " ")}, {"LDLIBS", strings.Join(m.Build.Link, " ")},
		{"SEED", m.Seed}, {"PROGRAMS", m.Budget.Programs}, {"WALL_S", int64(m.Budget.WallS)},
	}
	if m.LLM != nil {
		values = append(values, [2]any{"LLM_SOCKET", m.LLM.Socket}, [2]any{"LLM_MODEL", m.LLM.Model})
	}
	for _, v := range values {
		if v[1] == int64(0) {
			v[1] = ""
		}
		env = append(env, fmt.Sprintf("LISA_BENCH_%s=%v", v[0], v[1]))
	}
	return env
}
