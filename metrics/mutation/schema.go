package mutation

import (
	"fmt"
	"slices"
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

// withAll returns the source of a file with a switch at each place where mutants are. They are in order and numbered.
// Every line stays where it is. It refuses places that overlap, of which a syntax tree has none.
func withAll(source string, mutants []Mutant) (string, error) {
	var b strings.Builder
	var err error
	var write func(begin, end int)
	write = func(begin, end int) {
		for len(mutants) > 0 && mutants[0].Begin < end {
			first, n := mutants[0], 1
			for n < len(mutants) && sameSite(first, mutants[n]) {
				n++
			}
			if first.End > end {
				err = fmt.Errorf("%s: mutant %d and the place around it overlap", first.File, first.ID)
				return
			}
			at, choice := fmt.Sprintf("LISABENCH_AT(%d, %d, %d)", first.Site, first.ID, n), chosen(mutants[:n])
			mutants = mutants[n:]
			b.WriteString(source[begin:first.Begin])
			before, after := fmt.Sprintf("(%s ? %s : (", at, choice), "))"
			switch first.Form {
			case jump:
				before, after = fmt.Sprintf("if (%s) (void)0; else ", at), ""
			case effect:
				before = fmt.Sprintf("(%s ? (void)0 : (void)(", at)
			case truth:
				before = fmt.Sprintf("(%s ? %s : !!(", at, choice)
			}
			b.WriteString(before)
			write(first.Begin, first.End)
			b.WriteString(after)
			begin = first.End
		}
		b.WriteString(source[begin:end])
	}
	write(0, len(source))
	return b.String(), err
}

// chosen is the expression that is the selected one of the mutants of a place.
func chosen(mutants []Mutant) string {
	text := "(" + mutants[len(mutants)-1].Mutated + ")"
	if len(mutants) == 1 {
		return text
	}
	for _, m := range slices.Backward(mutants[:len(mutants)-1]) {
		text = fmt.Sprintf("LISABENCH_IS(%d) ? (%s) : %s", m.ID, m.Mutated, text)
	}
	return "(" + text + ")"
}
