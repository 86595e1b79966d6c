package lisabench

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Edition says where a library's source comes from.
type Edition string

// The editions.
const (
	Upstream Edition = "upstream" // git, pinned commit
	Debian   Edition = "debian"   // Debian 12 source package, fetched with apt
	// Fresh is that package with the fixes of the fresh bugs too. Results on Debian stay comparable when bugs are added.
	Fresh Edition = "debian-fresh"
)

// A Library is the contents of its library.yaml, rules.yaml and bugs/.
type Library struct {
	Schema       int            `yaml:"schema"`
	Name         string         `yaml:"name" check:"name,required"`
	Domain       string         `yaml:"domain" check:"required"`
	Description  string         `yaml:"description" check:"required"` // one sentence for prompts and reports
	Language     trial.Language `yaml:"language" check:"c|c++,required"`
	Licence      string         `yaml:"licence" check:"required"`
	Upstream     *UpstreamPin   `yaml:"upstream"` // nil: no such edition
	Debian       *DebianPin     `yaml:"debian"`   // nil: no such edition
	Recipe       Recipe         `yaml:"recipe"`
	Headers      []string       `yaml:"headers" check:"path,required,unique"` // public, relative to the tree; see InstalledHeaders
	ExcludedAPIs []ExcludedAPI  `yaml:"excluded_apis" check:"unique"`
	// AlsoInstalled are other names under which distributions install headers, and headers that are for others than the
	// library's users: programs may include them, tools are not told. The values are paths in the tree.
	AlsoInstalled map[string]string `yaml:"also_installed" check:"path" json:",omitempty"`
	Documents     []string          `yaml:"documents" check:"path"`       // for the knowledge base, relative to the tree
	HideFromTools []string          `yaml:"hide_from_tools" check:"glob"` // globs beside the built-in ones (tests, changelogs, debian/)
	FuzzTargets   []FuzzTarget      `yaml:"fuzz_targets" check:"unique"`
	Rules         []Rule            `yaml:"-"` // of rules.yaml, in its order
	Bugs          []*Bug            `yaml:"-"` // sorted by the number in their id

	// EditionDocuments are documents that only one edition has, or has in another place.
	EditionDocuments map[Edition][]string `yaml:"edition_documents" keys:"upstream|debian" check:"path"`
}

// An UpstreamPin is a commit of a git repository.
type UpstreamPin struct {
	Repo   string `yaml:"repo" check:"url,required"`      // URL as published; git's url.insteadOf may point it elsewhere
	Commit string `yaml:"commit" check:"commit,required"` // full 40 hex digits
	Note   string `yaml:"note"`
}

// A DebianPin is a version of a Debian source package.
type DebianPin struct {
	Package   string     `yaml:"package" check:"package,required"`
	Version   string     `yaml:"version" check:"version,required"`
	DscSHA256 string     `yaml:"dsc_sha256" check:"sha256,required"`
	Backports []Backport `yaml:"backports" check:"unique"` // fixes that the package lacks, applied to make the reference
}

// A Backport applies an upstream fix to the Debian source, so that its bug can be
// re-introduced by leaving it out.
type Backport struct {
	Bug   string `yaml:"bug"` // id of the bug it fixes
	Edits []Edit `yaml:"edits" check:"required"`
}

// An Edit replaces text in one file of a tree. It is refused unless Anchor occurs in the
// file exactly once.
type Edit struct {
	File        string `yaml:"file" check:"path,required"`
	Anchor      string `yaml:"anchor" check:"required"`
	Replacement string `yaml:"replacement"`
}

