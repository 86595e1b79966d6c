package invariant

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// The stages in which the tool asks a model beside those of the first stage; an experiment can
// give each its own settings.
const (
	stageInvariant = "invariant"
	stageRepair    = "invariant-repair"
)

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// page is what the templates are filled with. Not every template uses all of it.
type page struct {
	genloop.Page
	Whole bool // the chunk is the whole program

	Prefix, Chunk          string
	Signatures, Types      []string
	Observers              []string
	Observable, Rules      []string
	Known                  []knownAPI
	Survivors              string // mutants that the program reaches and no test kills
	Headers                []string
	Version, Failure, Text string // of a repair
	Values                 []string
	Assertion              string
	Nth                    int // of several assertions that are written alike, from 1; 0 if it is the only one
	Left                   int // repairs after this one
}

// A knownAPI is what a prompt tells of one API.
type knownAPI struct {
	Name, Doc string
	Contracts []knowledge.Contract
}

// A library is what prompts tell of the library under test.
type library struct {
	spec      *apispec.Spec
	functions map[string]*apispec.Function // by canonical name
	observers []*apispec.Function
	base      *knowledge.Base // empty if there is none
	documents bool            // show what documents say
	sources   []knowledge.Source
	raw       bool // show all that Daikon printed, and no other contract
}

func newLibrary(spec *apispec.Spec, base *knowledge.Base, from string) *library {
	l := &library{spec: spec, functions: map[string]*apispec.Function{}, observers: observers(spec), base: base}
	for _, f := range slices.Backward(spec.Functions) {
		l.functions[f.Canonical()] = f
	}
	switch from {
	case "all":
		l.documents, l.sources = true, knowledge.Sources
	case "documents":
		l.documents, l.sources = true, []knowledge.Source{knowledge.Doc, knowledge.Manual}
	case "daikon":
		l.raw = true
	case "daikon_judged":
		l.sources = []knowledge.Source{knowledge.Daikon}
	}
	return l
}

// Bounds of what a prompt shows: bytes of the comment of one API, contracts of one API, functions
// that assertions may call, mutants.
const (
	maxDocBytes  = 1500
	maxContracts = 40
	maxObservers = 40
	maxMutants   = 8
)

// known returns what is known of APIs.
func (l *library) known(apis []string) []knownAPI {
	var list []knownAPI
	for _, name := range apis {
		k := knownAPI{Name: name}
		if l.documents {
			k.Doc = l.doc(name)
		}
		k.Contracts = l.base.Accepted(name, l.sources...)
		if l.raw {
			k.Contracts = l.base.Printed(name)
		}
		slices.SortStableFunc(k.Contracts, func(a, b knowledge.Contract) int {
			return cmp.Compare(slices.Index(trust, a.Source), slices.Index(trust, b.Source))
		})
		k.Contracts = k.Contracts[:min(len(k.Contracts), maxContracts)]
		if k.Doc != "" || len(k.Contracts) > 0 {
			list = append(list, k)
		}
	}
	return list
}

// trust says whose contracts come first.
var trust = []knowledge.Source{knowledge.Manual, knowledge.Doc, knowledge.Daikon}

// doc is the comment of an API.
func (l *library) doc(name string) string {
	if f := l.functions[name]; f != nil {
		return llm.ShortenSentence(l.spec.DocOf(f), maxDocBytes)
	}
	return ""
}

// documented is what the library's documents say of APIs, whatever the variant's knowledge.
func (l *library) documented(names []string) []suspicion.API {
	var list []suspicion.API
	for _, name := range names {
		if f := l.functions[name]; f != nil {
			list = append(list, suspicion.API{Name: name, Declaration: f.Declaration(f.Name), Doc: l.doc(name)})
		}
	}
	return list
}

// observing returns the declarations of functions that assertions may call, those that share a
// type with the chunk's functions.
func (l *library) observing(apis []string) []string {
	wanted := map[string]bool{}
	for _, name := range apis {
		if f := l.functions[name]; f != nil {
			for _, t := range sequence.TypesOf(f) {
				wanted[t] = true
			}
		}
	}
	var list []string
	for _, f := range l.observers {
		types := sequence.TypesOf(f)
		shares := len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return wanted[t] })
		if shares && len(list) < maxObservers {
			list = append(list, f.Declaration(f.Name))
		}
	}
	return list
}

// page asks for the next chunk of a program, or for a repair of it.
func (s *stage) page(it *item) page {
	p := it.Data
	c := p.chunk()
	g := page{
		Page: genloop.PageOf(s.job.Target), Whole: c.marker == "", Headers: included,
		Prefix: strings.TrimRight(p.prefix(), "\n"), Chunk: strings.TrimRight(c.raw, "\n"),
		Known: s.lib.known(c.apis), Observers: s.lib.observing(c.apis), Observable: p.observables(), Rules: rules,
	}
	g.Signatures, g.Types = sequence.Describe(s.job.Target, s.lib.spec, c.apis, s.lib.documents)
	a := p.last
	if a == nil {
		if len(p.reached) > 0 {
			g.Survivors = s.survivors.Text(survivors.Audience{APIs: c.apis, Among: p.reached, Most: maxMutants})
		}
		return g
	}
	g.Version, g.Failure, g.Text = strings.TrimRight(a.text, "\n"), a.failure.kind, a.failure.text
	g.Values, g.Left = s.shownValues(a.failure), s.options.Attempts-it.Repairs
	if a.failure.assertion != nil {
		g.Assertion, g.Nth = a.failure.assertion.condition, a.nth()
	}
	return g
}

// nth is the number of the failing assertion among those of its chunk that are written alike; 0 if it
// is the only one.
func (a *attempt) nth() int {
	n, all := 0, 0
	from := len(a.program.prefix())
	for _, other := range a.assertions {
		if from <= other.begin && other.begin < from+len(a.text) && other.condition == a.failure.assertion.condition {
			all++
			if other.begin <= a.failure.assertion.begin {
				n++
			}
		}
	}
	if all < 2 {
		return 0
	}
	return n
}
