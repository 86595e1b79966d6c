package metrics

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Memo keeps the results of finished evaluation steps, so that a killed evaluation goes
// on where it was. Get fills v and reports whether the key was known.
type Memo interface {
	Get(key string, v any) (bool, error)
	Put(key string, v any) error
}

// remember returns the memo's value for key, or computes and keeps it. What it returns has
// gone through the memo either way, so that an evaluation that goes on gives the bytes of
// one that was never killed.
func remember[T any](m Memo, key string, compute func() (T, error)) (T, error) {
	var kept T
	if known, err := m.Get(key, &kept); known || err != nil {
		return kept, err
	}
	v, err := compute()
	if err != nil {
		return kept, err
	}
	if err := m.Put(key, v); err != nil {
		return kept, err
	}
	_, err = m.Get(key, &kept)
	return kept, err
}

// unbuilt sorts an error of a bug's builds. What is wrong with them is the reason why the
// bug's result is incomplete. An interruption or a full disk says nothing about the bug and
// stays an error, for a result is kept for good.
func unbuilt(ctx context.Context, err error) (reason string, harness error) {
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case toolchain.OutOfSpace(err):
		return "", err
	}
	return err.Error(), nil
}
