package lisabench

import (
	"crypto/sha256"
	"encoding/hex"
)

// listSchema is the version of the JSON of bench list libraries and bench list bugs, which
// docs/reference/lisa-bench.md describes. Fields are added without changing it.
const listSchema = 1

// A LibraryList is the JSON form of bench list libraries.
type LibraryList struct {
	Schema    int             `json:"schema"`
	Corpus    string          `json:"corpus"` // version
	Libraries []ListedLibrary `json:"libraries"`
}

// A ListedLibrary is one library of it.
type ListedLibrary struct {
	Name      string          `json:"name"`
	Language  string          `json:"language"`
	Domain    string          `json:"domain"`
	Licence   string          `json:"licence"`
	Rules     int             `json:"rules"`
	Bugs      int             `json:"bugs"`
	Selection map[string]int  `json:"selection"` // bugs by protocol, extended and fresh
	Editions  []ListedEdition `json:"editions"`
}

// A ListedEdition is where a library comes from in one edition.
type ListedEdition struct {
	Edition    string         `json:"edition"`
	Source     string         `json:"source"`     // URL of the repository, or Debian source package
	Pin        string         `json:"pin"`        // full commit id, or version of the package
	Strategies map[string]int `json:"strategies"` // bugs by strategy
}

// ListLibraries returns what there is to say of every library.
func (b *Bench) ListLibraries() LibraryList {
	list := LibraryList{Schema: listSchema, Corpus: b.Version}
	for _, l := range b.Libraries {
		e := ListedLibrary{Name: l.Name, Language: string(l.Language), Domain: l.Domain, Licence: l.Licence,
			Rules: len(l.Rules), Bugs: len(l.Bugs), Selection: map[string]int{}}
		for _, b := range l.Bugs {
			e.Selection[string(b.Selection)]++
		}
		for _, ed := range []Edition{Debian, Fresh, Upstream} {
			if !l.Has(ed) || ed == Fresh && e.Selection[string(FreshlyAdded)] == 0 {
				continue
			}
			in := ListedEdition{Edition: string(ed), Strategies: map[string]int{}}
			if ed == Upstream {
				in.Source, in.Pin = l.Upstream.Repo, l.Upstream.Commit
			} else {
				in.Source, in.Pin = l.Debian.Package, l.Debian.Version
			}
			for _, b := range l.Bugs {
				if ed != Debian || b.Selection != FreshlyAdded {
					in.Strategies[listReintroduce(b, ed).String()]++
				}
			}
			e.Editions = append(e.Editions, in)
		}
		list.Libraries = append(list.Libraries, e)
	}
	return list
}

// A BugList is the JSON form of bench list bugs.
type BugList struct {
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
	Debian     *listedReintroduce `json:"debian,omitempty"` // of a fresh bug: in debian-fresh
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

// ListBugs returns what there is to say of the bugs of these libraries.
func (b *Bench) ListBugs(libraries []*Library) BugList {
	list := BugList{Schema: listSchema, Corpus: b.Version}
	for _, l := range libraries {
		for _, b := range l.Bugs {
			sum := sha256.Sum256([]byte(b.Witness.Source))
			list.Bugs = append(list.Bugs, listedBug{
				ID: b.ID, Library: b.Library, Fix: b.Fix, Date: b.Date, Title: b.Title, Symptom: b.Symptom, APIs: b.APIs,
				Defect: b.Defect, Selection: string(b.Selection), Reference: b.Reference, WeakOracle: b.Witness.WeakOracle,
				Witness:  hex.EncodeToString(sum[:]),
				Upstream: listReintroduce(b, Upstream), Debian: listReintroduce(b, Fresh),
			})
		}
	}
	return list
}

func listReintroduce(b *Bug, ed Edition) *listedReintroduce {
	how := b.In(ed)
	if how == nil {
		return nil
	}
	r := &listedReintroduce{Strategy: string(how.Strategy), Parent: how.Parent, Patch: how.Patch, Reason: how.Reason}
	if how.Strategy == Revert || how.Strategy == PairOf {
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

// String is the strategy; a bug that says nothing of an edition is absent.
func (r *listedReintroduce) String() string {
	if r == nil {
		return string(Absent)
	}
	return r.Strategy
}
