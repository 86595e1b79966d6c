package property

import (
	"embed"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// The stages in which the tool asks a model; an experiment can give each its own settings.
const (
	stageTest   = "property"
	stageRepair = "property-repair"
	stageJudge  = "property-judge"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// Limits of what one prompt shows of a library, so that prompts for a large one stay of a size
// that every model reads well.
const (
	maxDocBytes      = 4000 // of one function's comment
	leastDocBytes    = 400
	maxDocsBytes     = 24000 // of those of all functions of a family
	maxExcerptsBytes = 24000
	maxHeaderBytes   = 10000 // of these from headers
	maxOthers        = 100   // functions
	maxDone          = 60    // properties
)

// page is what the templates are filled with. Not every template uses all of it.
type page struct {
	genloop.Page
	Aspect, AspectTask string
	Again              bool

	Headers, Rules []string
	Functions      []function
	Types, Others  []string
	Excerpts       []knowledge.Excerpt

	Done     []string
	Feedback []section

	Program  string    // of a repair
	Failures []section // of a repair
}

type function struct{ Declaration, Doc string }

// A section of a prompt.
type section struct{ Title, Text string }

// A library is what prompts tell of the library under test.
type library struct {
	target    trial.Target
	spec      *apispec.Spec
	apis      []*apispec.Function
	documents knowledge.Documents
}

func newLibrary(t trial.Target, spec *apispec.Spec) (*library, error) {
	documents, err := knowledge.ReadDocuments(t)
	if err != nil {
		return nil, err
	}
	return &library{target: t, spec: spec, apis: spec.APIs(t.ExcludedAPIs), documents: documents}, nil
}

// page shows a task's family.
func (l *library) page(p *plan, t task) page {
	g := page{
		Page: genloop.PageOf(l.target), Headers: l.target.Headers,
		Aspect: t.aspect.name, AspectTask: t.aspect.task, Again: t.again > 0,
	}
	for _, r := range l.target.Rules {
		g.Rules = append(g.Rules, strings.Join(strings.Fields(r.Text), " "))
	}
	var names []string
	var searched [][]string
	for _, f := range t.family.apis {
		names = append(names, f.Canonical())
		searched = append(searched, append([]string{f.Name}, l.spec.CalledThrough(f)...))
	}
	declarations, types := sequence.Describe(l.target, l.spec, names, true)
	g.Types = types
	share := maxDocsBytes / len(names)
	for i, f := range t.family.apis {
		doc := llm.Shorten(l.spec.DocOf(f), min(maxDocBytes, max(share, leastDocBytes)))
		g.Functions = append(g.Functions, function{declarations[i], doc})
	}
	// Manuals first: what headers say of the functions themselves is shown with them.
	g.Excerpts = l.documents.Headers(false).Excerpts(maxExcerptsBytes, searched...)
	left := maxExcerptsBytes
	for _, e := range g.Excerpts {
		left -= len(e.Text)
	}
	g.Excerpts = append(g.Excerpts, l.documents.Headers(true).Excerpts(min(left, maxHeaderBytes), searched...)...)
	var others []string
	for _, f := range p.others(t.family, l.apis) {
		others = append(others, f.Canonical())
	}
	g.Others, _ = sequence.Describe(l.target, l.spec, others[:min(len(others), maxOthers)], true)
	return g
}
