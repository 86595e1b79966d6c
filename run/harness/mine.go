package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/mine"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// Mine says where fixes are looked for.
type Mine struct {
	Library    string
	Edition    lisabench.Edition
	Since      string // YYYY-MM-DD
	Repository string // a git repository with upstream's history; "": upstream's, which is fetched
}

// Mined is the JSON form of bench mine.
type Mined struct {
	Schema  int           `json:"schema"` // 1
	Corpus  string        `json:"corpus"` // version
	Library string        `json:"library"`
	Edition string        `json:"edition"`
	Since   string        `json:"since"`
	Left    mine.Count    `json:"left"` // commits after each filter
	Commits []mine.Commit `json:"commits"`
}

// Mine walks the history of a library's upstream and returns the commits that may be fixes.
func (e *Env) Mine(ctx context.Context, m Mine) (*Mined, error) {
	if _, err := time.Parse(time.DateOnly, m.Since); err != nil {
		return nil, Usagef("--since %q: not a day as in 2026-01-01", m.Since)
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	lib, err := bench.Library(m.Library)
	switch {
	case err != nil:
		return nil, &UsageError{err}
	case !m.Edition.Known() || !lib.Has(m.Edition):
		return nil, Usagef("library %s has no edition %q", m.Library, m.Edition)
	}
	found := &Mined{Schema: 1, Corpus: bench.Version, Library: m.Library, Edition: string(m.Edition), Since: m.Since}
	return found, e.inWorkshop(ctx, bench, Workplace{Sandbox: "none"}, func(shop *workshop.Workshop) error {
		s := mine.Search{Git: m.Repository, Since: m.Since, Library: lib, Edition: m.Edition, Sources: shop.Sources, Builder: shop.Builder,
			Tell: func(format string, args ...any) { fmt.Fprintf(e.Stderr, format+"\n", args...) }}
		if s.Git == "" {
			if s.Git, err = shop.Sources.History(ctx, lib); err != nil {
				return err
			}
		}
		if s.Reference, err = shop.Sources.Reference(ctx, lib, m.Edition); err != nil {
			return err
		}
		found.Commits, found.Left, err = s.Commits(ctx)
		return err
	})
}
