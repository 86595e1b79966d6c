package citywalk

import (
	"embed"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// The stages in which the tool asks a model; an experiment can give each its own settings.
const (
	stageTest = "citywalk"
	stageFix  = "citywalk-fix"
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
	target   trial.Target
	options  options
	project  *project
	config   configuration
	focals   []*focal  // that are asked for
	known    []*focal  // all, in the order of the headers
	passages []passage // of the documents
	index    *lexicon  // of passages
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
		p.Documents, p.Usages = w.documents(f), w.project.usages(f)
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

// maxMakers bounds the functions that make or release what a function takes.
const maxMakers = 24

// documentation is the comment of the definition and, if it says something else, that of the
// declaration or of the block of declarations: users read the header.
func (f *focal) documentation() string {
	public := f.spec.Doc
	if public == "" {
		public = f.spec.BlockDoc
	}
	if own := f.chunk.Doc; own != "" && strings.Join(strings.Fields(own), " ") != strings.Join(strings.Fields(public), " ") {
		return strings.TrimSpace(own + "\n" + public)
	}
	return public
}

// signature is a declaration as a prompt shows it; that of a template is as it is written.
func signature(f *focal) string {
	switch {
	case f.spec.Template:
		return f.declaration()
	case f.spec.Class != "":
		return withDefaults(f, f.spec.Declaration(lastPart(f.spec.Name)))
	}
	return withDefaults(f, f.spec.Declaration(f.spec.Name))
}

// omitted is how apispec shows a default argument.
const omitted = " = …"

// withDefaults puts the default arguments into a signature, as the header has them.
func withDefaults(f *focal, signature string) string {
	for _, param := range f.spec.Params {
		if param.Optional && param.Default == "" {
			break // those behind it are not told apart
		}
		if param.Optional {
			signature = strings.Replace(signature, omitted, " = "+param.Default, 1)
		}
	}
	return signature
}

// siblings are the signatures of the other methods of the class with its operators. In C they are those of the
// other functions of the file that a test can call, which are the public ones.
func (w *workbook) siblings(f *focal) []string {
	var list []string
	add := func(s string) {
		if !slices.Contains(list, s) && len(list) < maxSignatures {
			list = append(list, s)
		}
	}
	for _, other := range w.known {
		if other.spec != f.spec && other.owner() == f.owner() && (other.spec.Class != "" || other.File == f.File) {
			add(signature(other))
		}
	}
	for _, s := range w.project.operators(f) {
		add(s)
	}
	return list
}

// member matches a label of a class or the head of an operator, and what follows it up to the body.
var member = regexp.MustCompile(`(?m)^[ \t]*(?:(public|protected|private)[ \t]*:|` +
	`((?:[\w:<>,&*~]+[ \t&*]+)*operator\b[ \t]*(?:\(\)|[^\s(]+|[\w: ]+)[ \t]*\([^(){};]*\)(?:[ \t]*const\b)?)([^;{}]*)[;{])`)

// operators are the public operators and conversions of the function's class, which programs call without
// naming them, as the class has them.
func (p *project) operators(f *focal) []string {
	var list []string
	for _, c := range p.defs[lastPart(f.spec.Class)] {
		if !c.Type || c.Qual != f.spec.Class {
			continue
		}
		access := "private"
		if strings.HasPrefix(c.Text, "struct") {
			access = "public"
		}
		for _, m := range member.FindAllStringSubmatch(c.Text, -1) {
			if m[1] != "" {
				access = m[1]
			} else if access == "public" && !strings.Contains(m[3], "delete") {
				list = append(list, strings.Join(strings.Fields(m[2]), " ")+";")
			}
		}
	}
	return list
}

// makers are the public functions of other files that return, or take and return nothing, the types
// that a C function works on. They stand for what the constructors and the destructor are among a class's methods.
func (w *workbook) makers(f *focal) []string {
	if f.spec.Class != "" {
		return nil
	}
	types := pointedTo(f.spec.Result)
	for _, param := range f.spec.Params {
		types = append(types, pointedTo(param.Type)...)
	}
	var list []string
	for _, other := range w.known {
		s := other.spec
		if s.Class != "" || other.File == f.File || len(list) == maxMakers {
			continue
		}
		made := pointedTo(s.Result)
		if s.Result != nil && s.Result.Kind == apispec.Void && len(s.Params) == 1 {
			made = pointedTo(s.Params[0].Type)
		}
		if slices.ContainsFunc(made, func(name string) bool { return slices.Contains(types, name) }) {
			list = append(list, signature(other))
		}
	}
	return list
}

// pointedTo is the name of the structure that a type points to, if it does.
func pointedTo(t *apispec.Type) []string {
	if t == nil || t.Kind != apispec.Pointer || t.Elem == nil {
		return nil
	}
	if k := t.Elem.Kind; k != apispec.Record && k != apispec.Union {
		return nil
	}
	return []string{t.Elem.Name}
}
