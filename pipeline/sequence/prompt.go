package sequence

import (
	"embed"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// The stages in which the tool asks a model; an experiment can give each its own settings.
const (
	stageSequence = "sequence"
	stageRepair   = "sequence-repair"
	stageRule     = "sequence-rule"
)

// function is the name of the test function that every prompt asks for.
const function = "test_sequence"

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// page is what the templates are filled with. Not every template uses all of it.
type page struct {
	genloop.Page
	Function string

	Headers     []string
	Signatures  []string
	Types       []string
	Rules       []string
	Checked     []string // what is refused: straightline.Rules
	Combination []entry
	Angle       string // in which the program is to differ from the others of its round; "" for no others
	Of          int    // programs of the round
	Examples    []string

	Program, Kind, Code, Text string    // of a repair
	Signature                 string    // of a rule's error
	Failures                  []failure // of a rule
}

func (p *policy) page() page {
	g := page{Page: genloop.PageOf(p.job.Target), Function: function}
	for _, r := range straightline.Rules {
		g.Checked = append(g.Checked, r.Text)
	}
	return g
}

// sequencePage asks for programs that call the round's combination of APIs.
func (p *policy) sequencePage() (prompt string, g page) {
	g = p.page()
	g.Combination, g.Signatures = p.lib.entries(p.combination), p.lib.signatures(p.combination)
	if p.vanilla {
		g.Headers = p.job.Target.Headers
		return "vanilla", g
	}
	g.Types = p.lib.types(p.combination, true)
	p.showRules(&g)
	if p.options.Examples {
		g.Examples = p.examples
	}
	return "sequence", g
}

// angles are how the programs for one combination are to differ, in turn.
var angles = []string{
	"the ordinary use, with data of some size",
	"boundary values: empty, zero, one, the largest that is allowed",
	"many calls on one object, whose state changes between them",
	"several objects at once, and what one does to another",
	"what the library refuses: inputs that it documents as errors, without breaking its rules of use",
}

// repairPage asks for a corrected version of a program.
func (p *policy) repairPage(it *item) page {
	g, e := p.page(), it.Data.error
	g.Program, g.Kind, g.Code, g.Text = strings.TrimRight(it.Source, "\n"), e.kind, e.code, e.text
	g.Signatures = p.lib.signatures(it.Data.combination)
	p.showRules(&g)
	return g
}

// rulePage asks for a rule about an error that came back.
func (p *policy) rulePage(e *recurring) page {
	g := p.page()
	g.Signature, g.Failures = e.signature, e.failures
	return g
}

// showRules puts the project rules into a page, those given, then those mined: all of them, for a program
// calls more than the functions it is asked for. Without them it has no headers either (paper, "w/o Rules").
func (p *policy) showRules(g *page) {
	if !p.options.Rules {
		return
	}
	g.Headers = p.job.Target.Headers
	for _, r := range p.job.Target.Rules {
		g.Rules = append(g.Rules, oneLine(r.Text))
	}
	for _, r := range p.mined {
		g.Rules = append(g.Rules, r.Text)
	}
}
