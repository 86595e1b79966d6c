package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/harness"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/report"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// leaderboardFlags are the flags of bench leaderboard.
type leaderboardFlags struct {
	set, format string
	libraries   []string
	trials      int
}

// sets are the matrices that a ranking may ask for: an edition with all of its bugs, or with
// those of the paper's protocol.
var sets = []string{"debian-available", "debian-protocol", "upstream-available", "upstream-protocol"}

func (a *app) leaderboardCommand() *cobra.Command {
	var f leaderboardFlags
	c := &cobra.Command{
		Use:   "leaderboard DIR",
		Short: "Rank the submissions in a directory by the bugs they detect",
		Long: `Reads every *` + submission.Extension + ` file in DIR, checks its hashes, and ranks the contenders that have
records for the whole set: every library, bug and trial. The others are listed with the
reason. Letters join the contenders that McNemar's exact test on the bugs does not tell
apart (Holm-corrected).

Exit codes: 0 all are ranked, 3 some are refused.`,
		Example: "  bench leaderboard submissions/\n  bench leaderboard submissions/ --set debian-protocol --trials 5 --format html > board.html",
		Args:    exactArgs("DIR"),
		RunE:    func(c *cobra.Command, args []string) error { return a.leaderboard(args[0], f) },
	}
	c.Flags().StringVar(&f.set, "set", sets[0], "libraries and bugs to rank on: "+strings.Join(sets, ", "))
	c.Flags().StringSliceVar(&f.libraries, "library", nil, "rank on this library of the set only (may be repeated)")
	c.Flags().IntVar(&f.trials, "trials", 3, "trials to rank on; further ones are left out")
	c.Flags().StringVar(&f.format, "format", "text", "print text, markdown, csv, json or html")
	return c
}

// refusedError ends a leaderboard that some submissions are not on.
type refusedError struct{ refused int }

func (e refusedError) Error() string {
	return fmt.Sprintf("%d submissions or contenders are not ranked; the table says why", e.refused)
}

func (a *app) leaderboard(dir string, f leaderboardFlags) error {
	write := printers[f.format]
	if f.format == "csv" {
		write = func(d *report.Document, w io.Writer) error { return tableCSV(d, report.LeaderboardData, w) }
	}
	if write == nil {
		return lisabench.NewUnknownError("format", f.format, []string{"text", "markdown", "csv", "json", "html"})
	}
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	set, err := f.matrix(bench)
	if err != nil {
		return err
	}
	files, err := submissions(dir)
	if err != nil {
		return err
	}
	var read []*entrant
	for _, file := range files {
		e, err := readEntrant(file, bench)
		if err != nil {
			return err
		}
		read = append(read, e)
	}
	entries, refused := sortEntrants(read, set)
	doc, err := report.Leaderboard(set, bench.Version, entries, refused)
	if err != nil {
		return err
	}
	if err := write(doc, a.stdout); err != nil {
		return err
	}
	if len(refused) > 0 {
		return refusedError{len(refused)}
	}
	return nil
}

// matrix returns the set that the flags name.
func (f leaderboardFlags) matrix(bench *lisabench.Bench) (submission.Set, error) {
	set := submission.Set{Name: f.set, Trials: f.trials}
	if !slices.Contains(sets, f.set) {
		return set, lisabench.NewUnknownError("set", f.set, sets)
	}
	if f.trials < 1 {
		return set, harness.Usagef("--trials %d: a ranking needs at least one", f.trials)
	}
	for _, name := range f.libraries {
		if _, err := bench.Library(name); err != nil {
			return set, err
		}
	}
	edition, bugs, _ := strings.Cut(f.set, "-")
	// An experiment on the set knows which bugs the words stand for.
	text := "name: set\nbudget: {programs: 1}\ntools: [{name: randoop}]\nlibraries:\n"
	for _, l := range bench.Libraries {
		if l.Pin(lisabench.Edition(edition)) != "" && (len(f.libraries) == 0 || slices.Contains(f.libraries, l.Name)) {
			text += fmt.Sprintf("  - {name: %q, edition: %s, bugs: %s}\n", l.Name, edition, bugs)
		}
	}
	exp, err := experiments.Load(experiments.Source{Name: "--set " + f.set, Data: []byte(text)}, nil, harness.Known(bench))
	if err != nil {
		return set, err
	}
	set.Libraries = exp.Libraries
	if set.Bugs() == 0 {
		return set, harness.Usagef("--set %s has no bug of %s: there is nothing to rank by", f.set, strings.Join(f.libraries, ", "))
	}
	return set, nil
}

