package submission

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Entry is one contender of a submission with everything that a ranking asks for.
type Entry struct {
	Submission string
	Contender  Contender
	Verified   bool             // by whoever makes the leaderboard
	Records    [][]trial.Record // by library of the set, then trial
	// What the contender could spend on a library of the set in a trial, and the models that it asked ("" if
	// none). Only entries with equal values are compared.
	Budget, Model string
}

// Conditions describes what entries must have alike to be compared.
func (e Entry) Conditions() string {
	if e.Model == "" {
		return e.Budget + ", no model"
	}
	return e.Budget + ", " + e.Model
}

// A Refusal is a submission, or a contender of one, that is not ranked.
type Refusal struct {
	File, Submission, Tool string // the last two "" where they are not known
	Reasons                []string
}

// Enter reads the submissions in a directory, every file *Extension, and tells what can be ranked
// on a set from what cannot. What is wrong with a file is its refusal.
func Enter(dir string, set Set, bench *lisabench.Bench) (entries []Entry, refused []Refusal, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	var read []*entrant
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), Extension) || strings.HasPrefix(f.Name(), ".") {
			continue
		}
		e, err := readEntrant(filepath.Join(dir, f.Name()), bench)
		if err != nil {
			return nil, nil, err
		}
		read = append(read, e)
	}
	entries, refused = sortEntrants(read, set)
	return entries, refused, nil
}

// An entrant is a file that wants to be ranked.
type entrant struct {
	file, name string
	contents   *Contents
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
	h, err := UnpackFile(file, DefaultLimits, dir, metadata)
	if h != nil {
		e.name = h.Name
	}
	if err == nil {
		e.contents, err = Open(dir)
	}
	var invalid *InvalidError
	var changed *changedError
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
	if e.refused = e.contents.CheckCorpus(bench); e.refused != nil {
		return e, nil
	}
	sum, err := durable.FileSum(file)
	if err != nil {
		return nil, err
	}
	e.verified = verified(file, sum)
	return e, nil
}

// sortEntrants tells those that have all of the set from the others.
func sortEntrants(read []*entrant, set Set) (entries []Entry, refused []Refusal) {
	named := map[string][]string{}
	for _, e := range read {
		if e.refused == nil {
			named[e.name] = append(named[e.name], e.file)
		}
	}
	for _, e := range read {
		refuse := func(tool string, reasons ...string) {
			refused = append(refused, Refusal{File: e.file, Submission: e.name, Tool: tool, Reasons: reasons})
		}
		switch {
		case e.refused != nil:
			refuse("", e.refused.Error())
			continue
		case len(named[e.name]) > 1:
			refuse("", fmt.Sprintf("the name is that of %s: pack with another --name, or take one away", strings.Join(named[e.name], " and ")))
			continue
		}
		if other := e.contents.otherEdition(set); other != "" {
			refuse("", other)
			continue
		}
		for _, k := range e.contents.contenders() {
			records, missing := e.contents.records(k, set)
			if len(missing) > 0 {
				refuse(strings.TrimSuffix(k.Tool+"/"+k.Variant, "/"+trial.DefaultVariant), missing...)
				continue
			}
			entry := Entry{Submission: e.name, Contender: k, Verified: e.verified, Records: records}
			entry.Budget, entry.Model = e.contents.conditions(k, set, records)
			entries = append(entries, entry)
		}
	}
	return entries, refused
}

// otherEdition says that a submission is of other editions than the set altogether, "" if it
// is not. Editions are never compared: their libraries are of different versions.
func (c *Contents) otherEdition(set Set) string {
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
