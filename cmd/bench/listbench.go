package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/harness"
	"github.com/lisa-bench/lisa-bench/internal/subject"
)

// listSchema is the version of the JSON of bench list libraries and bench list bugs, which
// docs/lisa-bench.md describes. Fields are added without changing it.
const listSchema = 1

type listedLibraries struct {
	Schema    int             `json:"schema"`
	Corpus    string          `json:"corpus"` // version
	Libraries []listedLibrary `json:"libraries"`
}

type listedLibrary struct {
	Name      string          `json:"name"`
	Language  string          `json:"language"`
	Domain    string          `json:"domain"`
	Licence   string          `json:"licence"`
	Rules     int             `json:"rules"`
	Bugs      int             `json:"bugs"`
	Selection map[string]int  `json:"selection"` // bugs by protocol and extended
	Editions  []listedEdition `json:"editions"`
}

type listedEdition struct {
	Edition    string            `json:"edition"`
	Source     string            `json:"source"`     // URL of the repository, or Debian source package
	Pin        string            `json:"pin"`        // full commit id, or version of the package
	Strategies map[string]int    `json:"strategies"` // bugs by strategy
	Measured   *subject.Measured `json:"measured,omitempty"`
	Unmeasured string            `json:"unmeasured,omitempty"` // why --measure could not measure it
}

func (a *app) listLibraries(ctx context.Context, bench *lisabench.Bench, measure bool) (header []string, rows [][]string, values any, err error) {
	list := listedLibraries{Schema: listSchema, Corpus: bench.Version}
	for _, l := range bench.Libraries {
		e := listedLibrary{Name: l.Name, Language: string(l.Language), Domain: l.Domain, Licence: l.Licence,
			Rules: len(l.Rules), Bugs: len(l.Bugs), Selection: map[string]int{}}
		for _, b := range l.Bugs {
			e.Selection[string(b.Selection)]++
		}
		for _, ed := range []lisabench.Edition{lisabench.Debian, lisabench.Upstream} {
			if l.Has(ed) {
				e.Editions = append(e.Editions, listEdition(l, ed))
			}
		}
		list.Libraries = append(list.Libraries, e)
	}
	header = []string{"Library", "Language", "Domain", "Edition", "Pin", "Bugs", "Strategies", "Selection"}
	if measure {
		header = append(header, "Code lines", "In the tree", "Functions")
		err = a.measureAll(ctx, bench, &list)
	}
	for _, e := range list.Libraries {
		for i, ed := range e.Editions {
			row := []string{e.Name, e.Language, e.Domain, ed.Edition, shortPin(ed), fmt.Sprint(e.Bugs), counts(ed.Strategies, strategyNames), counts(e.Selection, selectionNames)}
			if i > 0 {
				row[0], row[1], row[2], row[5], row[7] = "", "", "", "", ""
			}
			if measure {
				row = append(row, measuredColumns(ed)...)
			}
			rows = append(rows, row)
		}
	}
	return header, rows, list, err
}

func listEdition(l *lisabench.Library, ed lisabench.Edition) listedEdition {
	e := listedEdition{Edition: string(ed), Strategies: map[string]int{}}
	if ed == lisabench.Debian {
		e.Source, e.Pin = l.Debian.Package, l.Debian.Version
	} else {
		e.Source, e.Pin = l.Upstream.Repo, l.Upstream.Commit
	}
	for _, b := range l.Bugs {
		e.Strategies[strategyIn(b, ed)]++
	}
	return e
}

// shortPin is a commit as git shortens it, or a version.
func shortPin(e listedEdition) string {
	if e.Edition == string(lisabench.Upstream) {
		return e.Pin[:7]
	}
	return e.Pin
}

// The order in which tables count strategies and selections.
var (
	strategyNames  = []string{string(lisabench.Revert), string(lisabench.PairOf), string(lisabench.OmitPatch), string(lisabench.EditTree), string(lisabench.Absent)}
	selectionNames = []string{string(lisabench.Protocol), string(lisabench.Extended)}
)

