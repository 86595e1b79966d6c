package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A forecastScreen notes what a run says of its time left, and what its directory tells of it.
type forecastScreen struct {
	t    *testing.T
	plan experiments.Plan
	dir  string
	p    *Progress
	said []said
}

type said struct {
	at time.Time
	Forecast
	dir Forecast
}

func (f *forecastScreen) Pin(render func(columns, rows int, colour bool) []string) {
	if render == nil {
		return
	}
	f.p.mu.Lock()
	defer f.p.mu.Unlock()
	now := f.p.now()
	f.said = append(f.said, said{at: now, Forecast: f.p.left(now)})
	if len(f.said)%readEvery != 0 {
		return
	}
	var planned []results.PlannedCell
	for _, c := range f.plan.Cells {
		planned = append(planned, results.PlannedCell{Cell: c.Cell})
	}
	s, err := results.ReadStatus(f.dir, planned, now)
	if err != nil {
		f.t.Error(err)
		return
	}
	f.said[len(f.said)-1].dir = Foretell(f.plan, s, now)
}

// readEvery is how many forecasts of the screen come with one of the directory, in the test.
const readEvery = 50

// TestTimeLeft runs cells of two tools, one of them three times as slow, on libraries whose bugs take a
// second and ten, on one worker and on two, with budgets in programs and in seconds. What a run says that
// it is sure of is right within 30 %, and it is sure once it has seen each tool on each library.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget trial.Budget
		jobs   int
		noise  float64 // of each duration
		share  float64 // of the run for which it is sure, at least
	}{
		{"programs, one worker", trial.Budget{Programs: 40}, 1, 0, 0.6},
		{"programs, two workers", trial.Budget{Programs: 40}, 2, 0, 0.6},
		{"uneven", trial.Budget{Programs: 40}, 2, 0.2, 0.6},
		{"seconds", trial.Budget{Wall: 2 * time.Minute}, 2, 0.2, 0.6},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				list := foretell(t, dir, c.budget, c.jobs, c.noise)
				end := time.Now()
				sure, wrong, worst := 0, 0, 0.0
				read, far := 0, 0 // of the directory
				for _, s := range list {
					actual := end.Sub(s.at)
					if !s.Sure || actual < end.Sub(began)/50 { // the last seconds are of no use to anybody
						continue
					}
					if s.dir.Left > 0 {
						if read++; max(s.dir.Left-actual, actual-s.dir.Left) > 3*actual/10 {
							far++
						}
					}
					sure++
					off := max(s.Left-actual, actual-s.Left).Seconds() / actual.Seconds()
					if worst = max(worst, off); off > 0.3 {
						wrong++
					}
				}
				t.Logf("%d forecasts in %s, sure of %d, of these %d wrong by more than 30 %%, %.0f %% at worst", len(list), end.Sub(began), sure, wrong, 100*worst)
				if t.Logf("the directory: %d forecasts, %d wrong by more than 30 %%", read, far); read == 0 || far > 0 {
					t.Errorf("by the directory %d of %d are wrong", far, read)
				}
				if float64(sure) < c.share*float64(len(list)) {
					t.Errorf("sure of %d of %d", sure, len(list))
				}
				if wrong > 0 {
					t.Errorf("%d of %d are wrong by more than 30 %%", wrong, sure)
				}
			})
		})
	}
}

// foretell runs five trials of two tools on two libraries, and returns what was said of the time left.
func foretell(t *testing.T, dir string, b trial.Budget, jobs int, noise float64) []said {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	about := func(d time.Duration) time.Duration { return scale(d, 1+noise*(2*rng.Float64()-1)) }
	lab := newLab()
	lab.evaluate = func(e Evaluation) error {
		each := time.Second
		if e.Cell.Library == "zlib" {
			each = 10 * time.Second
		}
		time.Sleep(about(5 * each))
		for n := range 14 {
			bug := fmt.Sprintf("%s-%d", e.Cell.Library, n+1)
			e.Looking(bug, false)
			time.Sleep(about(each))
			e.Looking(bug, true)
		}
		return nil
	}
	tools := []Tool{
		unhurried("quick", func() time.Duration { return about(time.Second) }),
		unhurried("slow", func() time.Duration { return about(3 * time.Second) }),
	}
	p := plan(b, 5, []string{"quick", "slow"}, []string{"cJSON", "zlib"})
	for i := range p.Cells {
		p.Cells[i].Bugs = nil
		for n := range 14 {
			p.Cells[i].Bugs = append(p.Cells[i].Bugs, fmt.Sprintf("%s-%d", p.Cells[i].Library, n+1))
		}
	}
	store, err := results.Open(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	screen := &forecastScreen{t: t, plan: p, dir: dir}
	screen.p = NewProgress(t.Output(), screen)
	if _, err := Run(t.Context(), Options{
		Plan: p, Store: store, Tools: tools, Preparer: lab, Evaluator: lab, Jobs: jobs, Now: time.Now, Log: quiet, Progress: screen.p,
	}); err != nil {
		t.Fatal(err)
	}
	return screen.said
}

// unhurried is a tool that counts programs, each of which takes a while.
func unhurried(name string, each func() time.Duration) feedbackTool {
	return feedbackTool{name: name, generate: func(_ context.Context, job trial.Job) (trial.StopReason, error) {
		for job.Ledger.Stop() == "" {
			time.Sleep(each())
			job.Ledger.Charge(trial.Usage{Programs: 1})
		}
		return job.Ledger.Stop(), nil
	}}
}
