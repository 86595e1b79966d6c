package citywalk

import (
	"embed"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// The stages in which the tool asks a model; an experiment can give each its own settings. The
// last is asked only if it has a model of its own.
const (
	stageTest      = "citywalk"
	stageFix       = "citywalk-fix"
	stageEmbedding = "citywalk" + llm.EmbeddingSuffix
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// page is what the templates are filled with. Not every template uses all of it.
type page struct {
	genloop.Page
	options       // the parts that the prompt has
	configuration // if it is one of them

	Headers                                        []string
	Name, Short, File, Class, Signature, Doc, Text string
	Namespaces, Siblings, Makers                   []string
	Includes                                       []includeGroup
	Dependencies                                   []dependency
	Documents                                      []passage
	Usages                                         []usage

	Program, Errors string // of a fix
}

// An includeGroup are the includes of one kind.
type includeGroup struct {
	Kind  string
	Names []string
}

// A workbook is what prompts are made of.
type workbook struct {
	target  trial.Target
	options options
	project *project
	config  configuration
	focals  []*focal // that are asked for
	known   []*focal // all, in the order of the headers
	intents *retriever
}

func (w *workbook) page(f *focal) page {
	return page{Page: genloop.PageOf(w.target), Headers: w.target.Headers, Name: f.name, Short: f.short}
}

// testPage asks for the test file of a function (paper, figure 5: one combined prompt).
func (w *workbook) testPage(f *focal) page {
	p, o := w.page(f), w.options
	if p.options = o; o.Configuration {
		p.configuration = w.config
		p.GoogleTest = w.googleTest()
	}
	p.File, p.Class, p.Signature, p.Doc = f.File, f.spec.Class, signature(f), f.documentation()
	p.Text = llm.Shorten(f.Text, maxFocal)
	p.Namespaces, p.Siblings = namespaces(f.spec, w.target.Language), w.siblings(f)
	p.Includes = w.includeGroups(f)
	if o.CrossFile {
		p.Makers, p.Dependencies = w.makers(f), w.project.dependencies(f)
	}
	if o.Intentions {
		p.Documents, p.Usages = w.intents.documents(f), w.project.usages(f)
	}
	return p
}

// includeGroups sorts the includes of the focal file: standard, third-party and the user's own.
func (w *workbook) includeGroups(f *focal) []includeGroup {
	groups := []includeGroup{{Kind: "Standard"}, {Kind: "Third-party"}, {Kind: "Project"}}
	for _, in := range w.project.includes(f.File) {
		kind := 1
		switch {
		case in.File != "" || in.Quoted && !strings.Contains(in.Text, "/"):
			kind = 2
		case standardHeader(in.Text):
			kind = 0
		}
		groups[kind].Names = append(groups[kind].Names, in.Text)
	}
	return slices.DeleteFunc(groups, func(g includeGroup) bool { return len(g.Names) == 0 })
}

// maxErrors bounds the compiler's text in a request for a fix.
const maxErrors = 6000

// fixPage asks for a corrected version of a test file that does not compile.
func (w *workbook) fixPage(it *item) page {
	p := w.page(it.Data.focal)
	p.Program, p.Errors = strings.TrimRight(it.Source, "\n"), strings.TrimRight(llm.Shorten(it.Data.diagnostic, maxErrors), "\n")
	return p
}
