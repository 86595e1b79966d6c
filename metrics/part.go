package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// try measures one part of a record. What keeps it from being measured is the reason that it has no value. The error
// ends the evaluation: an interruption, a full disk and a store that cannot be used say nothing about the part.
func try[T any](ctx context.Context, log *slog.Logger, part string, measure func() (T, error)) (v T, missing *trial.Reason, err error) {
	if ctx.Err() != nil {
		return v, nil, context.Cause(ctx)
	}
	func() {
		defer func() {
			if p := recover(); p != nil {
				log.Error("panic", "step", part, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
				err = as(trial.ReasonPanic, fmt.Errorf("panic: %v", p))
			}
		}()
		v, err = measure()
	}()
	switch {
	case err == nil:
		return v, nil, nil
	case ctx.Err() != nil:
		return v, nil, context.Cause(ctx)
	case toolchain.OutOfSpace(err), errors.As(err, new(*store.Error)):
		return v, nil, err
	}
	why := reasonFor(err)
	log.Error("not measured", "step", part, "kind", why.Kind, "error", err)
	var none T
	return none, &why, nil
}

// A failure is an error with the kind of reason that it is.
type failure struct {
	kind trial.ReasonKind
	error
}

func (f *failure) Unwrap() error { return f.error }

// as says what kind of reason an error is, unless the error is nil or says so itself.
func as(kind trial.ReasonKind, err error) error {
	var said *failure
	if err == nil || errors.As(err, &said) {
		return err
	}
	return &failure{kind, err}
}

// reasonFor sorts an error: a program or a source that is missing is told as such wherever it is
// missed.
func reasonFor(err error) trial.Reason {
	var said *failure
	var missing *toolchain.MissingError
	var incomplete *trial.IncompleteError
	var command *toolchain.CommandError
	why := trial.Reason{Kind: trial.ReasonToolchain, Message: err.Error()}
	known := errors.As(err, &said)
	switch {
	case errors.As(err, &missing):
		why.Kind = trial.ReasonMissingTool
	case errors.As(err, &incomplete) && (incomplete.Kind == string(trial.ReasonSource) || incomplete.Kind == string(trial.ReasonAbsent)):
		why = trial.Reason{Kind: trial.ReasonKind(incomplete.Kind), Message: incomplete.Message}
	case known && said.kind == trial.ReasonSandbox && errors.As(err, &command):
		// Running programs begins with compiling them.
	case known:
		why.Kind = said.kind
	}
	return why
}

// needsSuccess is the reason of what is measured on the programs that pass on the reference build,
// where these are not known.
var needsSuccess = trial.Reason{Kind: trial.ReasonSuccess, Message: "which programs pass on the reference build is not known"}
