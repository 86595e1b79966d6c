package sequence

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The stages in which the tool asks a model; an experiment can give each its own settings.
const (
	StageSequence = "sequence"
	StageRepair   = "sequence-repair"
	StageRule     = "sequence-rule"
)

// function is the name of the test function that every prompt asks for.
const function = "test_sequence"

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = template.Must(template.New("").Funcs(template.FuncMap{"indent": indent}).ParseFS(promptFiles, "prompts/*.tmpl"))

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// page is what the templates are filled with. Not every template uses all of it.
type page struct {
	Library, Description, LanguageName, Fence, Function string

	CXX         bool
	Headers     []string
	Signatures  []string
	Types       []string
	Rules       []string
	Combination []entry
	Examples    []string

	Program, Kind, Code, Text string    // of a repair
	Signature                 string    // of a rule's error
	Failures                  []failure // of a rule
}

func (s *session) page() page {
	t := s.job.Target
	p := page{Library: t.Library, Description: t.Description, LanguageName: "C", Fence: "c", Function: function}
	if t.Language == trial.CXX {
		p.LanguageName, p.Fence, p.CXX = "C++", "cpp", true
	}
	return p
}

// messages fills a template.
func (s *session) messages(name string, p page) ([]llm.Message, error) {
	var system, user strings.Builder
	if err := prompts.ExecuteTemplate(&system, "system.tmpl", p); err != nil {
		return nil, err
	}
	if err := prompts.ExecuteTemplate(&user, name+".tmpl", p); err != nil {
		return nil, err
	}
	return []llm.Message{{Role: "system", Content: system.String()}, {Role: "user", Content: user.String()}}, nil
}

// sequencePrompt asks for programs that call a combination of APIs.
func (s *session) sequencePrompt(combination []string) ([]llm.Message, error) {
	p := s.page()
	p.Combination = s.lib.entries(combination)
	p.Signatures = s.lib.signatures(combination)
	if s.vanilla {
		p.Headers = s.job.Target.Headers
		return s.messages("vanilla", p)
	}
	p.Types = s.lib.types(combination)
	if s.options.Rules { // without them the prompt has no headers either (paper, "w/o Rules")
		p.Headers, p.Rules = s.job.Target.Headers, s.rules.texts()
	}
	if s.options.Examples {
		p.Examples = s.examples
	}
	return s.messages("sequence", p)
}

// repairPrompt asks for a corrected version of a program.
func (s *session) repairPrompt(d *draft) ([]llm.Message, error) {
	p := s.page()
	p.Program, p.Kind, p.Code, p.Text = strings.TrimRight(d.source, "\n"), d.error.kind, d.error.code, d.error.text
	p.Signatures = s.lib.signatures(s.combinations[d.round])
	if s.options.Rules {
		p.Headers, p.Rules = s.job.Target.Headers, s.rules.texts()
	}
	return s.messages("repair", p)
}

// rulePrompt asks for a rule about an error that came back.
func (s *session) rulePrompt(e *recurring) ([]llm.Message, error) {
	p := s.page()
	p.Signature, p.Failures = e.signature, e.failures
	return s.messages("rule", p)
}

// requestID names a request in the transcript, so that its lines sort in the order of asking.
func requestID(round int, part string, n int) string {
	return fmt.Sprintf("r%04d-%s%02d", round, part, n+1)
}
