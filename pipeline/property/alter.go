package property

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/interpose"
)

// An alterer holds programs against a library whose functions return something else: one function
// at a time returns another number, or does nothing. A program none of whose properties notices any of that
// cannot fail. It is for C only.
type alterer struct {
	checker   *checker
	functions []interpose.Function
	headers   []string
	most      int // alterations of one program; 0: none
}

// together is how many alterations are tried at once: most programs notice one of the first.
const together = 4

// An alteration is statements around the call of one function.
type alteration struct {
	function      int
	before, after string
}

// alterations of the functions that a program calls, at most most.
func (a *alterer) alterations(source string) []alteration {
	used := map[string]bool{}
	for _, w := range word.FindAllString(source, -1) {
		used[w] = true
	}
	var list []alteration
	for round := range 2 { // another number of each function, then nothing done by each
		for i, f := range a.functions {
			called := false
			for _, name := range f.Names {
				called = called || used[name]
			}
			number := false
			switch f.Function.Result.Kind {
			case apispec.Int, apispec.Float, apispec.Bool:
				number = true
			}
			switch {
			case !called || len(list) == a.most:
			case round == 0 && number:
				list = append(list, alteration{i, "", fmt.Sprintf("%s = !%[1]s;\n", interpose.Result)})
			case round == 1 && number:
				list = append(list, alteration{i, "return 0;\n", ""})
			case round == 1 && f.Function.Result.Kind == apispec.Void && !f.Ends():
				list = append(list, alteration{i, "return;\n", ""})
			}
		}
	}
	return list
}

// check adds a failure to versions that notice none of their alterations. It returns how many runs
// that took.
func (a *alterer) check(ctx context.Context, versions []*version) (runs int, err error) {
	if a.most == 0 || a.checker.target.Language != trial.C {
		return 0, nil
	}
	for _, v := range versions {
		noticed, tried := false, 0
		list := a.alterations(v.source)
		for len(list) > 0 && !noticed {
			group := list[:min(together, len(list))]
			list = list[len(group):]
			programs := make([]trial.Program, len(group))
			for i, alt := range group {
				programs[i] = trial.Program{ID: fmt.Sprintf("%s-alt%02d", v.id, tried+i), Lang: trial.C, Source: a.altered(v, alt)}
			}
			results, err := a.checker.exec.Run(ctx, programs, trial.ExecOptions{})
			if err != nil {
				return runs, err
			}
			tried += len(group)
			for _, r := range results {
				noticed = noticed || r.Outcome == trial.Assertion
			}
		}
		runs += tried
		if tried > 0 && !noticed {
			v.fail(failure{kind: failCannot, text: fmt.Sprintf("The program was run %d times on a library of which one function, each time another, returned a wrong number or did nothing. "+
				"No PROPERTY noticed. Compare the results themselves with values that do not come from the same calls.", tried)})
		}
	}
	return runs, nil
}

// altered is a program whose calls of one function go through a wrapper.
func (a *alterer) altered(v *version, alt alteration) string {
	set := v.setting
	set.large = true
	return interpose.Program(set.program(v.source), a.functions[alt.function:alt.function+1], a.headers, "", func(int) (string, string) { return alt.before, alt.after })
}
