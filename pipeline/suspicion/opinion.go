package suspicion

import (
	"embed"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// Stage is the stage in which second opinions are asked for; an experiment can give it a model of
// its own.
const Stage = "opinion"

//go:embed prompts/*.tmpl
var promptFiles embed.FS

// An API is what the documents of a library say of one function.
type API struct{ Name, Declaration, Doc string }

// page is what the prompt is filled with: documents and the outcome. The argument of the model
// that wrote the assertion is not part of it, nor are its comments.
type page struct {
	genloop.Page
	APIs               []API
	Sentence, Document string
	Source, Assertion  string
	Values             []string
}

var prompts = genloop.ParsePrompts(promptFiles)

// Messages is the prompt that asks for a second opinion on a suspicion with the documents of the
// functions that its program calls.
func (k *Keeper) Messages(s *trial.Suspicion, apis []API) ([]llm.Message, error) {
	of := slices.IndexFunc(k.kept, func(o *kept) bool { return o.ID == s.ID })
	return prompts.Messages(Stage, page{Page: genloop.PageOf(k.job.Target), APIs: apis, Sentence: s.Sentence, Document: s.Document,
		Source: uncommented(k.kept[of].program.Source), Assertion: s.Assertion, Values: s.Values})
}

// uncommented is a program without its comments, in which its author argues, and the lines that they
// leave empty.
func uncommented(source string) string {
	var kept []string
	for line := range strings.Lines(clex.WithoutComments(source)) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

var firstWord = regexp.MustCompile(`(?i)^\W*(upheld|contested)\b[\s:.,*—-]*`)

// ReadOpinion reads a second opinion from an answer: its first word says which. Any other
// answer leaves the suspicion unasked.
func ReadOpinion(a llm.Answer) (trial.Opinion, llm.Outcome) {
	if a.Outcome != llm.Answered {
		return trial.Opinion{Verdict: trial.Unasked, Why: "no answer: " + string(a.Outcome)}, a.Outcome
	}
	text := strings.TrimSpace(llm.Said(a.Text))
	m := firstWord.FindStringSubmatch(text)
	if m == nil {
		why := "the answer was neither upheld nor contested: " + llm.Shorten(oneLine(text), 200)
		return trial.Opinion{Verdict: trial.Unasked, Why: why}, llm.Prose
	}
	why := llm.Shorten(oneLine(text[len(m[0]):]), 600)
	return trial.Opinion{Verdict: trial.OpinionVerdict(strings.ToLower(m[1])), Why: why}, llm.Answered
}
