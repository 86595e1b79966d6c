package knowledge

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
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

// page is what the templates are filled with.
type page struct {
	Library, Description string
	API, Signature, Doc  string
	Macros               []string // through which programs call it
	Excerpts             []Excerpt
	Candidates           []string
}

// ask asks one question for each page, all at once. The answer to one that the budget does not allow is empty.
func (b *Builder) ask(ctx context.Context, stage string, pages []page) ([]string, error) {
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
	answers := make([]string, len(pages))
	for i, r := range b.Model.Round(ctx, requests) {
		if r.Err != nil && !errors.Is(r.Err, trial.ErrBudget) {
			return nil, r.Err
		}
		answers[i] = llm.Said(r.Answer.Text)
	}
	return answers, nil
}

// decodeList reads the JSON array of an answer, whatever stands around it.
func decodeList[T any](text string) ([]T, error) {
	open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	switch {
	case text == "":
		return nil, errors.New("the budget ended before the question")
	case open < 0 || end < open:
		return nil, errors.New("the answer has no JSON array")
	}
	var list []T
	if err := json.Unmarshal([]byte(text[open:end+1]), &list); err != nil {
		return nil, fmt.Errorf("the answer's JSON array cannot be read: %w", err)
	}
	return list, nil
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
	place, why := documents.Find(s.Passage)
	switch {
	case !slices.Contains(kinds, s.Kind):
		c.Kind, c.Reason = Documentation, fmt.Sprintf("kind %q is none of %s", s.Kind, join(kinds))
	case why != "":
		c.Reason = why
	default:
		c.Place, c.Status, c.Reason = place, Accepted, "the passage is in the document"
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
