package property

import (
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// An alterer holds programs against a library whose functions return something else: one function
// at a time returns another number, or does nothing. A program none of whose properties notices any of that
// cannot fail. It is for C only.
type alterer struct {
	checker   *checker
	functions []interpose.Function // none of a library in C++
	headers   []string
	most      int // alterations of one program; 0: none
}

// together is how many alterations are tried at once: most programs notice one of the first.
const together = 4

// An alteration is statements around the call of one function.
type alteration struct {
	function      interpose.Function
	before, after string
}

// alterations of the functions that a program calls, at most most: another number of each function, then nothing done
// by each.
func (a *alterer) alterations(source string) []alteration {
	words := word.FindAllString(source, -1)
	var numbers, nothing []alteration
	for _, f := range a.functions {
		if !slices.ContainsFunc(f.Names, func(name string) bool { return slices.Contains(words, name) }) {
			continue
		}
		switch f.Function.Result.Kind {
		case apispec.Int, apispec.Float, apispec.Bool:
			numbers = append(numbers, alteration{f, "", fmt.Sprintf("%s = !%[1]s;\n", interpose.Result)})
			nothing = append(nothing, alteration{f, "return 0;\n", ""})
		case apispec.Void:
			if !f.Ends() {
				nothing = append(nothing, alteration{f, "return;\n", ""})
			}
		}
	}
	list := slices.Concat(numbers, nothing)
	return list[:min(len(list), a.most)]
}

const unnoticed = "The program was run %d times on a library of which one function, each time another, returned a " +
	"wrong number or did nothing. No PROPERTY noticed. Compare the results themselves with values that do not come " +
	"from the same calls."

// check adds a failure to versions that notice none of their alterations. It returns how many runs
// that took.
func (a *alterer) check(ctx context.Context, versions []*version) (runs int, err error) {
	for _, v := range versions {
		noticed, tried := false, 0
		for group := range slices.Chunk(a.alterations(v.source), together) {
			var programs []trial.Program
			for _, alt := range group {
				id := fmt.Sprintf("%s-alt%02d", v.id, tried)
				programs = append(programs, trial.Program{ID: id, Lang: trial.C, Source: a.altered(v, alt)})
				tried++
			}
			results, err := a.checker.exec.Run(ctx, programs, trial.ExecOptions{})
			if err != nil {
				return runs, err
			}
			noticed = slices.ContainsFunc(results, func(r trial.Result) bool { return r.Outcome == trial.Assertion })
			if noticed {
				break
			}
		}
		runs += tried
		if tried > 0 && !noticed {
			v.fail(failure{kind: failCannot, text: fmt.Sprintf(unnoticed, tried)})
		}
	}
	return runs, nil
}

// altered is a program whose calls of one function go through a wrapper.
func (a *alterer) altered(v *version, alt alteration) string {
	set := v.setting
	set.large = true
	return interpose.Program(set.program(v.source), []interpose.Function{alt.function}, a.headers, "",
		func(int) (string, string) { return alt.before, alt.after })
}
