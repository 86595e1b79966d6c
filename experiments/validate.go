package experiments

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// These limits catch slips of the keyboard: no experiment of the field has more than a
// hundred trials, or ablates a tool in more than some dozen ways.
const (
	maxTrials   = 1000
	maxRepeats  = 100
	maxMutants  = 1_000_000
	maxVariants = 1000 // of one tool
)

// name is what may stand in a cell's directory name between its dots.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_+-]{0,63}$`)

// validate refuses what has the right form and no sense, and fills in the bugs.
func (d *document) validate(e *Experiment, known Known) {
	if !name.MatchString(e.Name) {
		d.wrong([]any{"name"}, "name %q: an experiment needs a name of up to 64 letters, digits, - and _", e.Name)
	}
	d.between("trials", e.Trials, 1, maxTrials, "trials")
	d.between("jobs", e.Jobs, 0, 1024, "jobs")
	d.between("test.repeats", e.Test.Repeats, 1, maxRepeats, "test", "repeats")
	d.between("test.mutants", e.Test.Mutants, AllMutants, maxMutants, "test", "mutants")
	if e.Test.Timeout <= 0 {
		d.wrong([]any{"test", "timeout"}, "test.timeout: %s is no time to run in", e.Test.Timeout)
	}
	d.oneOf("sandbox", e.Sandbox, Sandboxes, "sandbox")
	d.libraries(e, known)
	for i, t := range e.Tools {
		d.external(i, t, known.Tools)
	}
	known = known.with(e.Tools)
	e.compare(known)
	d.tools(e, known)
	d.models(e, known)
}

func (d *document) between(what string, n, low, high int, path ...any) {
	if n < low || n > high {
		d.wrong(path, "%s: %d is not between %d and %d", what, n, low, high)
	}
}

func (d *document) oneOf(what, value string, known []string, path ...any) {
	if !slices.Contains(known, value) {
		d.wrong(path, "%s: unknown %q%s", what, value, lisabench.Suggest(value, known))
	}
}

func (d *document) libraries(e *Experiment, known Known) {
	if len(e.Libraries) == 0 {
		d.wrong([]any{"libraries"}, "libraries: none to test")
	}
	byName := map[string]*lisabench.Library{}
	var names []string
	for _, l := range known.Libraries {
		byName[l.Name] = l
		names = append(names, l.Name)
	}
	type subject struct {
		name    string
		edition lisabench.Edition
	}
	first := map[subject]int{}
	for i := range e.Libraries {
		l := &e.Libraries[i]
		lib := byName[l.Name]
		if lib == nil {
			d.wrong([]any{"libraries", i, "name"}, "unknown library %q%s", l.Name, lisabench.Suggest(l.Name, names))
			continue
		}
		s := subject{l.Name, l.Edition}
		if j, twice := first[s]; twice {
			was, _ := d.find("libraries", j)
			d.wrong([]any{"libraries", i}, "library %s (%s) is listed twice, first at %s", l.Name, l.Edition, d.at(was))
			continue
		}
		first[s] = i
		if d.edition(i, lib, l.Edition) {
			l.Bugs = d.bugs(i, lib, *l)
		}
	}
}

func (d *document) edition(i int, lib *lisabench.Library, e lisabench.Edition) bool {
	var have []string
	if lib.Debian != nil {
		have = append(have, string(lisabench.Debian))
	}
	if lib.Upstream != nil {
		have = append(have, string(lisabench.Upstream))
	}
	if e.Known() && slices.Contains(have, string(e.Base())) {
		return true
	}
	d.wrong([]any{"libraries", i, "edition"}, "library %s has no edition %q%s", lib.Name, e, lisabench.Suggest(string(e), have))
	return false
}

