package genloop

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"text/template"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Prompts are templates: system.tmpl, which begins each conversation if there is one, and one for
// each kind of question.
type Prompts struct{ templates *template.Template }

// ParsePrompts reads the files prompts/*.tmpl. In them, indent moves a text four columns to the
// right. It panics on what is no template: the files are embedded.
func ParsePrompts(files fs.FS) Prompts {
	t := template.New("").Funcs(template.FuncMap{"indent": indent})
	return Prompts{template.Must(t.ParseFS(files, "prompts/*.tmpl"))}
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// Messages fills system.tmpl and name.tmpl with a page.
func (p Prompts) Messages(name string, page any) (list []llm.Message, err error) {
	for _, m := range []struct{ role, file string }{{"system", "system.tmpl"}, {"user", name + ".tmpl"}} {
		if m.role == "system" && p.templates.Lookup(m.file) == nil {
			continue
		}
		var text strings.Builder
		if err := p.templates.ExecuteTemplate(&text, m.file, page); err != nil {
			return nil, err
		}
		list = append(list, llm.Message{Role: m.role, Content: text.String()})
	}
	return list, nil
}

// A Page is what every prompt may tell of the library under test. A generator's own page embeds
// it.
type Page struct {
	Library, Description string
	LanguageName, Fence  string // C or C++; what a block of code in it begins with
	CXX                  bool
}

// PageOf returns the page of a library.
func PageOf(t trial.Target) Page {
	p := Page{Library: t.Library, Description: t.Description, LanguageName: "C", Fence: "c"}
	if t.Language == trial.CXX {
		p.LanguageName, p.Fence, p.CXX = "C++", "cpp", true
	}
	return p
}

// Session opens the job's session with a model for generate, and closes it. If neither generate nor the budget
// has come to an end, a later session can continue it. config is what requests depend on besides the models'
// settings, such as job.Identity. Trouble with the model makes the cell incomplete.
func Session(
	ctx context.Context, models *llm.Models, job trial.Job, config map[string]string,
	generate func(*llm.Session) (trial.StopReason, error),
) (trial.StopReason, error) {
	model, err := models.Session(job.Models.Cell, llm.SessionOptions{
		Transcript: job.Models.Transcript, Config: config, Model: job.Models.Model, Ledger: job.Ledger, Fresh: job.Models.Fresh,
	})
	if err != nil {
		return "", err
	}
	stop, err := generate(model)
	if err != nil && !errors.Is(err, trial.ErrBudget) && !errors.Is(context.Cause(ctx), trial.ErrBudget) {
		return stop, errors.Join(llm.Incomplete(err), model.Close())
	}
	return stop, errors.Join(err, model.Finish())
}
