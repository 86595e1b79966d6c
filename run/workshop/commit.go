package workshop

import (
	"context"
	"errors"
	"fmt"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/validate"
)

// At another commit than the pinned one nobody has proven which bugs can be re-introduced: it shows when it
// is tried. What cannot be is absent there, for a reason, and no failure of the machine.

// absent makes the words of a patch or a compiler that failed the reason why a bug is not there. At the pin,
// and where the source could not be reached, the error stays.
func (l *OpenLibrary) absent(ctx context.Context, bug *lisabench.Bug, err error) error {
	var said *toolchain.CommandError
	var reached interface{ Unreachable() bool }
	if l.Edition.Commit() == "" || ctx.Err() != nil || errors.As(err, &reached) {
		return err
	}
	if errors.As(err, &said) && said.DiskFull() {
		return err
	}
	var incomplete *trial.IncompleteError
	if errors.As(err, &incomplete) {
		err = incomplete.Err // without its kind
	}
	return isAbsent(l.Edition, bug, err.Error())
}

// proven holds a bug's builds against its witness at another commit than the pinned one.
func (l *OpenLibrary) proven(ctx context.Context, bug *lisabench.Bug, fixed, buggy *libbuild.Build) error {
	if l.Edition.Commit() == "" {
		return nil
	}
	problem, err := validate.Discriminates(ctx, l.Engine, l.Spec, bug, fixed, buggy)
	if err != nil || problem == "" {
		return err
	}
	return isAbsent(l.Edition, bug, problem+" (the commit may be from before the fix, or the code another)")
}

func isAbsent(e lisabench.Edition, bug *lisabench.Bug, why string) error {
	return &trial.IncompleteError{Kind: string(trial.ReasonAbsent), Message: fmt.Sprintf("bug %s cannot be re-introduced at %s: %s", bug.ID, e.Commit(), why)}
}
