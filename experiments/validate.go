package experiments

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxVariants, of one tool, catches a slip of the keyboard: nobody ablates a tool in more than some dozen ways.
const maxVariants = 1000

// name is what may stand in a cell's directory name between its dots.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_+-]{0,63}$`)

// validate refuses what has the right form and no sense, and fills in editions, bugs and what tools have by
// default. The error is not the user's.
func (d *document) validate(e *Experiment, known Known) error {
	d.named(e.Name)
	libraries := namesOf(e.Libraries, func(l LibrarySpec) string { return l.Name })
	d.libraries(e, known)
	for i := range e.Tools {
		if err := d.external(fmt.Sprintf("tools.%d", i), &e.Tools[i], known); err != nil {
			return err
		}
	}
	known = known.with(e.Tools)
	d.tools(e, libraries, known)
	d.models(e, known)
	return nil
}

func (d *document) named(experiment string) {
	if !name.MatchString(experiment) {
		d.wrong("name", "name %q: an experiment needs a name of up to 64 letters, digits, - and _", experiment)
	}
}

// libraries puts each library at each of its editions, with its bugs spelled out.
func (d *document) libraries(e *Experiment, known Known) {
	if len(e.Libraries) == 0 {
		d.wrong("libraries", "libraries: none to test")
	}
	first := map[string]string{}
	var resolved []LibrarySpec
	for i, l := range e.Libraries {
		path := fmt.Sprintf("libraries.%d", i)
		at := slices.IndexFunc(known.Libraries, func(o *lisabench.Library) bool { return o.Name == l.Name })
		if at < 0 {
			names := namesOf(known.Libraries, func(l *lisabench.Library) string { return l.Name })
			d.wrong(path+".name", "unknown library %q%s", l.Name, lisabench.Suggest(l.Name, names))
			continue
		}
		lib := known.Libraries[at]
		for _, edition := range d.editions(path, l) {
			key := fmt.Sprintf("%s (%s)", l.Name, edition)
			if was, twice := first[key]; twice {
				d.wrong(path, "library %s is listed twice, first at %s", key, was)
				continue
			}
			first[key] = d.nearest(path).at
			if d.has(path, lib, edition) {
				bugs := d.bugs(path+".bugs", lib, edition, l.Bugs)
				resolved = append(resolved, LibrarySpec{Name: l.Name, Edition: edition, Bugs: bugs})
			}
		}
	}
	e.Libraries = resolved
}

// has refuses an edition that the library has not.
func (d *document) has(path string, lib *lisabench.Library, e lisabench.Edition) bool {
	if e.Known() && lib.Has(e) {
		return true
	}
	own := lists.Filter([]string{string(lisabench.Debian), string(lisabench.Upstream)},
		func(name string) bool { return lib.Has(lisabench.Edition(name)) })
	d.wrong(path+".edition", "library %s has no edition %q%s", lib.Name, e, lisabench.Suggest(string(e), own))
	return false
}

// bugs returns the ids that the library's bugs stand for, in the order of the corpus.
func (d *document) bugs(path string, lib *lisabench.Library, e lisabench.Edition, given Bugs) Bugs {
	word, since := "", ""
	switch {
	case given == nil:
		word = BugsAvailable
	case len(given) == 1 && strings.HasPrefix(given[0], bugsSince):
		word, since = bugsSince, given[0][len(bugsSince):]
		if _, err := time.Parse(time.DateOnly, since); err != nil {
			d.wrong(path, "bugs of %s: since %q: not a day as in 2026-01-01", lib.Name, since)
		}
	case len(given) == 1 && !strings.Contains(given[0], "-"):
		word = given[0]
	}
	all := namesOf(lib.Bugs, func(b *lisabench.Bug) string { return b.ID })
	ids := Bugs{}
	switch word {
	case BugsNone:
	case BugsAvailable, BugsProtocol, bugsSince:
		for _, b := range lib.Bugs {
			if absent(b, e) == "" && b.Date >= since && (word != BugsProtocol || b.Selection == lisabench.Protocol) {
				ids = append(ids, b.ID)
			}
		}
	case "":
		for j, id := range given {
			at := fmt.Sprintf("%s.%d", path, j)
			k := slices.Index(all, id)
			if k < 0 {
				d.wrong(at, "unknown bug %q of %s%s", id, lib.Name, lisabench.Suggest(id, all))
				continue
			}
			if why := absent(lib.Bugs[k], e); why != "" {
				d.wrong(at, "bug %s cannot be had in the %s edition: %s", id, e, why)
			}
			if slices.Contains(ids, id) {
				d.wrong(at, "bug %s is listed twice", id)
			}
			ids = append(ids, id)
		}
		slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(slices.Index(all, a), slices.Index(all, b)) })
	default:
		d.wrong(path, "bugs of %s: %q is none of %s, %s, %s, %sDATE, nor a list of ids",
			lib.Name, word, BugsAvailable, BugsProtocol, BugsNone, bugsSince)
	}
	return ids
}