// bugs returns the ids that the library's bugs stand for, in the order of the corpus.
func (d *document) bugs(i int, lib *lisabench.Library, l LibrarySpec) Bugs {
	place := []any{"libraries", i, "bugs"}
	node, given := d.find(place...)
	chosen := func(*lisabench.Bug) bool { return true }
	switch {
	case given && node.Kind == yaml.SequenceNode:
		return d.listed(place, lib, l)
	case !given || node.Value == BugsAvailable:
	case node.Value == BugsProtocol:
		chosen = func(b *lisabench.Bug) bool { return b.Selection == lisabench.Protocol }
	case node.Value == BugsNone:
		chosen = func(*lisabench.Bug) bool { return false }
	case strings.ContainsAny(node.Value, "-,"): // ids in one text, as on a command line
		l.Bugs = strings.Split(strings.ReplaceAll(node.Value, " ", ""), ",")
		return d.listed(place, lib, l)
	default:
		d.wrong(place, "bugs of %s: %q is none of %s, %s, %s, nor a list of ids", l.Name, node.Value, BugsAvailable, BugsProtocol, BugsNone)
	}
	ids := Bugs{}
	for _, b := range lib.Bugs {
		if why := absent(b, l.Edition); why == "" && chosen(b) {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

func (d *document) listed(place []any, lib *lisabench.Library, l LibrarySpec) Bugs {
	var all []string
	for _, b := range lib.Bugs {
		all = append(all, b.ID)
	}
	wanted := map[string]bool{}
	for j, id := range l.Bugs {
		at := append(slices.Clone(place), j)
		k := slices.Index(all, id)
		if k < 0 {
			d.wrong(at, "unknown bug %q of %s%s", id, l.Name, lisabench.Suggest(id, all))
			continue
		}
		if why := absent(lib.Bugs[k], l.Edition); why != "" {
			d.wrong(at, "bug %s cannot be had in the %s edition: %s", id, l.Edition, why)
		}
		if wanted[id] {
			d.wrong(at, "bug %s is listed twice", id)
		}
		wanted[id] = true
	}
	ids := Bugs{}
	for _, id := range all {
		if wanted[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// absent says why a bug is not in an edition, "" if it is.
func absent(b *lisabench.Bug, e lisabench.Edition) string {
	r := b.In(e)
	switch {
	case r == nil:
		return "the corpus does not say how"
	case r.Strategy == lisabench.Absent:
		return r.Reason
	}
	return ""
}

func (d *document) tools(e *Experiment, known Known) {
	if len(e.Tools) == 0 {
		d.wrong([]any{"tools"}, "tools: none to run")
	}
	var names []string
	for _, k := range known.Tools {
		names = append(names, k.Name)
	}
	first := map[string]int{}
	for i, t := range e.Tools {
		k := slices.Index(names, t.Name)
		if k < 0 {
			d.wrong([]any{"tools", i, "name"}, "unknown tool %q%s", t.Name, lisabench.Suggest(t.Name, names))
			continue
		}
		if j, twice := first[t.Name]; twice {
			was, _ := d.find("tools", j)
			d.wrong([]any{"tools", i}, "tool %s is listed twice, first at %s: give it variants", t.Name, d.at(was))
			continue
		}
		first[t.Name] = i
		place := []any{"budget"}
		if t.Budget != nil {
			place = []any{"tools", i, "budget"}
		}
		d.budget(place, e.parts()[0].budget(t), known.Tools[k])
		d.variants(i, t)
		d.onLibraries(i, t, e)
	}
	d.used(e, known)
	d.positive("budget")
	for i := range e.Tools {
		d.positive("tools", i, "budget")
	}
}

// onLibraries refuses a tool on a library that the experiment has not.
func (d *document) onLibraries(i int, t ToolSpec, e *Experiment) {
	var names []string
	for _, l := range e.Libraries {
		names = append(names, l.Name)
	}
	for n, l := range t.Libraries {
		d.oneOf("libraries of "+t.Name, l, names, "tools", i, "libraries", n)
	}
}

// used refuses a budget that never ends of the tools that the experiment needs and does not name.
func (d *document) used(e *Experiment, known Known) {
	if len(d.problems) > 0 { // names and parameters may be wrong
		return
	}
	for _, k := range known.Tools {
		needed := func(c Cell) bool { return c.Tool == k.Name }
		named := func(t ToolSpec) bool { return t.Name == k.Name }
		if !slices.ContainsFunc(e.Tools, named) && slices.ContainsFunc(e.Plan().Cells, needed) {
			d.budget([]any{"budget"}, e.parts()[0].Budget, k)
		}
	}
}

// budget refuses a budget that never ends.
func (d *document) budget(place []any, b trial.Budget, tool ToolKind) {
	if tool.bound(b) != (trial.Budget{}) {
		return
	}
	may := strings.Join(tool.Budgets(), ", ")
	switch {
	case tool.Fuzzes && b.Programs > 0:
		d.wrong(place, "budget: %s makes inputs and no programs, so programs would never stop it: give it a budget of its own, with one or more of %s", tool.Name, may)
		return
	case b.Execs > 0:
		d.wrong(place, "budget: %s is no fuzzer, so execs would never stop it: set one or more of %s", tool.Name, may)
		return
	case b != (trial.Budget{}):
		d.wrong(place, "budget: %s asks no model, so llm_calls, tokens and dollars would never stop it: set one or more of %s", tool.Name, may)
		return
	}
	if node, given := d.find(place...); given && len(node.Content) > 0 {
		return // all of it is zero, which positive reports
	}
	d.wrong(place, "budget: %s has no limit and would never stop: set one or more of %s", tool.Name, may)
}

// positive refuses limits of zero or less: nothing can be had for them, and in a Budget zero
// means no limit.
func (d *document) positive(path ...any) {
	node, given := d.find(path...)
	if !given || node.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		k, v := node.Content[i], node.Content[i+1]
		n, err := strconv.ParseFloat(v.Value, 64)
		if t, terr := time.ParseDuration(v.Value); terr == nil {
			n, err = t.Seconds(), nil
		}
		if err == nil && n <= 0 {
			d.problem(d.at(v), "budget.%s: %s: must be greater than 0; omit the key for no limit", k.Value, v.Value)
		}
	}
}

func (d *document) variants(i int, t ToolSpec) {
	fixed := map[string]bool{}
	for j, v := range t.Variants {
		if !name.MatchString(v.Name) {
			d.wrong([]any{"tools", i, "variants", j}, "variant name %q of %s: use up to 64 letters, digits, - and _", v.Name, t.Name)
		}
		for p := range v.Params {
			fixed[p] = true
		}
	}
	for _, p := range sortedKeys(t.Sweep) {
		if len(t.Sweep[p]) == 0 {
			d.wrong([]any{"tools", i, "sweep", p}, "sweep of %s over no values", p)
		}
		if fixed[p] {
			d.wrong([]any{"tools", i, "sweep", p}, "%s is swept and also fixed by a variant of %s", p, t.Name)
		}
		for j, v := range t.Sweep[p] {
			if !scalar(v) {
				d.wrong([]any{"tools", i, "sweep", p, j}, "sweep of %s: a swept value becomes part of a name, so it is a number, a word or true or false", p)
			}
		}
	}
	combinations := max(1, len(t.Variants))
	for _, values := range t.Sweep {
		if combinations *= len(values); combinations > maxVariants {
			d.wrong([]any{"tools", i, "sweep"}, "sweep of %s: more than %d variants", t.Name, maxVariants)
			return
		}
	}
	seen := map[string]bool{}
	for _, v := range t.expand() {
		if seen[v.Name] {
			d.wrong([]any{"tools", i}, "%s has two variants that are named %s", t.Name, v.Name)
		}
		seen[v.Name] = true
		if len(v.Name) > maxVariantName {
			d.wrong([]any{"tools", i}, "variant %s of %s: a name of %d bytes, and %d fit: sweep less at once", v.Name, t.Name, len(v.Name), maxVariantName)
		}
	}
}

func scalar(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, uint64, float64:
		return true
	}
	return false
}
