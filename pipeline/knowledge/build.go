package knowledge

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// The stages in which a model is asked.
const (
	stageContracts = "knowledge-contracts"
	stageJudge     = "knowledge-judge"
)

// Stages returns them all.
func Stages() []string { return []string{stageContracts, stageJudge} }

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// Bounds of one prompt: bytes of the documents, and candidates; a later build goes on with the rest.
const (
	maxExcerptBytes = 6000
	maxJudged       = 60
)

// A Builder adds contracts to a base.
type Builder struct {
	Target trial.Target
	Spec   *apispec.Spec
	Model  *llm.Session   // nil: no model is asked, and what it would decide stays open
	Exec   trial.Executor // runs programs on the reference build
	Log    *slog.Logger
}

// APIs returns the canonical names of the library's functions, or those chosen of them. The error is
// a *lisabench.UnknownError.
func (b *Builder) APIs(chosen []string) ([]string, error) {
	var names []string
	for _, fn := range b.Spec.APIs(b.Target.ExcludedAPIs) {
		names = append(names, fn.Canonical())
	}
	for _, api := range chosen {
		if !slices.Contains(names, api) {
			return nil, lisabench.NewUnknownError("function", api, names)
		}
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	return names, nil
}

// Build adds contracts to a library's file: those that the documents promise of APIs, by their canonical names, and
// those observed in programs, judged by the model. It creates the file if needed and returns its contents. What was
// found before an error is kept.
func (b *Builder) Build(ctx context.Context, file string, apis []string, programs []trial.Program) (*Base, error) {
	base, err := Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = &Base{Library: b.Target.Library}, nil
	}
	if err != nil {
		return nil, err
	}
	documents, err := ReadDocuments(b.Target)
	if err != nil {
		return nil, err
	}
	if len(apis) > 0 {
		err = errors.Join(b.state(ctx, base, documents, apis), base.Save(file))
	}
	if err == nil && len(programs) > 0 {
		if err = b.observe(ctx, base, programs); err == nil && b.Model != nil {
			err = b.judge(ctx, base, documents)
		}
		err = errors.Join(err, base.Save(file))
	}
	return base, err
}

// state asks the model for the contracts of APIs and keeps those whose passage is in the documents; the others are
// kept as rejected.
func (b *Builder) state(ctx context.Context, base *Base, documents Documents, apis []string) error {
	if b.Model == nil {
		return errors.New("contracts from documents need a model")
	}
	var pages []page
	for _, name := range apis {
		if p, ok := b.page(name, documents); ok {
			pages = append(pages, p)
		}
	}
	answers, err := ask[statement](ctx, b, stageContracts, pages)
	for i, list := range answers {
		for _, s := range list {
			if c := s.contract(documents); c.Text != "" || c.Shape != "" {
				base.add(pages[i].API, c)
			}
		}
	}
	return err
}

// observe runs programs on the reference build and mines half of what they do. It keeps each candidate, and rejects
// what does not also hold in the other half.
func (b *Builder) observe(ctx context.Context, base *Base, programs []trial.Program) error {
	list := probes(b.Spec, b.Target)
	if len(list) == 0 {
		b.Log.Warn("calls are not observed: no wrapper can stand in for the functions of this library")
		return nil
	}
	halves, err := b.trace(ctx, list, programs)
	for i, p := range list {
		for _, v := range mine(tableOf(p, halves[0][i])) {
			c := v.candidate(tableOf(p, halves[1][i]))
			c.Place = p.place()
			base.add(p.Canonical(), c)
		}
	}
	return err
}

// judge asks the model about the open candidates of each API.
func (b *Builder) judge(ctx context.Context, base *Base, documents Documents) error {
	var pages []page
	var open [][]*Contract
	for _, api := range base.APIs {
		p, ok := b.page(api.Name, documents)
		var list []*Contract
		for i := range api.Contracts {
			c := &api.Contracts[i]
			undecided := c.Source == Daikon && c.Status == Open && c.By != byHand && c.Reason != unchecked
			if undecided && len(list) < maxJudged {
				list = append(list, c)
				p.Candidates = append(p.Candidates, fmt.Sprintf("%d. %s", len(list), c.Shape))
			}
		}
		if ok && len(list) > 0 {
			pages, open = append(pages, p), append(open, list)
		}
	}
	answers, err := ask[judgement](ctx, b, stageJudge, pages)
	for i, list := range answers {
		for n, c := range open[i] {
			if k := slices.IndexFunc(list, func(j judgement) bool { return j.Number == n+1 }); k >= 0 {
				list[k].apply(c)
			}
		}
	}
	return err
}

