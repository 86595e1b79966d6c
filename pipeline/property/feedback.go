package property

import (
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
)

// testPage asks for a new program.
func (p *policy) testPage(t task) page {
	g := p.lib.page(p.plan, t)
	if p.options.Feedback == feedbackNone || len(p.kept) == 0 {
		return g
	}
	for _, k := range p.kept {
		if k.task.family != t.family {
			continue
		}
		for _, s := range k.sentences {
			if !slices.Contains(g.Done, s) && len(g.Done) < maxDone {
				g.Done = append(g.Done, s)
			}
		}
	}
	ask := map[string]func(task) section{
		feedbackCoverage: p.coverage, feedbackContracts: p.contracts, feedbackMutants: p.mutants,
	}[p.options.Feedback]
	if f := ask(t); f.Text != "" {
		g.Feedback = append(g.Feedback, f)
	}
	return g
}

// coverage tells which functions of the family, and which constants that its documents name, no
// program has used yet.
func (p *policy) coverage(t task) section {
	used := map[string]bool{}
	for _, k := range p.kept {
		for _, w := range word.FindAllString(k.version.source, -1) {
			used[w] = true
		}
	}
	var functions, constants []string
	named := map[string]bool{}
	for _, f := range t.family.apis {
		names := append([]string{f.Name[strings.LastIndex(f.Name, ":")+1:]}, p.lib.spec.CalledThrough(f)...)
		if !slices.ContainsFunc(names, func(n string) bool { return used[n] }) {
			functions = append(functions, f.Canonical())
		}
		for _, w := range word.FindAllString(p.lib.spec.DocOf(f), -1) {
			named[w] = true
		}
	}
	for _, e := range p.lib.spec.Enums {
		for _, c := range e.Constants {
			constants = append(constants, c.Name)
		}
	}
	for _, c := range p.lib.spec.Constants {
		constants = append(constants, c.Name)
	}
	constants = slices.DeleteFunc(constants, func(name string) bool { return !named[name] || used[name] })
	var lines []string
	if len(functions) > 0 {
		lines = append(lines, "No test has called: "+strings.Join(functions, ", "))
	}
	if len(constants) > 0 {
		lines = append(lines, "No test has used: "+strings.Join(constants[:min(len(constants), maxConstants)], ", "))
	}
	return section{"What no test has used yet", strings.Join(lines, "\n")}
}

// These bound the lists in one prompt.
const (
	maxConstants = 60
	maxMutants   = 20
	maxPromises  = 40
)

// mutants lists changes to the library, in what a family's functions lead to, that the tests come to and that
// none notices.
func (p *policy) mutants(t task) section {
	to := survivors.Audience{Inputs: true, Most: maxMutants}
	for _, f := range t.family.apis {
		to.APIs = append(to.APIs, f.Canonical())
	}
	return section{survivors.Title, p.survivors.Text(to)}
}

// contracts lists promises of the documents about a family, those that no property cites first.
func (p *policy) contracts(t task) section {
	checked := map[string]int{} // by sentence cited: how often one run of all programs checks it
	for _, k := range p.kept {
		for _, test := range k.version.report.tests {
			for _, s := range test.properties {
				checked[flat(s.text)] += s.count
			}
		}
	}
	var none, one []string
	for _, promise := range p.lib.promises(t.family) {
		n := 0
		for _, s := range sorted(checked) {
			if strings.Contains(flat(promise), s) || strings.Contains(s, flat(promise)) {
				n += checked[s]
			}
		}
		switch n {
		case 0:
			none = append(none, promise)
		case 1:
			one = append(one, promise)
		}
	}
	text := ""
	list := func(title string, promises []string) {
		if len(promises) > 0 {
			text += title + "\n\n- " + strings.Join(promises[:min(len(promises), maxPromises)], "\n- ") + "\n"
		}
	}
	list("No property cites these sentences of the documents yet:", none)
	list("\nThese are checked at one value only, and not over a domain:", one)
	return section{"Promises that are not tested yet", strings.TrimRight(text, "\n")}
}

// promising is what a sentence says that promises something.
var promising = regexp.MustCompile(`(?i)\b(?:must|shall|will|returns?|returned|is set|are set|never|always|only if|unless|otherwise|guarantee[sd]?|is (?:equal|identical|the same|zero|not|an error|ignored|undefined)|if|error|cannot|may not|at (?:most|least)|default)\b`)

var sentenceEnd = regexp.MustCompile(`[.;!](?:\s|$)|\n\s*\n`)

// Lengths of a sentence that can be cited, in bytes.
const minPromise, maxPromise = 25, 300

// promises are the sentences about a family's functions that promise something, in the order of the
// documents.
func (l *library) promises(f *family) []string {
	var list []string
	seen := map[string]bool{}
	for _, a := range f.apis {
		for _, s := range sentenceEnd.Split(l.spec.DocOf(a), -1) {
			s = oneLine(s)
			if len(s) < minPromise || len(s) > maxPromise || seen[s] || !promising.MatchString(s) {
				continue
			}
			if _, why := l.documents.Find(s); why == "" {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// flat is a text without white space and in lower case.
func flat(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
