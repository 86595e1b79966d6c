package genloop

import (
	"context"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Policy decides what a generator asks and what becomes of the answers. The loop calls it from
// one goroutine, in an order that only the seed and the answers determine.
type Policy[T any] interface {
	// Ask returns the questions of a round, in the order in which their answers take effect. It
	// may ask about items that wait (r.Waiting), and for new ones, of which the budget has room
	// for r.Room. Without a question the loop ends: there is nothing more to try.
	Ask(ctx context.Context, r *Round[T]) ([]Question[T], error)
	// Mend may change an item that was checked without asking for it, and reports whether it
	// did: it is then checked again.
	Mend(it *Item[T]) (changed bool, err error)
	// Settle decides on an item that was checked and is not mended any more, by one call of a
	// method of r: Keep, Again or Wait. Without a call the item is dropped. With r.Last the loop is
	// at its end: the item waits for an answer that will not come.
	Settle(r *Round[T], it *Item[T]) error
	// End is called after each round that got all its answers, and with r.Last once more at the
	// end of the loop.
	End(ctx context.Context, r *Round[T]) error
}

// A Checker finds out whether items are what they should be, and sets their outcomes. The error is
// for what is no program's fault.
type Checker[T any] interface {
	Check(ctx context.Context, items []*Item[T]) error
}

// An Item is one program on its way into the suite.
type Item[T any] struct {
	ID      string        // of the request that asked for it
	Source  string        // as it is now
	Outcome trial.Outcome // of the latest check
	Repairs int           // times that it was asked about Again; the policy may start anew
	Data    T             // the generator's own

	checked bool
}

// Put makes source the item's program, unless it is "". It reports whether the item has a
// program then: an answer without one leaves the earlier program.
func (it *Item[T]) Put(source string) bool {
	if source != "" {
		it.Source = source
	}
	return it.Source != ""
}

// Programs returns items as programs of a language.
func Programs[T any](items []*Item[T], lang trial.Language) []trial.Program {
	programs := make([]trial.Program, len(items))
	for i, it := range items {
		programs[i] = trial.Program{ID: it.ID, Lang: lang, Source: it.Source}
	}
	return programs
}

// A Question is one request of a round.
type Question[T any] struct {
	ID     string // in the transcript, whose lines it sorts; unique in the cell
	Stage  string
	Prompt string // name of the template
	Page   any    // that the template is filled with
	// Messages are asked instead of the template, where a question is no prompt of the generator's own.
	Messages []llm.Message
	Item     *Item[T] // that it is about, or a new one; nil if it is about none
	// Read takes the answer. It returns what the answer is, and whether the item is to be
	// checked. nil: the answer is to hold the item's program.
	Read func(llm.Answer) (o llm.Outcome, check bool)
}

// A Round is what a policy sees of one round and says to it.
type Round[T any] struct {
	N       int        // from 1
	Waiting []*Item[T] // from earlier rounds, in the order of the questions that they had
	Last    bool       // nothing can be asked any more

	First, Final trial.Attempts // programs of this round, before and after repair

	// Of all rounds so far; set for Policy.End.
	Programs int // kept
	Tokens   int64
	Dollars  float64

	loop     *Loop[T]
	answered map[*Item[T]]bool
}

// Room returns how many new items to ask for: at most n, and no more than the budget in programs
// has room for beside those that wait.
func (r *Round[T]) Room(n int) int {
	if left, limited := r.loop.room(); limited {
		n = min(n, max(left-len(r.Waiting), 0))
	}
	return n
}

// Keep adds a program to the suite.
func (r *Round[T]) Keep(it *Item[T], p trial.Program) error {
	add := r.loop.Job.Suite.Add
	if r.loop.Add != nil {
		add = func(p trial.Program) error { return r.loop.Add(it, p) }
	}
	if err := add(p); err != nil {
		return err
	}
	r.loop.kept++
	r.Final.Add(it.Outcome)
	r.loop.told.Final.Add(it.Outcome)
	return nil
}

// Again has an item wait for a repair, and reports whether it may: it has had fewer than the
// loop's Repairs, and the loop is not at its end.
func (r *Round[T]) Again(it *Item[T]) bool {
	if r.Last || it.Repairs >= r.loop.Repairs {
		return false
	}
	it.Repairs++
	r.Wait(it)
	return true
}

// Wait has an item wait for another question about it, which is no repair.
func (r *Round[T]) Wait(it *Item[T]) {
	if !r.Last {
		r.loop.waiting = append(r.loop.waiting, it)
	}
}

// Counts are what a generator counts for its record: by list, then name.
type Counts map[string]map[string]int

// Add counts one of a name in a list.
func (c Counts) Add(list, name string) { c.AddN(list, name, 1) }

// AddN counts n of a name in a list.
func (c Counts) AddN(list, name string, n int) {
	if c[list] == nil {
		c[list] = map[string]int{}
	}
	c[list][name] += n
}

// List returns a list, sorted by name.
func (c Counts) List(list string) []trial.NamedCount {
	var out []trial.NamedCount
	for _, name := range slices.Sorted(maps.Keys(c[list])) {
		out = append(out, trial.NamedCount{Name: name, Count: c[list][name]})
	}
	return out
}