// page is what the templates are filled with.
type page struct {
	Library, Description string
	API, Signature, Doc  string
	Macros               []string // through which programs call it
	Excerpts             []Excerpt
	Candidates           []string
}

// page is what prompts show of an API; ok is false if the library has none of that name.
func (b *Builder) page(name string, documents Documents) (page, bool) {
	i := slices.IndexFunc(b.Spec.Functions, func(f *apispec.Function) bool { return f.Canonical() == name })
	if i < 0 {
		return page{}, false
	}
	f := b.Spec.Functions[i]
	names := append([]string{f.Name}, b.Spec.CalledThrough(f)...)
	var params []string
	for _, q := range f.Params {
		params = append(params, q.Type.Declare(q.Name))
	}
	if f.Variadic {
		params = append(params, "...")
	}
	return page{
		Library: b.Target.Library, Description: b.Target.Description, API: name,
		Signature: f.Result.Declare(f.Name + "(" + strings.Join(params, ", ") + ")"),
		Macros:    names[1:], Doc: b.Spec.DocOf(f), Excerpts: documents.Excerpts(maxExcerptBytes, names),
	}, true
}

// ask asks one question for each page, all at once, and returns the JSON array of each answer, whatever stands around
// it; nil for one that has none, and for a question that the budget did not allow.
func ask[T any](ctx context.Context, b *Builder, stage string, pages []page) ([][]T, error) {
	requests := make([]llm.Request, len(pages))
	for i, p := range pages {
		messages, err := prompts.Messages(stage, p)
		if err != nil {
			return nil, err
		}
		r := b.Model.Request(stage, messages...)
		r.ID = fmt.Sprintf("%s-%04d-%s-%.6s", stage, i+1, p.API, r.Key()) // a later build may ask otherwise
		requests[i] = r
	}
	lists := make([][]T, len(pages))
	for i, r := range b.Model.Round(ctx, requests) {
		if r.Err != nil && !errors.Is(r.Err, trial.ErrBudget) {
			return nil, r.Err
		}
		text := llm.Said(r.Answer.Text)
		open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
		if err := json.Unmarshal([]byte(text[max(open, 0):max(open, end)+1]), &lists[i]); err != nil {
			b.Log.Warn("the answer has no JSON array that can be read", "stage", stage, "api", pages[i].API, "reason", err)
			lists[i] = nil
		}
	}
	return lists, nil
}

// A statement is one contract as a model states it.
type statement struct {
	Kind    Kind   `json:"kind"`
	Text    string `json:"text"`
	Shape   string `json:"shape"`
	Passage string `json:"passage"`
}

// contract judges a statement by its passage.
func (s statement) contract(documents Documents) Contract {
	c := Contract{
		Kind: s.Kind, Text: oneLine(s.Text), Shape: oneLine(s.Shape), Source: Doc, Passage: oneLine(s.Passage),
		Status: Rejected, By: byProgram,
	}
	c.Place, c.Reason = documents.Find(s.Passage)
	if why := unknownWord("kind", s.Kind, kinds); why != "" {
		c.Kind, c.Place, c.Reason = Documentation, "", why
	} else if c.Reason == "" {
		c.Status, c.Reason = Accepted, "the passage is in the document"
	}
	return c
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// A judgement is a model's on one candidate.
type judgement struct {
	Number  int    `json:"n"`
	Verdict string `json:"verdict"` // consistent, contradicts or accidental
	Reason  string `json:"reason"`
}

// apply decides an open contract.
func (j judgement) apply(c *Contract) {
	c.By, c.Reason = byModel, oneLine(j.Verdict+": "+j.Reason)
	switch j.Verdict {
	case "consistent":
		c.Status = Accepted
	case "contradicts", "accidental":
		c.Status = Rejected
	default:
		c.Reason = fmt.Sprintf("the model's verdict %q is none of consistent, contradicts, accidental", j.Verdict)
	}
}
