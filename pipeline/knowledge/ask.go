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

// ask asks one question for each page, all at once. A page whose budget is used up has no
// answer; ok tells.
func (b *Builder) ask(ctx context.Context, stage string, pages []page) (answers []llm.Answer, ok []bool, err error) {
	requests := make([]llm.Request, len(pages))
	for i, p := range pages {
		messages, err := prompts.Messages(stage, p)
		if err != nil {
			return nil, nil, err
		}
		requests[i] = b.Model.Request(stage, messages...)
		requests[i].ID = fmt.Sprintf("%s-%04d-%s-%.6s", stage, i+1, p.API, requests[i].Key()) // a later build may ask otherwise
	}
	answers, ok = make([]llm.Answer, len(pages)), make([]bool, len(pages))
	for i, r := range b.Model.Round(ctx, requests) {
		switch {
		case r.Err == nil:
			answers[i], ok[i] = r.Answer, true
		case !errors.Is(r.Err, trial.ErrBudget):
			return nil, nil, r.Err
		}
	}
	return answers, ok, nil
}

// decodeList reads the JSON array of an answer, whatever stands around it.
func decodeList[T any](text string) ([]T, error) {
	open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if open < 0 || end < open {
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

// contractOf judges a statement by its passage.
func contractOf(s statement, documents Documents) Contract {
	c := Contract{Kind: s.Kind, Text: oneLine(s.Text), Shape: oneLine(s.Shape), Source: Doc, Passage: oneLine(s.Passage), By: "program"}
	place, why := documents.Find(s.Passage)
	switch {
	case !slices.Contains(kinds, s.Kind):
		c.Kind = Documentation
		c.Status, c.Reason = Rejected, fmt.Sprintf("kind %q is none of %s", s.Kind, join(kinds))
	case why != "":
		c.Status, c.Reason = Rejected, why
	default:
		c.Place, c.Status, c.Reason = place, Accepted, "the passage is in the document"
	}
	return c
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// A verdict is a model's on one candidate.
type verdict struct {
	Number  int    `json:"n"`
	Verdict string `json:"verdict"` // consistent, contradicts or accidental
	Reason  string `json:"reason"`
}

// apply decides an open contract.
func (v verdict) apply(c *Contract) {
	c.By, c.Reason = "model", oneLine(v.Verdict+": "+v.Reason)
	switch v.Verdict {
	case "consistent":
		c.Status = Accepted
	case "contradicts", "accidental":
		c.Status = Rejected
	default:
		c.Status, c.Reason = Open, fmt.Sprintf("the model's verdict %q is none of consistent, contradicts, accidental", v.Verdict)
	}
}
