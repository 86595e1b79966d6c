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
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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
	// Compiler reads programs in C++, whose calls cannot be observed without.
	Compiler *toolchain.Compiler
	Dir      string // for Daikon's files
	Log      *slog.Logger

	documents Documents
	traced    []*probe
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

// Build adds contracts to a library's file: those that the documents promise, and those observed in programs.
// It creates the file if needed and returns its contents. What was found before an error is kept.
func (b *Builder) Build(ctx context.Context, file string, apis []string, programs []trial.Program) (*Base, error) {
	base, err := Load(file)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = &Base{Library: b.Target.Library}, nil
	}
	if err != nil {
		return nil, err
	}
	if len(apis) > 0 {
		if err := errors.Join(b.askDocuments(ctx, base, apis), base.Save(file)); err != nil {
			return nil, err
		}
	}
	if len(programs) > 0 {
		if err := errors.Join(b.observe(ctx, base, programs), base.Save(file)); err != nil {
			return nil, err
		}
	}
	return base, nil
}

// askDocuments asks the model for the contracts of APIs, by their canonical names, and keeps those
// whose passage is in the documents; the others are kept as rejected.
func (b *Builder) askDocuments(ctx context.Context, base *Base, apis []string) error {
	if b.Model == nil {
		return errors.New("contracts from documents need a model")
	}
	if err := b.read(); err != nil {
		return err
	}
	var pages []page
	for _, name := range apis {
		if p, ok := b.page(name); ok {
			pages = append(pages, p)
		}
	}
	answers, ok, err := b.ask(ctx, stageContracts, pages)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if !ok[i] {
			b.Log.Warn("the budget ended before this API was asked for", "api", pages[i].API)
			continue
		}
		list, err := decodeList[statement](a.Text)
		if err != nil {
			b.Log.Warn("no contracts", "api", pages[i].API, "reason", err)
			continue
		}
		for _, s := range list {
			if c := contractOf(s, b.documents); c.Text != "" || c.Shape != "" {
				base.add(pages[i].API, c)
			}
		}
	}
	return nil
}

// read reads the documents once.
func (b *Builder) read() (err error) {
	if b.documents == nil {
		b.documents, err = ReadDocuments(b.Target)
	}
	return err
}

// maxExcerptBytes bounds what one prompt shows of the documents.
const maxExcerptBytes = 6000

// page is what prompts show of an API; ok is false if the library has none of that name.
func (b *Builder) page(name string) (page, bool) {
	for _, f := range b.Spec.Functions {
		if f.Canonical() != name {
			continue
		}
		names := append([]string{f.Name}, b.Spec.CalledThrough(f)...)
		p := page{Library: b.Target.Library, Description: b.Target.Description, API: name, Macros: names[1:], Doc: b.Spec.DocOf(f),
			Excerpts: b.documents.Excerpts(maxExcerptBytes, names)}
		var params []string
		for _, q := range f.Params {
			params = append(params, q.Type.Declare(q.Name))
		}
		if f.Variadic {
			params = append(params, "...")
		}
		p.Signature = f.Result.Declare(f.Name + "(" + strings.Join(params, ", ") + ")")
		return p, true
	}
	return page{}, false
}

// observe runs programs on the reference build and mines half of what they do. It keeps each candidate that
// also holds in the other half and that the model does not find in conflict with the documents. Programs that
// do not run to their end are left out.
func (b *Builder) observe(ctx context.Context, base *Base, programs []trial.Program) error {
	mine, held, err := b.trace(ctx, programs)
	if err != nil {
		return err
	}
	likely, place := mineTrace(mine), "built-in miner"
	if b.Jar != "" {
		place = "daikon.jar"
		if likely, err = runDaikon(ctx, b.Jar, b.Dir, mine); err != nil {
			return err
		}
	}
	for _, l := range likely {
		if strings.HasSuffix(l.Point, ":::ENTER") {
			continue // how these programs call a function is no promise of the function
		}
		c := Contract{Kind: l.kind(), Text: "after every call observed", Shape: l.String(), Source: Daikon, Place: l.Point + " (" + place + ")", By: "program"}
		checked, ok := l.holdsIn(held)
		switch {
		case l.Template == "":
			c.Status, c.Reason = Rejected, "it has a form that is not checked on the reference build"
		case l.Template == oneValue:
			c.Status, c.Reason = Rejected, "the identity of a pointer is no property"
		case !ok:
			c.Status, c.Reason = Rejected, "it fails in runs of the reference build that it was not mined from"
		case checked == 0:
			c.Status, c.Reason = Open, unchecked
		default:
			c.Status, c.Reason = Open, fmt.Sprintf("holds in %d other calls on the reference build; not judged by the documents yet", checked)
		}
		if api := b.canonical(l); api != "" {
			base.add(api, c)
		}
	}
	if b.Model == nil {
		return nil
	}
	return b.judge(ctx, base)
}

// unchecked is the reason of a candidate that stays open until there are more runs.
const unchecked = "no other run calls the function, so nothing says yet that it holds"

