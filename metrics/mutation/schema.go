package mutation

import (
	"fmt"
	"strings"
)

// The files that a tree with all mutants has beside its own.
const schemaHeader = "lisabench_mutants.h"

// schemaDeclarations is what the rewritten sources are compiled with. The notes are no
// characters: these may alias anything, and would cost the unmutated path its optimisations.
const schemaDeclarations = `// What the mutated sources ask at each place: is it this one's turn?
#ifndef LISABENCH_MUTANTS_H
#define LISABENCH_MUTANTS_H
#ifdef __cplusplus
extern "C" {
#endif
extern __attribute__((visibility("hidden"))) int lisabench_mutant;
extern __attribute__((visibility("hidden"))) unsigned short lisabench_reached[];
#ifdef __cplusplus
}
#endif
#define LISABENCH_AT(site, first, n) (lisabench_reached[site] = 1, (unsigned)(lisabench_mutant - (first)) < (n))
#define LISABENCH_IS(id) (lisabench_mutant == (id))
#endif
`

// schemaDefinitions returns the source of the selector and of the notes, which fill whole
// pages, so that other memory can be mapped over them.
func schemaDefinitions(sites int) string {
	const page, size = 4096, 2
	elements := (sites*size + page - 1) / page * page / size
	return fmt.Sprintf(`#include "`+schemaHeader+`"

#ifdef __cplusplus
extern "C" {
#endif
int lisabench_mutant;
__attribute__((aligned(%d))) unsigned short lisabench_reached[%d];
__attribute__((visibility("default"))) int *lisabench_selector(void);
__attribute__((visibility("default"))) int *lisabench_selector(void) { return &lisabench_mutant; }
__attribute__((visibility("default"))) unsigned short *lisabench_notes(unsigned *sites);
__attribute__((visibility("default"))) unsigned short *lisabench_notes(unsigned *sites) {
	*sites = %d;
	return lisabench_reached;
}
#ifdef __cplusplus
}
#endif
`, page, max(elements, page/size), sites)
}

// A place is where mutants are, with the places in it.
type place struct {
	mutants []Mutant // at least one; their IDs follow each other
	inside  []*place
}

func (p *place) begin() int { return p.mutants[0].Begin }
func (p *place) end() int   { return p.mutants[0].End }

// places arranges the mutants of one file, which are in order and numbered. It refuses places
// that overlap, of which a syntax tree has none.
func places(mutants []Mutant) ([]*place, error) {
	root := &place{}
	stack := []*place{root}
	for i := 0; i < len(mutants); {
		p := &place{}
		for ; i < len(mutants) && (len(p.mutants) == 0 || sameSite(p.mutants[0], mutants[i])); i++ {
			p.mutants = append(p.mutants, mutants[i])
		}
		for len(stack) > 1 && stack[len(stack)-1].end() <= p.begin() {
			stack = stack[:len(stack)-1]
		}
		around := stack[len(stack)-1]
		if around != root && p.end() > around.end() {
			return nil, fmt.Errorf("%s: mutants %d and %d overlap", p.mutants[0].File, around.mutants[0].ID, p.mutants[0].ID)
		}
		around.inside = append(around.inside, p)
		stack = append(stack, p)
	}
	return root.inside, nil
}

// withAll returns the source of a file with a switch at each place. Every line stays where
// it is.
func withAll(source string, mutants []Mutant) (string, error) {
	all, err := places(mutants)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	writeRange(&b, source, 0, len(source), all)
	return b.String(), nil
}

// writeRange writes source[begin:end] with the places in it.
func writeRange(b *strings.Builder, source string, begin, end int, inside []*place) {
	for _, p := range inside {
		b.WriteString(source[begin:p.begin()])
		p.write(b, source)
		begin = p.end()
	}
	b.WriteString(source[begin:end])
}

func (p *place) write(b *strings.Builder, source string) {
	first := p.mutants[0]
	at := fmt.Sprintf("LISABENCH_AT(%d, %d, %d)", first.Site, first.ID, len(p.mutants))
	original := func() { writeRange(b, source, p.begin(), p.end(), p.inside) }
	switch first.Form {
	case jump:
		fmt.Fprintf(b, "if (%s) (void)0; else ", at)
		original()
	case effect:
		fmt.Fprintf(b, "(%s ? (void)0 : (void)(", at)
		original()
		b.WriteString("))")
	case truth:
		fmt.Fprintf(b, "(%s ? %s : !!(", at, p.choice())
		original()
		b.WriteString("))")
	default:
		fmt.Fprintf(b, "(%s ? %s : (", at, p.choice())
		original()
		b.WriteString("))")
	}
}

// choice returns the expression that is the selected mutant of the place.
func (p *place) choice() string {
	var b strings.Builder
	for i, m := range p.mutants {
		if i < len(p.mutants)-1 {
			fmt.Fprintf(&b, "LISABENCH_IS(%d) ? ", m.ID)
		}
		b.WriteString("(" + m.Mutated + ")")
		if i < len(p.mutants)-1 {
			b.WriteString(" : ")
		}
	}
	if len(p.mutants) == 1 {
		return b.String()
	}
	return "(" + b.String() + ")"
}
