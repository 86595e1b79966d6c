package knowledge

import (
	"context"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// unchecked is the reason of a candidate that stays open until there are more runs.
const unchecked = "no other run calls the function, so nothing says yet that it holds"

// observe runs programs on the reference build and mines half of what they do. It keeps each candidate, and rejects
// what does not also hold in the other half. Programs that do not run to their end are left out.
func (b *Builder) observe(ctx context.Context, base *Base, programs []trial.Program) error {
	list := probes(b.Spec, b.Target)
	if len(list) == 0 {
		b.Log.Warn("calls are not observed: no wrapper can stand in for the functions of this library")
		return nil
	}
	mined, held, err := b.trace(ctx, list, programs)
	if err != nil {
		return err
	}
	var found map[*probe][]string
	place := "built-in miner"
	if b.Jar != "" {
		place = "daikon.jar"
		if found, err = runDaikon(ctx, b.Jar, b.Dir, list, mined); err != nil {
			return err
		}
	}
	for i, p := range list {
		lines := found[p]
		if b.Jar == "" {
			lines = mine(tableOf(p, of(i, mined)))
		}
		other := tableOf(p, of(i, held))
		for _, line := range lines {
			c := candidate(readLikely(line, other))
			c.Place = p.point() + ":::EXIT (" + place + ")"
			base.add(p.Canonical(), c)
		}
	}
	return nil
}

// of are the calls of one probe.
func of(probe int, calls []call) (list []call) {
	for _, c := range calls {
		if c.probe == probe {
			list = append(list, c)
		}
	}
	return list
}

// candidate is the contract that an invariant may be, after it was checked in calls that it was not mined from.
func candidate(l likely) Contract {
	c := Contract{
		Kind: l.kind(), Text: "after every call observed", Shape: l.text, Source: Daikon, Status: Rejected, By: byProgram,
	}
	if strings.HasSuffix(l.text, identity) {
		c.Reason = "the identity of a pointer is no property"
		return c
	}
	if l.relation == "" {
		c.Reason = "it has a form that is not checked on the reference build"
		return c
	}
	switch checked, holds := l.check(); {
	case !holds:
		c.Reason = "it fails in runs of the reference build that it was not mined from"
	case checked == 0:
		c.Status, c.Reason = Open, unchecked
	default:
		c.Status = Open
		c.Reason = fmt.Sprintf("holds in %d other calls on the reference build; not judged by the documents yet", checked)
	}
	return c
}

// trace runs instrumented programs, each with two fillings of memory, and deals their calls into two halves.
func (b *Builder) trace(ctx context.Context, list []*probe, programs []trial.Program) (mined, held []call, err error) {
	instrumented := make([]trial.Program, len(programs))
	for i, p := range programs {
		source := instrument(p.Source, list, b.Target.Headers)
		instrumented[i] = trial.Program{ID: fmt.Sprintf("k%05d", i+1), Lang: p.Lang, Source: source}
	}
	plain, err := trial.Execute(ctx, b.Exec, instrumented, trial.ExecOptions{Stdout: true})
	if err != nil {
		return nil, nil, err
	}
	perturbed, err := trial.Execute(ctx, b.Exec, instrumented, trial.ExecOptions{Stdout: true, Perturb: true})
	if err != nil {
		return nil, nil, err
	}
	good := 0
	for i, r := range plain {
		if r.Outcome != trial.OK || perturbed[i].Outcome != trial.OK {
			b.Log.Debug("not observed", "program", programs[i].ID, "outcome", r.Outcome, "diagnostic", r.Diagnostic)
			continue
		}
		calls := agreeing(list, readCalls(r.Stdout, list), readCalls(perturbed[i].Stdout, list))
		if good++; good%2 == 1 {
			mined = append(mined, calls...)
		} else {
			held = append(held, calls...)
		}
	}
	b.Log.Info("observed", "programs", good, "of", len(programs), "calls", len(mined)+len(held))
	return mined, held, nil
}
