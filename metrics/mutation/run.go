package mutation

import (
	"bytes"
	"context"
	_ "embed" // the driver's source
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// driverSource is the program that runs a test on many mutants.
//
//go:embed driver/driver.c
var driverSource string

// An Outcome is how one test ended on one mutant.
type Outcome byte

// The outcomes, as the driver writes them.
const (
	Unreached Outcome = iota // the test does not come to the mutant's place
	Passed
	Assertion // a failed assert()
	Crashed
	Status // ended by itself with a status other than 0
	Hung
	Unstable // failed, and passed when it was run again
)

// String returns the outcome's name.
func (o Outcome) String() string {
	return [...]string{"unreached", "passed", "assertion", "crash", "nonzero_exit", "hang", "unstable"}[o]
}

// Fails reports whether the test tells the mutant from the library.
func (o Outcome) Fails() bool { return o == Assertion || o == Crashed || o == Status || o == Hung }

// pairsAtATime is how many mutants one process of the driver runs: their results, and a bit
// for each site, must be less than what the sandbox keeps of standard output.
const pairsAtATime = 16 << 10

// BuildDriver makes the driver's program in dir and returns its path. Each run of a test is a fork of its process.
func BuildDriver(ctx context.Context, tools *toolchain.Tools, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	args := []string{tools.Clang.Path, "-std=gnu11", "-O1"}
	return durable.Kept(dir, "mutation-driver-"+store.Key(driverSource, sandbox.Clock, args, tools.Clang.Version)[:16], "", func(work string) (string, error) {
		made := filepath.Join(work, "driver")
		args := append(args, "-o", made)
		for name, text := range map[string]string{"driver.c": driverSource, "clock.c": sandbox.Clock} {
			file := filepath.Join(work, name)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return "", err
			}
			args = append(args, file)
		}
		_, err := toolchain.Run(ctx, toolchain.Command{Args: args})
		if err == nil {
			err = os.Chmod(made, 0o755) // programs in the sandbox are another user
		}
		return made, err
	})
}

// A driven is what the driver says of one test.
type driven struct {
	reference []Outcome // of the runs with no mutant selected; all passed or the last one did not
	reached   []byte    // a bit for each site
	outcomes  []Outcome // by index of the mutants that were asked for
	refused   string    // why the test could not be loaded
	cpu       time.Duration
}

// passes reports whether the test passed on the reference, every time.
func (d *driven) passes() bool {
	return d.refused == "" && len(d.reference) > 0 && d.reference[len(d.reference)-1] == Passed
}

// reason says why a test does not pass on the reference.
func (d *driven) reason() string {
	if d.refused != "" || len(d.reference) == 0 {
		return "it was not run: " + d.refused
	}
	return fmt.Sprintf("with no mutant selected run %d ended in: %s", len(d.reference), d.reference[len(d.reference)-1])
}

func (d *driven) reaches(site int) bool {
	return site/8 < len(d.reached) && d.reached[site/8]>>(site%8)&1 == 1
}

// run runs a test on those of the mutants that it reaches, if it passes on the reference.
func (e *Evaluator) run(ctx context.Context, lib *MutableLibrary, t testrun.Linked, mutants []Mutant) (*driven, error) {
	var outcomes []Outcome
	var cpu time.Duration
	for diedAt := -1; ; {
		got, err := e.once(ctx, lib, t, mutants[len(outcomes):])
		if err != nil {
			return nil, err
		}
		died := len(got.outcomes) == 0
		outcomes, cpu = append(outcomes, got.outcomes...), cpu+got.cpu
		if got.outcomes, got.cpu = outcomes, cpu; len(outcomes) == len(mutants) || !got.passes() { // flaky after all
			return got, nil
		}
		if died && diedAt == len(outcomes) { // a mutant with which the driver itself dies twice is left out
			outcomes = append(outcomes, Unstable)
		} else if died {
			diedAt = len(outcomes)
		}
	}
}

const refusedExit = 125

// once starts the driver once. Outcomes are missing from the end if it died on the way.
func (e *Evaluator) once(ctx context.Context, lib *MutableLibrary, t testrun.Linked, mutants []Mutant) (*driven, error) {
	patience := testrun.PatienceWithMutants // with what the longest of the reference's runs took
	args := []string{e.Driver, lib.Build.SharedLib, t.Shared, strconv.FormatInt(e.Limits.CPU.Milliseconds(), 10),
		strconv.FormatInt(patience.Floor.Milliseconds(), 10), strconv.Itoa(patience.Factor)}
	for _, entry := range t.Entries {
		kind := "v"
		if entry.ReturnsInt {
			kind = "i"
		}
		args = append(args, kind+entry.Symbol)
	}
	in := binary.NativeEndian.AppendUint32(nil, uint32(len(mutants)))
	for _, m := range mutants {
		in = binary.NativeEndian.AppendUint32(in, uint32(m.ID))
		in = binary.NativeEndian.AppendUint32(in, uint32(m.Site))
	}
	limits := e.Limits
	limits.Wall, limits.CPU = 0, 0 // of each run, which the driver bounds
	v, err := e.Sandbox.Exec(ctx, sandbox.Command{
		Args: args, ReadOnly: []string{e.Driver, lib.Build.Dir, t.Shared}, Stdin: in, Stdout: true, Limits: limits,
	})
	switch {
	case err != nil:
		return nil, err
	case v.Signal == 0 && v.ExitCode == refusedExit:
		return &driven{refused: string(v.Stderr)}, nil
	}
	got, err := parseDriven(v.Stdout, lib.Sites, len(mutants))
	if err == nil {
		got.cpu = v.CPU
	}
	return got, err
}

var errDriver = errors.New("the driver of mutants answers garbage")

// parseDriven reads the driver's output.
func parseDriven(out []byte, sites, mutants int) (*driven, error) {
	var head struct {
		Magic, Sites, CPU uint32
		Reference         [4]Outcome
	}
	if err := binary.Read(bytes.NewReader(out), binary.NativeEndian, &head); err != nil {
		return &driven{refused: "the driver ended before the test did"}, nil
	}
	out = out[binary.Size(head):]
	bits := (sites + 7) / 8
	if head.Magic != 0x6d757461 || int(head.Sites) != sites || len(out) < bits || len(out) > bits+mutants {
		return nil, fmt.Errorf("%w: %+v and %d bytes for %d sites and %d mutants", errDriver, head, len(out), sites, mutants)
	}
	d := &driven{reached: out[:bits]}
	for _, o := range head.Reference {
		if o != Unreached {
			d.reference = append(d.reference, o)
		}
	}
	for _, b := range out[bits:] {
		d.outcomes = append(d.outcomes, Outcome(b))
	}
	if len(d.outcomes) > 0 && slices.Max(d.outcomes) > Unstable {
		return nil, fmt.Errorf("%w: outcome %d", errDriver, slices.Max(d.outcomes))
	}
	return d, nil
}
