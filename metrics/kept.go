package metrics

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/verdicts"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// protocol names how programs are judged: what was found out under another one is not used. It
// changes whenever reference, look, settle or coverage could come to something else.
const protocol = "6"

// Kept is what earlier evaluations found out, and how this one's findings are named there.
type Kept struct {
	Store *verdicts.Store
	// Settings are of all that changes verdicts beside programs and builds: limits, compiler, sandbox.
	Settings string
	// Content is the hash of a program with all that it includes; "" if that is not known.
	Content func(p trial.Program) string
}

// table returns the table of findings of one kind on builds; nil, which keeps nothing, if none are kept.
func (e *Programs) table(kind string, on ...*libbuild.Build) (*verdicts.Table, error) {
	if e.Kept == nil {
		return nil, nil
	}
	parts := []any{protocol, e.Kept.Settings, e.Repeats, e.Selector != nil && !e.RunAll}
	for _, b := range on {
		parts = append(parts, b.Key)
	}
	return e.Kept.Store.Table(kind + "-" + verdicts.Key(parts...))
}

// contents returns the hash of each program, "" for one whose findings are not kept.
func (e *Programs) contents(programs []trial.Program) []string {
	keys := make([]string, len(programs))
	if e.Kept != nil {
		for i, p := range programs {
			if c := e.Kept.Content(p); c != "" {
				keys[i] = verdicts.Key(c, p.Oracle)
			}
		}
	}
	return keys
}

// recall returns the value that a table has for a key.
func recall[T any](t *verdicts.Table, key string) (v T, known bool, err error) {
	if t == nil || key == "" {
		return v, false, nil
	}
	known, err = t.Get(key, &v)
	return v, known, err
}

// recallAll returns what a table has of programs, by index, and the programs of which it has nothing, in
// their order.
func recallAll[T any](t *verdicts.Table, keys []string, programs []int) (known map[int]T, fresh []int, err error) {
	known = map[int]T{}
	for _, i := range programs {
		v, ok, err := recall[T](t, keys[i])
		if err != nil {
			return nil, nil, err
		}
		if ok {
			known[i] = v
		} else {
			fresh = append(fresh, i)
		}
	}
	return known, fresh, nil
}

// keepAll adds values to a table, but for those without a key.
func keepAll(t *verdicts.Table, values map[string]any) error {
	delete(values, "")
	if t == nil {
		return nil
	}
	return t.Put(values)
}

// lasting reports whether a result can be kept. A program that was stopped at the wall limit while others
// had the processor may pass another time.
func lasting(r trial.Result) bool {
	return r.Outcome != trial.Flaky && (r.Outcome != trial.Timeout || !asleep(r))
}

// asleep reports whether the wall limit stopped a program that was not at work most of the time.
func asleep(r trial.Result) bool {
	return r.Outcome == trial.Timeout && r.Signal != int(syscall.SIGXCPU) && r.CPUMs <= 0.8*r.WallMs
}

// Findings are kept without the program's name, which differs between suites.
const nameless = "\x00program\x00"

func (v verdict) renamed(from, to string) verdict {
	v.Detail = strings.ReplaceAll(v.Detail, from, to)
	if v.Assertion != nil && v.Assertion.File == from {
		a := *v.Assertion
		a.File = to
		v.Assertion = &a
	}
	return v
}

func fileOf(p trial.Program) string { return p.ID + p.Lang.Ext() }

// A run on the coverage build, as it is kept.
type coverageRun struct {
	Passes   bool   `json:"passes"`
	Counters []byte `json:"counters"` // packed; empty if the program did not reach the library
}

// pack writes counters in few bytes: most are 0.
func pack(counters []uint64) ([]byte, error) {
	if counters == nil {
		return nil, nil
	}
	var raw []byte
	last := 0
	for i, n := range counters {
		if n != 0 {
			raw = binary.AppendUvarint(binary.AppendUvarint(raw, uint64(i-last)), n)
			last = i
		}
	}
	var packed bytes.Buffer
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&packed)
	_, err := w.Write(raw)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

// packers and unpackers are used again: a packer has tables of more than a megabyte.
var (
	packers = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			panic(err) // the level is one that there is
		}
		return w
	}}
	unpackers = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}
)

// unpack returns n counters.
func unpack(packed []byte, n int) ([]uint64, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	r := unpackers.Get().(io.Reader)
	defer unpackers.Put(r)
	err := r.(flate.Resetter).Reset(bytes.NewReader(packed), nil)
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(r, int64(n)*2*binary.MaxVarintLen64))
	if err != nil {
		return nil, fmt.Errorf("kept counters: %w", err)
	}
	counters := make([]uint64, n)
	for at := 0; len(raw) > 0; {
		gap, a := binary.Uvarint(raw)
		count, b := binary.Uvarint(raw[max(a, 0):])
		if a <= 0 || b <= 0 || gap >= uint64(n-at) {
			return nil, errors.New("kept counters: not those of this build")
		}
		at += int(gap)
		counters[at] = count
		raw = raw[a+b:]
	}
	return counters, nil
}

// A keptCoverage is a CoverageReader that reads the same counters once.
type keptCoverage struct {
	CoverageReader
	table *verdicts.Table
}

// Coverage implements CoverageReader.
func (k keptCoverage) Coverage(ctx context.Context, b *libbuild.Build, counters []uint64) (trial.Coverage, error) {
	packed, err := pack(counters)
	if err != nil {
		return trial.Coverage{}, err
	}
	key := verdicts.Key(packed, len(counters))
	cov, known, err := recall[trial.Coverage](k.table, key)
	if known || err != nil {
		return cov, err
	}
	if cov, err = k.CoverageReader.Coverage(ctx, b, counters); err != nil {
		return cov, err
	}
	return cov, keepAll(k.table, map[string]any{key: cov})
}