// A Recipe builds a library from its sources without its own build system, unless
// Configure is given.
type Recipe struct {
	Sources   []string    `yaml:"sources" check:"glob"`   // relative to the tree; globs allowed
	Exclude   []string    `yaml:"exclude" check:"path"`   // of what the globs match
	Defines   []string    `yaml:"defines" check:"define"` // NAME or NAME=VALUE
	Includes  []string    `yaml:"includes" check:"path"`  // directories of the tree; also what public headers are installed relative to
	CFlags    []string    `yaml:"cflags"`
	Copy      []CopyStep  `yaml:"copy"`      // generated headers that ship prebuilt
	Write     []WriteStep `yaml:"write"`     // generated headers small enough to state here
	Configure [][]string  `yaml:"configure"` // argv each, run in the tree, where unavoidable
	// Unused are files and directories that neither the sources nor these steps read. They are
	// left out of the copy of the tree in which the steps generate their files.
	Unused   []string            `yaml:"unused" check:"path" json:",omitempty"`
	Link     []string            `yaml:"link"`                            // e.g. -lm
	Needs    []string            `yaml:"needs" check:"package"`           // Debian packages the build needs, e.g. zlib1g-dev; on one line, for scripts/install.sh
	SONAME   string              `yaml:"soname" check:"soname"`           // e.g. libz.so.1
	Editions map[Edition]*Recipe `yaml:"editions" keys:"upstream|debian"` // fields that replace the ones above in one edition
}

// A CopyStep copies a file of the tree.
type CopyStep struct {
	From string `yaml:"from" check:"path,required"`
	To   string `yaml:"to" check:"path,required"`
}

// A WriteStep writes a file into the tree.
type WriteStep struct {
	To   string `yaml:"to" check:"path,required"`
	Text string `yaml:"text"`
}

// An ExcludedAPI is a function that no tool is asked to test, by its exact name.
type ExcludedAPI struct {
	Name   string `yaml:"name" check:"function,required"`
	Reason string `yaml:"reason" check:"required"`
}

// A FuzzTarget is an official libFuzzer harness.
type FuzzTarget struct {
	Name   string `yaml:"name" check:"name,required"`
	Origin string `yaml:"origin" check:"tree|oss-fuzz,required"` // tree, or oss-fuzz (that repository at OSSFuzzCommit)
	Source string `yaml:"source" check:"path,required"`          // relative to the tree, or to projects/<project> of oss-fuzz
	// Commit of the library's upstream repository has the source, and a dictionary of the tree,
	// for editions whose own tree lacks the source; empty: such an edition has no harness.
	Commit     string   `yaml:"commit" check:"commit"`
	Seeds      []string `yaml:"seeds" check:"glob"` // files, directories or globs in the tree
	Dictionary string   `yaml:"dictionary" check:"path"`
	// DictionaryOrigin is where the dictionary lies, as in Origin; empty: where the source does.
	DictionaryOrigin string   `yaml:"dictionary_origin" check:"tree|oss-fuzz"`
	Defines          []string `yaml:"defines" check:"define"`
	Options          []string `yaml:"options" check:"flag"`
}

// A Selection says how a bug came into the corpus.
type Selection string

// The selections: by the paper's protocol (newest fixes first), or beyond it.
const (
	Protocol Selection = "protocol"
	Extended Selection = "extended"
	// Added after results on the corpus were published: in the edition Fresh and not in Debian.
	FreshlyAdded Selection = "fresh"
)

// A Bug is a historical functional defect that can be re-introduced.
type Bug struct {
	ID        string       `yaml:"id" check:"bug,required"`
	Library   string       `yaml:"library"`
	Fix       string       `yaml:"fix" check:"fix,required"`   // commit, or "changelog: " and what it says
	Date      string       `yaml:"date" check:"date,required"` // of the fix, YYYY-MM-DD
	Title     string       `yaml:"title" check:"required"`
	Symptom   string       `yaml:"symptom" check:"required"`
	APIs      []string     `yaml:"apis" check:"function,required,unique"`
	Defect    string       `yaml:"defect"` // one of Defects
	Selection Selection    `yaml:"selection" check:"protocol|extended|fresh,required"`
	Reference string       `yaml:"reference"` // issue, CVE
	Note      string       `yaml:"note"`
	Upstream  *Reintroduce `yaml:"upstream"`
	Debian    *Reintroduce `yaml:"debian"`
	Witness   Witness      `yaml:"witness"`
}