// canonical is the name under which a base has the function of an invariant.
func (b *Builder) canonical(l likely) string {
	point, _, _ := strings.Cut(l.Point, ":::")
	for _, p := range b.probes() {
		if name, _, _ := strings.Cut(p.enter.Name, ":::"); name == point {
			return p.Canonical()
		}
	}
	return ""
}

// probes are what is traced of the library.
func (b *Builder) probes() []*probe {
	if b.traced == nil && b.Target.Language == trial.CXX {
		b.traced = cxxProbes(b.Spec, b.Target.ExcludedAPIs)
	} else if b.traced == nil {
		b.traced = probes(b.Spec, b.Target.ExcludedAPIs)
	}
	return b.traced
}

// instrumented are programs that print a trace.
func (b *Builder) instrumented(ctx context.Context, programs []trial.Program) ([]trial.Program, error) {
	all := make([]trial.Program, len(programs))
	var texts []string
	if b.Target.Language == trial.CXX {
		var err error
		if texts, err = b.instrumentCXX(ctx, programs, b.probes()); err != nil {
			return nil, err
		}
	}
	for i, p := range programs {
		all[i] = trial.Program{ID: fmt.Sprintf("k%05d", i+1), Lang: p.Lang}
		if texts != nil {
			all[i].Source = texts[i]
		} else {
			all[i].Source = instrument(p.Source, b.probes(), b.Target.Headers)
		}
	}
	return all, nil
}

// trace runs instrumented programs, each with two fillings of memory, and deals their samples
// into two halves.
func (b *Builder) trace(ctx context.Context, programs []trial.Program) (mine, held *trace, err error) {
	list := b.probes()
	mine, held = &trace{}, &trace{}
	for _, p := range list {
		mine.Points, held.Points = append(mine.Points, p.enter, p.exit), append(held.Points, p.enter, p.exit)
	}
	instrumented, err := b.instrumented(ctx, programs)
	if err != nil {
		return nil, nil, err
	}
	var runs [2][]trial.Result
	for i, o := range []trial.ExecOptions{{Stdout: true}, {Stdout: true, Perturb: true}} {
		if runs[i], err = trial.Execute(ctx, b.Exec, instrumented, o); err != nil {
			return nil, nil, err
		}
	}
	nonce, good := 0, 0
	for i := range instrumented {
		if r := runs[0][i]; r.Outcome != trial.OK || runs[1][i].Outcome != trial.OK {
			b.Log.Debug("not observed", "program", programs[i].ID, "outcome", r.Outcome, "diagnostic", firstError(r.Diagnostic))
			continue
		}
		samples := agreeing(readSamples(runs[0][i].Stdout, list, nonce), readSamples(runs[1][i].Stdout, list, nonce))
		nonce += len(samples)
		to := mine
		if good++; good%2 == 0 {
			to = held
		}
		to.Samples = append(to.Samples, samples...)
	}
	b.Log.Info("observed", "programs", good, "of", len(programs), "samples", len(mine.Samples)+len(held.Samples))
	return mine, held, nil
}

// maxJudged bounds the candidates of one prompt; a later build goes on with the rest.
const maxJudged = 60

// judge asks the model about the open candidates of each API.
func (b *Builder) judge(ctx context.Context, base *Base) error {
	if err := b.read(); err != nil {
		return err
	}
	var pages []page
	var open [][]*Contract
	for i := range base.APIs {
		p, ok := b.page(base.APIs[i].Name)
		var list []*Contract
		for j := range base.APIs[i].Contracts {
			c := &base.APIs[i].Contracts[j]
			if len(list) < maxJudged && c.Source == Daikon && c.Status == Open && c.By != "manual" && c.Reason != unchecked {
				list = append(list, c)
				p.Candidates = append(p.Candidates, fmt.Sprintf("%d. %s", len(list), c.Shape))
			}
		}
		if ok && len(list) > 0 {
			pages, open = append(pages, p), append(open, list)
		}
	}
	answers, ok, err := b.ask(ctx, stageJudge, pages)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if !ok[i] {
			continue
		}
		list, err := decodeList[verdict](a.Text)
		if err != nil {
			b.Log.Warn("no verdicts", "api", pages[i].API, "reason", err)
			continue
		}
		for n, c := range open[i] {
			if k := slices.IndexFunc(list, func(v verdict) bool { return v.Number == n+1 }); k >= 0 {
				list[k].apply(c)
			}
		}
	}
	return nil
}

// Decide sets the status of a contract by hand; reason is needed.
func (b *Base) Decide(id string, status Status, reason string) error {
	c := b.Contract(id)
	switch {
	case c == nil:
		return fmt.Errorf("%s has no contract %s", b.Library, id)
	case strings.TrimSpace(reason) == "":
		return errors.New("a decision needs its reason")
	}
	c.Status, c.Reason, c.By = status, oneLine(reason), "manual"
	return nil
}

// firstError is the line of a compiler's words that says what is wrong.
func firstError(text string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "error: ") {
			return strings.TrimSpace(line)
		}
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}
