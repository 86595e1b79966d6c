package genloop

import (
	"context"
	"errors"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Session opens the job's session with a model for generate, and closes it. If neither generate nor the budget
// has come to an end, a later session can continue it. config is what requests depend on besides the models'
// settings, such as job.Identity. Trouble with the model makes the cell incomplete.
func Session(
	ctx context.Context, models *llm.Models, job trial.Job, config map[string]string,
	generate func(*llm.Session) (trial.StopReason, error),
) (trial.StopReason, error) {
	model, err := models.Session(job.Models.Cell, llm.SessionOptions{
		Transcript: job.Models.Transcript, Config: config, Model: job.Models.Model, Ledger: job.Ledger, Fresh: job.Models.Fresh,
	})
	if err != nil {
		return "", err
	}
	stop, err := generate(model)
	if err != nil && !errors.Is(err, trial.ErrBudget) && !errors.Is(context.Cause(ctx), trial.ErrBudget) {
		return stop, errors.Join(llm.Incomplete(err), model.Close())
	}
	return stop, errors.Join(err, model.Finish())
}