// A Strategy says how a bug is re-introduced.
type Strategy string

// The strategies.
const (
	Revert    Strategy = "revert"     // git revert of the fix on the pin
	PairOf    Strategy = "pair"       // fixed = fix commit, buggy = its parent
	OmitPatch Strategy = "omit_patch" // the Debian source without one of its patches
	EditTree  Strategy = "edit"       // our own anchored replacements on the reference
	FixOnly   Strategy = "backport"   // the Debian source without this fix of it, which the reference of Fresh has
	Absent    Strategy = "absent"     // not in this edition, with a reason
)

// Reintroduce is how a bug comes back in one edition.
type Reintroduce struct {
	Strategy  Strategy    `yaml:"strategy"`
	Commit    string      `yaml:"commit" check:"commit"`     // revert: the fix; default Bug.Fix
	Parent    string      `yaml:"parent" check:"commit"`     // pair: the buggy commit
	Patch     string      `yaml:"patch" check:"path"`        // omit_patch: name in debian/patches/series
	Edits     []Edit      `yaml:"edits"`                     // edit; backport: the fix
	Reason    string      `yaml:"reason"`                    // absent
	AlsoFails []AlsoFails `yaml:"also_fails" check:"unique"` // other bugs that come back with this one

	diff string // what it changes, where it is not by edits: BUG.EDITION.diff, if there is one
}

// Diff shows what is otherwise where the bug is: the lines taken out and put in, file by file, or where they are
// not at hand the strategy.
func (r *Reintroduce) Diff() string {
	switch {
	case r == nil:
		return ""
	case r.diff != "":
		return r.diff
	case len(r.Edits) == 0:
		return "re-introduced by " + string(r.Strategy) + "\n"
	}
	var b strings.Builder
	for _, e := range r.Edits {
		fmt.Fprintf(&b, "--- %s\n+++ %[1]s\n", e.File)
		from, to := e.Anchor, e.Replacement
		if r.Strategy == FixOnly {
			from, to = to, from
		}
		for _, part := range []struct{ sign, text string }{{"-", from}, {"+", to}} {
			for line := range strings.Lines(part.text) {
				fmt.Fprintf(&b, "%s%s\n", part.sign, strings.TrimRight(line, "\n"))
			}
		}
	}
	return b.String()
}

// AlsoFails declares that a bug's buggy build has another bug too, so that the witness of
// that one fails there.
type AlsoFails struct {
	Bug    string `yaml:"bug"`
	Reason string `yaml:"reason" check:"required"`
}

// A Witness is our own small program that exits 0 on the reference build and fails on
// the buggy one.
type Witness struct {
	File       string `yaml:"file"`        // in bugs/, beside the bug's YAML
	TimeoutSec int    `yaml:"timeout_sec"` // 0: the harness's default; for hangs
	WeakOracle bool   `yaml:"weak_oracle"`
	Source     string `yaml:"-"`
}

// A Rule is something that a user of the library has to know to write a correct program:
// what to initialise, in which order to call, what to clean up. Rules reach tools, so they
// are taken from the library's own documents and never from its bugs.
type Rule struct {
	ID     string     `yaml:"id" check:"rule,required"`     // unique within the library, e.g. zlib-init-fields
	Text   string     `yaml:"text" check:"required"`        // in our own words, as an instruction
	APIs   []string   `yaml:"apis" check:"function,unique"` // functions or macros that it is about; empty: the whole library
	Source RuleSource `yaml:"source"`                       // what it follows from
}

// A RuleSource is a place in one of the library's documents or public headers.
type RuleSource struct {
	Document string `yaml:"document"`               // path as in Library.DocumentsFor of some edition, or Library.Headers
	Place    string `yaml:"place" check:"required"` // for a person: a section, the comment of a function
}

// ruleFile is the form of rules.yaml.
type ruleFile struct {
	Schema int    `yaml:"schema"`
	Rules  []Rule `yaml:"rules" check:"unique"`
}
