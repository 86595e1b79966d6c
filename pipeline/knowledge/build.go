package knowledge

import (
	"context"
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
)

// A Builder adds contracts to a base.
type Builder struct {
	Target trial.Target
	Spec   *apispec.Spec
	Model  *llm.Session   // nil: no model is asked, and what it would decide stays open
	Exec   trial.Executor // runs programs on the reference build
	Jar    string         // of Daikon; "" for the built-in miner
	Dir    string         // for Daikon's files
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
		if err := errors.Join(b.state(ctx, base, documents, apis), base.Save(file)); err != nil {
			return nil, err
		}
	}
	if len(programs) > 0 {
		err := b.observe(ctx, base, programs)
		if err == nil && b.Model != nil {
			err = b.judge(ctx, base, documents)
		}
		if err := errors.Join(err, base.Save(file)); err != nil {
			return nil, err
		}
	}
	return base, nil
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
	answers, err := b.ask(ctx, stageContracts, pages)
	if err != nil {
		return err
	}
	for i, a := range answers {
		list, err := decodeList[statement](a)
		if err != nil {
			b.Log.Warn("no contracts", "api", pages[i].API, "reason", err)
		}
		for _, s := range list {
			if c := s.contract(documents); c.Text != "" || c.Shape != "" {
				base.add(pages[i].API, c)
			}
		}
	}
	return nil
}

// maxJudged bounds the candidates of one prompt; a later build goes on with the rest.
const maxJudged = 60

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
	answers, err := b.ask(ctx, stageJudge, pages)
	if err != nil {
		return err
	}
	for i, a := range answers {
		list, err := decodeList[judgement](a)
		if err != nil {
			b.Log.Warn("no verdicts", "api", pages[i].API, "reason", err)
		}
		for n, c := range open[i] {
			if k := slices.IndexFunc(list, func(j judgement) bool { return j.Number == n+1 }); k >= 0 {
				list[k].apply(c)
			}
		}
	}
	return nil
}

// maxExcerptBytes bounds what one prompt shows of the documents.
const maxExcerptBytes = 6000

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
