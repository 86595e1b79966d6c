package subject

import (
	"context"
	"log/slog"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
)

// A mutator implements metrics.Mutator for one library.
type mutator struct {
	l      *OpenLibrary
	sample int // as mutation.Options
	log    *slog.Logger
}

// Mutate implements metrics.Mutator.
func (m mutator) Mutate(ctx context.Context, programs []trial.Program) (trial.Mutation, error) {
	shop := m.l.shop
	maker, err := mutation.NewMaker(ctx, shop.Tools, shop.Builder, shop.Mutants, shop.Workers, m.log)
	if err != nil {
		return trial.Mutation{}, err
	}
	lib, err := maker.Make(ctx, m.l.request(m.l.Tree, libbuild.Plain))
	if err != nil {
		return trial.Mutation{}, err
	}
	driver, err := mutation.BuildDriver(ctx, shop.Tools, shop.Mutants)
	if err != nil {
		return trial.Mutation{}, err
	}
	e := mutation.Evaluator{Linker: m.l.Engine, Workers: shop.Workers,
		Driver: &mutation.Driver{Path: driver, Sandbox: shop.Sandbox, Limits: shop.Limits}}
	res, err := e.Evaluate(ctx, lib, programs, mutation.Options{Sample: m.sample})
	if err != nil {
		return trial.Mutation{}, err
	}
	return res.Score, nil
}
