package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// A choice is the value of a flag that is one of some words.
type choice struct {
	value *string
	kind  string
	known []string
}

func (c choice) String() string { return *cmp.Or(c.value, new(string)) }

func (c choice) Type() string { return "string" }

func (c choice) Set(word string) error {
	*c.value = word
	return lisabench.CheckKnown(c.kind, c.known, word)
}

// choiceFlag gives a command a flag that takes one of some words, which the usage lists.
func choiceFlag(c *cobra.Command, value *string, name, byDefault, usage string, known ...string) {
	*value = byDefault
	c.Flags().Var(choice{value, name, known}, name, usage+": "+strings.Join(known, ", "))
}

// sandboxFlag gives a command the flag --sandbox.
func sandboxFlag(c *cobra.Command, value *string, byDefault, usage string) {
	choiceFlag(c, value, "sandbox", byDefault, usage, experiments.Sandboxes...)
}

// evaluationFlags are the switches of the commands that evaluate suites, for their short cuts.
func (a *app) evaluationFlags(c *cobra.Command) {
	fresh := c.Flags().Bool("fresh", false, "ignore the results of earlier evaluations, and store none")
	c.PreRun = func(*cobra.Command, []string) { a.Remember = !*fresh }
	choiceFlag(c, &a.Select, "select", "on",
		"run a test on a buggy build only if it executes a function that the bug changes", "on", "off")
}

// experimentFlags are the flags of the commands that take an experiment.
type experimentFlags struct {
	set     []string
	profile string
	only    []string
	scale   float64
}

func (f *experimentFlags) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.set, "set", nil,
		"override a key of the experiment: `KEY=VALUE`, e.g. trials=1 (repeatable)")
	c.Flags().StringVar(&f.profile, "profile", "", "`PROFILE` of the experiment, e.g. quick (see bench list experiments)")
	c.Flags().StringArrayVar(&f.only, "only", nil,
		"run only this part of the experiment, which can grow later: `libraries=NAMES`, e.g. libraries=zlib,cJSON")
	c.Flags().Float64Var(&f.scale, "scale", 1,
		"multiply every budget by `FACTOR`, e.g. 0.1; a later run with more goes on from there")
}

// maxScale is the largest factor of --scale: a larger one is a typing error.
const maxScale = 1000

// load loads an experiment with the flags.
func (f *experimentFlags) load(a *app, name string) (*lisabench.Bench, *experiments.Experiment, error) {
	bench, err := a.LoadBench()
	if err != nil {
		return nil, nil, err
	}
	exp, err := harness.Load(bench, name, f.profile, f.set)
	if err != nil {
		return nil, nil, err
	}
	for _, only := range f.only {
		if err := exp.Only(only); err != nil {
			return nil, nil, &harness.UsageError{Err: err}
		}
	}
	if f.scale <= 0 || f.scale > maxScale {
		return nil, nil, harness.Usagef("--scale %g: give a factor above 0 and at most %d", f.scale, maxScale)
	}
	if f.scale != 1 {
		exp.ChangeBudgets(func(b trial.Budget) trial.Budget { return b.Scale(f.scale) })
	}
	return bench, exp, nil
}

// formatFlags gives a command the flags --format and --json. The function that it returns is for after
// parsing: the printer that was chosen, nil if none was and byDefault is "".
func formatFlags(c *cobra.Command, known map[string]printer, byDefault string) (chosen func() printer) {
	var format string
	isKnown := func(name string) bool { return known[name] != nil }
	names := lists.Filter([]string{"text", "markdown", "latex", "csv", "json", "html"}, isKnown)
	choiceFlag(c, &format, "format", byDefault, "print in this format", names...)
	asJSON := c.Flags().Bool("json", false, "the same as --format json")
	c.MarkFlagsMutuallyExclusive("format", "json")
	return func() printer {
		if *asJSON {
			return known["json"]
		}
		return known[format]
	}
}

// A printing prints a value as JSON, if the command's flag --json is given, or else as text says.
type printing func(v any, text func() error) error

// jsonFlag gives a command the flag --json.
func (a *app) jsonFlag(c *cobra.Command, usage string) printing {
	asJSON := c.Flags().Bool("json", false, usage)
	return func(v any, text func() error) error {
		if *asJSON {
			return a.printJSON(v)
		}
		return text()
	}
}

func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// fullFlag gives a command the flag --full, which prints all tables.
func fullFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("full", false, "print all tables, and the answer last")
}

// flagError says how a wrong flag would have been right.
func flagError(c *cobra.Command, err error) error {
	root := c.Root()
	if unknown := noSuchCommand(root, c.Flags().Args()); c == root && unknown != nil { // whose flag it is
		return unknown
	}
	if strings.Contains(err.Error(), "missing unit in duration") {
		err = fmt.Errorf("%w: write seconds as in 30s", err)
	}
	if word, ok := errors.AsType[*lisabench.UnknownError](err); ok { // of a choice
		return word
	}
	nearest := ""
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := lisabench.NewUnknownError("flag", unknown.GetSpecifiedName(), known).Nearest; near != "" {
			nearest = fmt.Sprintf(", did you mean --%s?", near)
		}
	}
	return harness.Usagef("%w%s (see: %s --help)", err, nearest, c.CommandPath())
}