// submissions returns the files of a directory that are named as submissions are, sorted.
func submissions(dir string) ([]string, error) {
	if err := harness.CheckDir("DIR", dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), submission.Extension) && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, harness.Usagef("%s: no file *%s in it: `bench submission pack RUN` makes them", dir, submission.Extension)
	}
	return files, nil
}

// An entrant is a file that wants to be ranked.
type entrant struct {
	file, name string
	contents   *submission.Contents
	verified   bool
	refused    error // why nothing of it can be ranked
}

// readEntrant reads what a ranking needs. What is wrong with the file is the entrant's
// refusal; an error is this machine's.
func readEntrant(file string, bench *lisabench.Bench) (e *entrant, err error) {
	e = &entrant{file: filepath.Base(file)}
	dir, err := os.MkdirTemp("", "bench-leaderboard-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	h, err := submission.UnpackFile(file, submission.DefaultLimits, dir, submission.Metadata)
	if h != nil {
		e.name = h.Name
	}
	if err == nil {
		e.contents, err = submission.Open(dir)
	}
	var invalid *submission.InvalidError
	var changed *submission.ChangedError
	switch {
	case errors.As(err, &invalid):
		e.refused = invalid
		return e, nil
	case errors.As(err, &changed):
		e.refused = changed
		return e, nil
	case err != nil:
		return nil, err
	}
	if e.refused = sameCorpus(e.contents, bench); e.refused != nil {
		return e, nil
	}
	sum, err := toolchain.FileSum(file)
	if err != nil {
		return nil, err
	}
	e.verified = verified(file, sum)
	return e, nil
}

// sortEntrants tells those that have all of the set from the others.
func sortEntrants(read []*entrant, set submission.Set) (entries []report.Entry, refused []report.Refusal) {
	named := map[string][]string{}
	for _, e := range read {
		if e.refused == nil {
			named[e.name] = append(named[e.name], e.file)
		}
	}
	for _, e := range read {
		refuse := func(tool string, reasons ...string) {
			refused = append(refused, report.Refusal{File: e.file, Submission: e.name, Tool: tool, Reasons: reasons})
		}
		switch {
		case e.refused != nil:
			refuse("", e.refused.Error())
			continue
		case len(named[e.name]) > 1:
			refuse("", fmt.Sprintf("the name is that of %s: pack with another --name, or take one away", strings.Join(named[e.name], " and ")))
			continue
		}
		if other := otherEdition(e.contents, set); other != "" {
			refuse("", other)
			continue
		}
		for _, k := range e.contents.Contenders() {
			records, missing := e.contents.Records(k, set)
			if len(missing) > 0 {
				refuse(strings.TrimSuffix(k.Tool+"/"+k.Variant, "/"+trial.DefaultVariant), missing...)
				continue
			}
			entries = append(entries, report.Entry{Submission: e.name, Contender: k, Verified: e.verified, Records: records})
		}
	}
	return entries, refused
}

// otherEdition says that a submission is of other editions than the set altogether, "" if it
// is not. Editions are never compared: their libraries are of different versions.
func otherEdition(c *submission.Contents, set submission.Set) string {
	have := map[string]bool{}
	for _, cell := range c.Plan.Cells {
		have[cell.Edition] = true
	}
	want := string(set.Libraries[0].Edition)
	if have[want] {
		return ""
	}
	return fmt.Sprintf("made on the edition %s, and the set %s is of %s: editions are not compared",
		cmp.Or(strings.Join(slices.Sorted(maps.Keys(have)), ", "), "none"), set.Name, want)
}