// counts shows how many there are of each as "7 revert, 3 pair".
func counts(m map[string]int, order []string) string {
	var parts []string
	for _, name := range order {
		if n := m[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	return strings.Join(parts, ", ")
}

func measuredColumns(e listedEdition) []string {
	m := e.Measured
	if m == nil {
		return []string{"n/a", "n/a", "n/a"}
	}
	return []string{fmt.Sprint(m.LoC), fmt.Sprint(m.TreeLoC), fmt.Sprint(m.APIs)}
}

// measureAll fetches and builds every library in every edition and fills in what is
// measured. What cannot be had is told and left out; the error is one of the harness.
func (a *app) measureAll(ctx context.Context, bench *lisabench.Bench, list *listedLibraries) (err error) {
	scratch, err := os.MkdirTemp("", "bench-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	shop, err := a.Workshop(ctx, bench, harness.Workplace{Sandbox: "none", Scratch: scratch, Jobs: 1})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	for i := range list.Libraries {
		l := &list.Libraries[i]
		for j := range l.Editions {
			e := &l.Editions[j]
			m, err := shop.Measure(ctx, l.Name, lisabench.Edition(e.Edition))
			switch {
			case ctx.Err() != nil:
				return err
			case err != nil:
				e.Unmeasured = err.Error()
				fmt.Fprintf(a.Stderr, "%s %s: not measured: %v\n", l.Name, e.Edition, err)
			default:
				e.Measured = m
			}
		}
	}
	return nil
}

type listedBugs struct {
	Schema int         `json:"schema"`
	Corpus string      `json:"corpus"` // version
	Bugs   []listedBug `json:"bugs"`   // by library, then from the newest fix
}

type listedBug struct {
	ID         string             `json:"id"`
	Library    string             `json:"library"`
	Fix        string             `json:"fix"`  // commit
	Date       string             `json:"date"` // of the fix, YYYY-MM-DD
	Title      string             `json:"title"`
	Symptom    string             `json:"symptom"`
	APIs       []string           `json:"apis"`
	Defect     string             `json:"defect"`
	Selection  string             `json:"selection"`
	Reference  string             `json:"reference,omitempty"` // issue, CVE
	WeakOracle bool               `json:"weak_oracle"`         // the documents promise only indirectly what the witness asserts
	Witness    string             `json:"witness"`             // SHA-256 of its source
	Upstream   *listedReintroduce `json:"upstream,omitempty"`
	Debian     *listedReintroduce `json:"debian,omitempty"`
}

type listedReintroduce struct {
	Strategy  string   `json:"strategy"`
	Commit    string   `json:"commit,omitempty"`     // reverted, or fixed side of a pair
	Parent    string   `json:"parent,omitempty"`     // buggy side of a pair
	Patch     string   `json:"patch,omitempty"`      // left out
	Files     []string `json:"files,omitempty"`      // edited
	Reason    string   `json:"reason,omitempty"`     // absent
	AlsoFails []string `json:"also_fails,omitempty"` // bugs that come back with it
}

func listBugs(bench *lisabench.Bench) (header []string, rows [][]string, values any) {
	list := listedBugs{Schema: listSchema, Corpus: bench.Version}
	for _, l := range bench.Libraries {
		for _, b := range l.Bugs {
			sum := sha256.Sum256([]byte(b.Witness.Source))
			e := listedBug{
				ID: b.ID, Library: b.Library, Fix: b.Fix, Date: b.Date, Title: b.Title, Symptom: b.Symptom, APIs: b.APIs,
				Defect: b.Defect, Selection: string(b.Selection), Reference: b.Reference, WeakOracle: b.Witness.WeakOracle,
				Witness:  hex.EncodeToString(sum[:]),
				Upstream: listReintroduce(b, lisabench.Upstream), Debian: listReintroduce(b, lisabench.Debian),
			}
			list.Bugs = append(list.Bugs, e)
			rows = append(rows, []string{e.ID, e.Date, e.Defect, e.Selection, strategyIn(b, lisabench.Upstream), strategyIn(b, lisabench.Debian), e.Title})
		}
	}
	return []string{"Bug", "Fixed", "Defect", "Selection", "Upstream", "Debian", "Title"}, rows, list
}

func listReintroduce(b *lisabench.Bug, ed lisabench.Edition) *listedReintroduce {
	how := b.In(ed)
	if how == nil {
		return nil
	}
	r := &listedReintroduce{Strategy: string(how.Strategy), Parent: how.Parent, Patch: how.Patch, Reason: how.Reason}
	if how.Strategy == lisabench.Revert || how.Strategy == lisabench.PairOf {
		r.Commit = b.FixCommit(ed)
	}
	for _, e := range how.Edits {
		if n := len(r.Files); n == 0 || r.Files[n-1] != e.File {
			r.Files = append(r.Files, e.File)
		}
	}
	for _, also := range how.AlsoFails {
		r.AlsoFails = append(r.AlsoFails, also.Bug)
	}
	return r
}

func strategyIn(b *lisabench.Bug, e lisabench.Edition) string {
	if how := b.In(e); how != nil {
		return string(how.Strategy)
	}
	return string(lisabench.Absent)
}