func namesOf[E any](list []E, name func(E) string) []string {
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = name(e)
	}
	return names
}

// absent says why a bug is not in an edition, "" if it is.
func absent(b *lisabench.Bug, e lisabench.Edition) string {
	r := cmp.Or(b.In(e), &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "the corpus does not say how"})
	if r.Strategy == lisabench.Absent {
		return r.Reason
	}
	return ""
}

func (d *document) tools(e *Experiment, libraries []string, known Known) {
	if len(e.Tools) == 0 {
		d.wrong("tools", "tools: none to run")
	}
	d.unique("tools", namesOf(e.Tools, func(t ToolSpec) string { return t.Name }),
		"tool %s is listed twice, first at %s: give it variants")
	for i, t := range e.Tools {
		path := fmt.Sprintf("tools.%d", i)
		k := known.tool(t.Name)
		if k == nil {
			names := namesOf(known.Tools, func(k ToolKind) string { return k.Name })
			d.wrong(path+".name", "unknown tool %q%s", t.Name, lisabench.Suggest(t.Name, names))
			continue
		}
		at := "budget"
		if t.Budget != nil {
			at = path + ".budget"
		}
		d.budget(at, e.part().budget(t), *k)
		d.variants(path, t)
		for n, l := range t.Libraries {
			if !slices.Contains(libraries, l) {
				d.wrong(fmt.Sprintf("%s.libraries.%d", path, n),
					"libraries of %s: unknown %q%s", t.Name, l, lisabench.Suggest(l, libraries))
			}
		}
	}
	if len(d.problems) > 0 { // names and parameters may be wrong
		return
	}
	for _, c := range e.Plan().Cells { // those that the experiment needs and does not name
		if k := known.tool(c.Tool); k != nil && e.part().tool(c.Tool) == nil && len(d.problems) == 0 {
			d.budget("budget", e.Budget, *k)
		}
	}
}

// budget refuses a budget that never ends.
func (d *document) budget(path string, b trial.Budget, tool ToolKind) {
	_, given := d.places[path]
	if tool.bound(b) != (trial.Budget{}) || b == (trial.Budget{}) && given && len(d.places[path].node.Content) > 0 {
		return // one that is all zeros does not conform to the schema
	}
	d.wrong(path, "budget: %s would never stop: set one or more of %s, which limit it, here or in a budget of its own",
		tool.Name, strings.Join(tool.Budgets(), ", "))
}

func (d *document) variants(path string, t ToolSpec) {
	for j, v := range t.Variants {
		if !name.MatchString(v.Name) {
			d.wrong(fmt.Sprintf("%s.variants.%d", path, j), "variant name %q of %s: use up to 64 letters, digits, - and _", v.Name, t.Name)
		}
	}
	combinations := max(1, len(t.Variants))
	for _, p := range sortedKeys(t.Sweep) {
		at := path + ".sweep." + p
		if len(t.Sweep[p]) == 0 {
			d.wrong(at, "sweep of %s over no values", p)
		}
		if slices.ContainsFunc(t.Variants, func(v Variant) bool { _, fixed := v.Params[p]; return fixed }) {
			d.wrong(at, "%s is swept and also fixed by a variant of %s", p, t.Name)
		}
		for j, v := range t.Sweep[p] {
			switch v.(type) {
			case string, bool, int, int64, uint64, float64:
			default:
				d.wrong(fmt.Sprintf("%s.%d", at, j), "sweep of %s: a swept value becomes part of a name, "+
					"so it is a number, a word or true or false", p)
			}
		}
		if combinations *= len(t.Sweep[p]); combinations > maxVariants {
			d.wrong(path+".sweep", "sweep of %s: more than %d variants", t.Name, maxVariants)
			return
		}
	}
	seen := map[string]bool{}
	for _, v := range t.expand() {
		if seen[v.Name] {
			d.wrong(path, "%s has two variants that are named %s", t.Name, v.Name)
		}
		seen[v.Name] = true
		if len(v.Name) > maxVariantName {
			d.wrong(path, "variant %s of %s: a name of %d bytes, and %d fit: sweep less at once",
				v.Name, t.Name, len(v.Name), maxVariantName)
		}
	}
}
