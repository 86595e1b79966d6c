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
	var f section
	switch p.options.Feedback {
	case feedbackCoverage:
		f = section{"What no test has used yet", p.coverage(t)}
	case feedbackContracts:
		f = section{"Promises that are not tested yet", p.contracts(t)}
	case feedbackMutants:
		f = section{survivors.Title, p.mutants(t)}
	}
	if f.Text != "" {
		g.Feedback = append(g.Feedback, f)
	}
	return g
}

// coverage tells which functions of the family, and which constants that its documents name, no
// program has used yet.
func (p *policy) coverage(t task) string {
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
	add := func(name string) {
		if named[name] && !used[name] {
			constants = append(constants, name)
		}
	}
	for _, e := range p.lib.spec.Enums {
		for _, c := range e.Constants {
			add(c.Name)
		}
	}
	for _, c := range p.lib.spec.Constants {
		add(c.Name)
	}
	var lines []string
	if len(functions) > 0 {
		lines = append(lines, "No test has called: "+strings.Join(functions, ", "))
	}
	if len(constants) > 0 {
		lines = append(lines, "No test has used: "+strings.Join(constants[:min(len(constants), maxConstants)], ", "))
	}
	return strings.Join(lines, "\n")
}

// These bound the lists in one prompt.
const (
	maxConstants = 60
	maxMutants   = 20
	maxPromises  = 40
)

// mutants lists changes to the library, in what a family's functions lead to, that the tests come to and that
// none notices.
func (p *policy) mutants(t task) string {
	to := survivors.Audience{Inputs: true, Most: maxMutants}
	for _, f := range t.family.apis {
		to.APIs = append(to.APIs, f.Canonical())
	}
	return p.survivors.Text(to)
}

// contracts lists promises of the documents about a family, those that no property cites first.
func (p *policy) contracts(t task) string {
	checked := map[string]int{} // by sentence cited: how often one run of all programs checks it
	for _, k := range p.kept {
		for _, s := range k.version.report.properties() {
			checked[flat(s.text)] += s.count
		}
	}
	var lists [2][]string // checked never, and once
	for _, promise := range p.lib.promises(t.family) {
		n := 0
		for s, count := range checked {
			if strings.Contains(flat(promise), s) || strings.Contains(s, flat(promise)) {
				n += count
			}
		}
		if n < len(lists) {
			lists[n] = append(lists[n], promise)
		}
	}
	text := ""
	for n, title := range []string{
		"No property cites these sentences of the documents yet:",
		"\nThese are checked at one value only, and not over a domain:",
	} {
		if list := lists[n][:min(len(lists[n]), maxPromises)]; len(list) > 0 {
			text += title + "\n\n- " + strings.Join(list, "\n- ") + "\n"
		}
	}
	return strings.TrimRight(text, "\n")
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
