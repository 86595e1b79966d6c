package randoop

import (
	"context"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Tool is the generator. The zero value is not usable: it needs a compiler to read
// headers with.
type Tool struct {
	Compiler *toolchain.Compiler // reads the headers
}

// Name returns the tool's name in experiments and tables.
func (Tool) Name() string { return "randoop" }

// Version changes whenever the same seed may give other programs.
func (Tool) Version() string { return "6" }

// Needs are the builds that the tool uses: every program is run under the sanitizers too.
func (Tool) Needs(map[string]any) trial.Needs { return trial.Needs{Sanitizer: true} }

// options are the parameters of a variant (trial.Parameter).
type options struct {
	Batch      int  `param:"batch" values:"1,500" doc:"Programs run at once."`
	MaxLength  int  `param:"max_length" values:"1,100" doc:"Calls in one sequence, cleanup not counted."`
	Assertions bool `param:"assertions" doc:"false: programs only call, and find what crashes or hangs."`
}

func defaultOptions() options { return options{Batch: 40, MaxLength: 20, Assertions: true} }

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return options{}, fmt.Errorf("randoop: %w", err)
	}
	return o, nil
}

// Generate fills the job's suite until its budget is used up or nothing new can be made.
// A library of which no function can be called is an error.
func (t Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	if job.Target.Language != trial.C {
		return "", fmt.Errorf("randoop: library %s is in %s, and only C can be tested",
			job.Target.Library, job.Target.Language)
	}
	spec, err := apispec.Load(ctx, t.Compiler, job.Target)
	if err != nil {
		return "", err
	}
	g := newGrower(spec, job.Target.ExcludedAPIs, o.MaxLength, job.Seed.Stream("randoop"))
	if len(g.api.callables) == 0 {
		return "", fmt.Errorf("randoop: library %s: no function of %s can be called from a straight-line test",
			job.Target.Library, strings.Join(job.Target.Headers, ", "))
	}
	s := &session{job: job, options: o, grower: g, made: map[string]bool{}, shown: map[string]bool{}}
	return s.run(ctx)
}

// Limits of a session.
const (
	idleBatches = 40 // batches in a row without a new program before nothing is left to try
	makeTries   = 20 // candidates drawn for each program of a batch
)

// A session is one call of Generate.
type session struct {
	job     trial.Job
	options options
	grower  *grower
	made    map[string]bool // sources that were run
	shown   map[string]bool // calls with all their values that were seen
	serial  int
}

// run generates batch after batch. The budget is the first reason to stop, for a context may end with it.
func (s *session) run(ctx context.Context) (trial.StopReason, error) {
	for idle := 0; idle < idleBatches; idle++ {
		batch := s.nextBatch()
		if len(batch) == 0 {
			break
		}
		programs, err := s.try(ctx, batch)
		for next := 0; ; next++ {
			switch stop := s.job.Ledger.Stop(); {
			case stop != "":
				return stop, nil
			case ctx.Err() != nil:
				return "", ctx.Err()
			case err != nil:
				return "", fmt.Errorf("randoop: %s: %w", s.job.Target.Library, err)
			}
			if next == len(programs) {
				break
			}
			err, idle = s.job.Suite.Add(programs[next]), -1
		}
	}
	return trial.StopExhausted, nil
}

// nextBatch returns sequences that were not run before.
func (s *session) nextBatch() []*candidate {
	var batch []*candidate
	for tries := 0; len(batch) < s.options.Batch && tries < s.options.Batch*makeTries; tries++ {
		c := s.grower.candidate()
		if c == nil {
			continue
		}
		c.obs = observe(s.grower.api.spec, c.seq)
		c.source = c.instrumented(s.job.Target)
		if !s.made[c.source] {
			s.made[c.source] = true
			batch = append(batch, c)
		}
	}
	return batch
}
