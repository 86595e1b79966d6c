package experiments

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Cost is what generation takes. Evaluation comes on top.
type Cost struct {
	Wall      time.Duration `json:"wall_ns"`      // on the clock, with the given jobs
	Model     time.Duration `json:"model_ns"`     // in which models answer, of all cells
	Processor time.Duration `json:"processor_ns"` // of all cells
	LLMCalls  int64         `json:"llm_calls"`
	Tokens    int64         `json:"tokens"`
	Dollars   float64       `json:"dollars"`
}

// plus returns the sum. It keeps Wall, which does not add up.
func (c Cost) plus(o Cost) Cost {
	return Cost{c.Wall, c.Model + o.Model, c.Processor + o.Processor, c.LLMCalls + o.LLMCalls, c.Tokens + o.Tokens, c.Dollars + o.Dollars}
}

// An Estimate is what a plan's generation spends. About leaves out the cells whose spending is not known, and Most the
// cells without the limit in question.
type Estimate struct {
	Cells     int  `json:"cells"`
	Trees     int  `json:"trees"` // library trees to build: each reference, and one for each bug
	About     Cost `json:"about"`
	Most      Cost `json:"most"`
	Unclocked int  `json:"unclocked"` // cells with no limit in seconds
	Unpriced  int  `json:"unpriced"`  // cells that ask a model and have no limit in dollars
	Unknown   int  `json:"unknown"`   // cells whose spending is not known, left out of About
	// What the cells may make; it costs nothing by itself.
	Programs int64 `json:"programs"`
	Execs    int64 `json:"execs,omitempty"` // inputs of fuzzers
}

// A typicalCall is what a tool's request to a model is like in the recordings.
type typicalCall struct {
	Stage     string  `json:"stage"`     // the stage that asks most
	Input     float64 `json:"input"`     // tokens
	Output    float64 `json:"output"`    // tokens
	Calls     float64 `json:"calls"`     // for each program; 0 if that is not known
	Whole     float64 `json:"whole"`     // for a whole library, if the tool ends by itself; 0 if that is not known
	Processor float64 `json:"processor"` // seconds for its programs; 0 if that was not measured
	Observed  float64 `json:"observed"`  // seconds of a processor for each program of the cells that it uses
}

// typicalText is written by TestTypicalCalls, from recordings/.
//
//go:embed typical.json
var typicalText []byte

var typical = sync.OnceValue(func() (calls map[string]typicalCall) {
	if err := json.Unmarshal(typicalText, &calls); err != nil {
		panic(err) // the file is part of the program
	}
	return calls
})

// The speed of a model, as in the tests' stand-in for an endpoint: that of OpenAI's models at the end of 2025.
const (
	firstToken      = 2.0  // seconds
	TokensPerSecond = 80.0 // of output
)

// Estimate adds up the cells. jobs of them, at least 1, run at once, each on a processor of its own.
func (p Plan) Estimate(jobs int, known Known) Estimate {
	est := Estimate{Cells: len(p.Cells)}
	queue := 1.0 // how much longer answers take because cells wait for each other
	if p.LLM != nil {
		l := p.LLM.WithDefaults().Limits
		queue = max(1, float64(min(jobs, len(p.Cells))*l.Concurrency)/float64(l.TotalConcurrency))
	}
	about, most := make([]time.Duration, max(1, jobs)), make([]time.Duration, max(1, jobs)) // when each worker is done
	work := func(free []time.Duration, d time.Duration) { free[slices.Index(free, slices.Min(free))] += d }
	trees := map[string]bool{}
	for _, c := range p.Cells {
		kind := cmp.Or(known.tool(c.Tool), &ToolKind{})
		limit := clock(c.Budget)
		m := Cost{Processor: limit, LLMCalls: c.Budget.LLMCalls, Tokens: c.Budget.Tokens, Dollars: c.Budget.Dollars}
		longest := limit // a second is one of a model or of a processor
		if limit == 0 {
			est.Unclocked++
		}
		if kind.UsesModel {
			m.Model = limit
			longest = time.Duration(float64(limit) * queue)
			if c.Budget.Dollars == 0 {
				est.Unpriced++
			}
		}
		est.Most = est.Most.plus(m)
		work(most, longest)
		if a, ok := p.about(c, *kind); ok {
			work(about, time.Duration(float64(a.Model)*queue)+a.Processor)
			est.About = est.About.plus(a)
		} else {
			est.Unknown++
		}
		est.Programs += c.Budget.Programs
		est.Execs += c.Budget.Execs
		trees[c.Library+" "+c.Edition] = true
		for _, bug := range c.Bugs {
			trees[c.Library+" "+c.Edition+" "+bug] = true
		}
	}
	est.About.Wall, est.Most.Wall, est.Trees = slices.Max(about), slices.Max(most), len(trees)
	return est
}

// clock is a budget's limit in seconds, on any clock; 0 for none.
func clock(b trial.Budget) time.Duration {
	limits := slices.DeleteFunc([]time.Duration{b.Time, b.Wall, b.CPU}, func(d time.Duration) bool { return d == 0 })
	return slices.Min(append(limits, cmp.Or(limits...)))
}

// about estimates what a cell spends until the first of its limits ends it, if its requests are like those of the
// recordings. A tool that asks no model works until its time is up. The result is false if the spending is not known.
func (p Plan) about(c Cell, kind ToolKind) (Cost, bool) {
	limit := clock(c.Budget)
	if !kind.UsesModel || p.LLM == nil {
		return Cost{Processor: limit}, limit > 0 && (kind.Fuzzes || c.Budget.Programs == 0)
	}
	call, ok := typical()[c.Tool]
	if !ok {
		return Cost{}, false
	}
	model := p.LLM.With(c.Model).For(call.Stage).Model
	usage := llm.Usage{InputTokens: int64(call.Input), OutputTokens: int64(call.Output)}
	dollars, _ := p.LLM.Dollars(model, usage) // a replay needs no price
	seconds := 0.0
	if p.LLM.Provider == llm.ProviderOpenAI {
		seconds = (firstToken + call.Output/TokensPerSecond) / float64(p.LLM.WithDefaults().Limits.Concurrency)
	}
	calls := math.Inf(1) // until the first limit
	until := func(limit, each float64) {
		if limit > 0 && each > 0 {
			calls = min(calls, limit/each)
		}
	}
	until(limit.Seconds(), seconds+call.Processor)
	until(float64(c.Budget.LLMCalls), 1)
	until(float64(c.Budget.Tokens), call.Input+call.Output)
	until(float64(c.Budget.Programs)*call.Calls, 1)
	until(call.Whole, 1)
	if math.IsInf(calls, 1) { // it may have done its work long before its dollars are spent
		return Cost{}, false
	}
	until(c.Budget.Dollars, dollars)
	return Cost{
		Model: inSeconds(calls * seconds), Processor: inSeconds(calls*call.Processor + p.usedBy(c)*call.Observed),
		LLMCalls: int64(calls), Tokens: int64(calls * (call.Input + call.Output)), Dollars: calls * dollars,
	}, true
}

// usedBy returns about how many programs the cells have that a cell uses.
func (p Plan) usedBy(c Cell) (programs float64) {
	for _, made := range p.Cells {
		used := slices.ContainsFunc(c.Uses, func(u Use) bool { return u.Cell == made.ID() })
		if each := typical()[made.Tool].Calls; used && each > 0 {
			cost, _ := p.about(made, ToolKind{UsesModel: true})
			programs += float64(cost.LLMCalls) / each
		}
	}
	return programs
}

func inSeconds(s float64) time.Duration { return time.Duration(math.Round(s)) * time.Second }
