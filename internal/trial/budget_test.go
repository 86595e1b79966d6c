package trial_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestTimeIsOfProcessorAndModel: a budget in time does not count what passes on the clock.
func TestTimeIsOfProcessorAndModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := trial.NewLedger(trial.Budget{Time: time.Hour}, trial.Usage{}, time.Now)
		time.Sleep(48 * time.Hour) // other cells have the machine
		l.Charge(trial.Usage{CPU: 20 * time.Minute, Model: 39 * time.Minute})
		if stop := l.Stop(); stop != "" {
			t.Errorf("stopped: %s", stop)
		}
		if left := l.Remaining().Time; left != time.Minute {
			t.Errorf("%s left", left)
		}
		l.Charge(trial.Usage{Model: time.Minute})
		if u := l.Usage(); l.Stop() != trial.StopTime || u.On(l.Budget()) != time.Hour || u.Wall != 48*time.Hour {
			t.Errorf("%s after %+v", l.Stop(), u)
		}
	})
}

// TestWaitingForABatchBurnsNothing: neither the ledger nor its context ends while answers are awaited, nor
// does a resumed cell count what it waited before.
func TestWaitingForABatchBurnsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := trial.NewLedger(trial.Budget{Wall: time.Hour}, trial.Usage{Wall: 10 * time.Minute, Waited: 7 * time.Hour}, time.Now)
		ctx, cancel := l.Context(t.Context())
		defer cancel()
		time.Sleep(10 * time.Minute)
		done := l.Wait()
		time.Sleep(24 * time.Hour)
		if u := l.Usage(); u.Wall != 20*time.Minute || u.Waited != 31*time.Hour || ctx.Err() != nil || l.Stop() != "" {
			t.Errorf("%+v, %v, %q", u, ctx.Err(), l.Stop())
		}
		done()
		time.Sleep(39 * time.Minute)
		if u := l.Usage(); u.Wall != 59*time.Minute || ctx.Err() != nil {
			t.Errorf("%+v, %v", u, ctx.Err())
		}
		time.Sleep(time.Minute + time.Second)
		assert.Check(t, errors.Is(context.Cause(ctx), trial.ErrBudget) && l.Stop() == trial.StopWall,
			"%v, %q", context.Cause(ctx), l.Stop())
	})
}
