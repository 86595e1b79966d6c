package invariant

import (
	"cmp"
	"embed"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
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
	observers []*apispec.Function
	base      *knowledge.Base // nil if there is none
	documents bool            // show what documents say
	sources   []knowledge.Source
	raw       bool // show all that Daikon printed, and no other contract
}

func newLibrary(t trial.Target, spec *apispec.Spec, base *knowledge.Base, from string) *library {
	l := &library{spec: spec, observers: observers(spec), base: base}
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

// maxDocBytes bounds the comment of one API in a prompt.
const maxDocBytes = 1500

// known returns what is known of APIs.
func (l *library) known(apis []string) []knownAPI {
	var list []knownAPI
	for _, name := range apis {
		k := knownAPI{Name: name}
		if l.documents {
			k.Doc = llm.ShortenSentence(l.doc(name), maxDocBytes)
		}
		switch {
		case l.base == nil:
		case l.raw:
			k.Contracts = mostTrusted(l.base.Printed(name))
		default:
			k.Contracts = mostTrusted(l.base.Accepted(name, l.sources...))
		}
		if k.Doc != "" || len(k.Contracts) > 0 {
			list = append(list, k)
		}
	}
	return list
}

// maxContracts bounds the contracts of one API in a prompt.
const maxContracts = 40

// mostTrusted keeps the contracts that a prompt has room for, those of Daikon last.
func mostTrusted(list []knowledge.Contract) []knowledge.Contract {
	slices.SortStableFunc(list, func(a, b knowledge.Contract) int {
		return cmp.Compare(trust[a.Source], trust[b.Source])
	})
	return list[:min(len(list), maxContracts)]
}

var trust = map[knowledge.Source]int{knowledge.Manual: 0, knowledge.Doc: 1, knowledge.Daikon: 2}

// doc is the comment of an API.
func (l *library) doc(name string) string {
	for _, f := range l.spec.Functions {
		if f.Canonical() == name {
			return l.spec.DocOf(f)
		}
	}
	return ""
}

// contract returns the contract of that id, or nil.
func (l *library) contract(id string) *knowledge.Contract {
	if l.base == nil || id == "" {
		return nil
	}
	return l.base.Contract(id)
}

// sourceOf names the source of the contract that an assertion cites.
func (l *library) sourceOf(id string) string {
	if c := l.contract(id); c != nil {
		return string(c.Source)
	}
	return "none cited"
}

// maxObservers bounds the functions that a prompt offers to assertions.
const maxObservers = 40

// observing returns the declarations of functions that assertions may call, those that share a
// type with the chunk's functions.
func (l *library) observing(apis []string) []string {
	wanted := map[string]bool{}
	for _, f := range l.spec.Functions {
		if slices.Contains(apis, f.Canonical()) {
			for _, t := range sequence.TypesOf(f) {
				wanted[t] = true
			}
		}
	}
	var list []string
	for _, f := range l.observers {
		types := sequence.TypesOf(f)
		if len(list) < maxObservers && (len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return wanted[t] })) {
			list = append(list, f.Declaration(f.Name))
		}
	}
	return list
}

// maxMutants bounds the mutants in one prompt.
const maxMutants = 8

// page asks for the next chunk of a program, or for a repair of it.
func (s *stage) page(it *item) page {
	p := it.Data
	c := p.chunk()
	g := page{Page: genloop.PageOf(s.job.Target), Whole: c.marker == "",
		Prefix: strings.TrimRight(p.prefix(), "\n"), Chunk: strings.TrimRight(c.raw, "\n"), Headers: included,
		Known: s.lib.known(c.apis), Observers: s.lib.observing(c.apis), Observable: p.observables()}
	for _, r := range rules {
		g.Rules = append(g.Rules, r.text)
	}
	g.Signatures, g.Types = sequence.Describe(s.job.Target, s.lib.spec, c.apis, s.lib.documents)
	if p.last == nil && len(p.reached) > 0 {
		g.Survivors = s.survivors.Text(survivors.Audience{APIs: c.apis, Among: p.reached, Most: maxMutants})
	}
	if a := p.last; a != nil {
		g.Version, g.Failure, g.Text, g.Values = strings.TrimRight(a.text, "\n"), a.failure.kind, a.failure.text, s.shownValues(a.failure)
		g.Left = s.options.Attempts - it.Repairs
		if a.failure.assertion != nil {
			g.Assertion, g.Nth = a.failure.assertion.condition, a.nth()
		}
	}
	return g
}

// nth is the number of the failing assertion among those of its chunk that are written alike; 0 if it
// is the only one.
func (a *attempt) nth() int {
	n, all := 0, 0
	from := len(a.program.prefix())
	for _, other := range a.version.assertions {
		if other.begin < from || other.begin >= from+len(a.text) || other.condition != a.failure.assertion.condition {
			continue
		}
		if all++; other.begin <= a.failure.assertion.begin {
			n++
		}
	}
	if all < 2 {
		return 0
	}
	return n
}
