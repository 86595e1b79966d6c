package survivors

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A shop has mutants of which a program says in its source what it does: "2 reaches, 3! kills".
type shop struct{ asked [][]int }

func (s *shop) Mutants(context.Context) ([]trial.Mutant, error) {
	m := func(id, line int, function, mutated string, apis ...string) trial.Mutant {
		return trial.Mutant{ID: id, File: "till.c", Line: line, Source: "if (n < most) n++;", Original: "n < most", Mutated: mutated, Function: function, APIs: apis}
	}
	return []trial.Mutant{
		m(2, 10, "add", "(n) <= (most)", "till_add", "till_open"),
		m(3, 10, "add", "0", "till_add", "till_open"),
		m(5, 30, "till_open", "", "till_open"),
		m(8, 40, "reset", "!(n < most)", "till_close"),
	}, nil
}

func (s *shop) RunMutants(_ context.Context, programs []trial.Program, ids []int) (runs trial.MutantRuns, err error) {
	s.asked = append(s.asked, ids)
	for _, id := range ids {
		r := trial.MutantReach{ID: id}
		for i, p := range programs {
			for _, word := range strings.Fields(p.Source) {
				name := string(rune('0' + id))
				if strings.TrimSuffix(word, "!") == name {
					r.Programs, r.Killed = append(r.Programs, i), r.Killed || strings.HasSuffix(word, "!")
				}
			}
		}
		if r.Programs != nil {
			runs.Reached = append(runs.Reached, r)
		}
	}
	return runs, nil
}

func programs(sources ...string) (list []trial.Program) {
	for _, s := range sources {
		list = append(list, trial.Program{Source: s})
	}
	return list
}

func TestAccount(t *testing.T) {
	s := &shop{}
	a, err := Open(t.Context(), s)
	assert.NilError(t, err)
	learn := func(want [][]int, sources ...string) {
		t.Helper()
		got, err := a.Learn(t.Context(), programs(sources...))
		assert.Assert(t, err == nil && reflect.DeepEqual(got, want), "learnt %v, %v; want %v", got, err, want)
	}
	everyone := Audience{APIs: []string{"till_add", "till_open"}, Inputs: true, Most: 9}
	if text := a.Text(everyone); text != "" {
		t.Errorf("before any test: %s", text)
	}
	learn([][]int{{2, 3}, {5}}, "2 3", "5")
	told := a.Text(everyone)
	for name, text := range map[string]string{
		"inputs":     told,
		"assertions": a.Text(Audience{APIs: []string{"till_open"}, Among: []int{3, 5}, Most: 1}), // 5 was told, and so was the line of 3
	} {
		golden.Assert(t, text+"\n", name+".golden.md")
	}
	learn([][]int{nil, {3}}, "2!", "3")
	assert.Check(t, slices.Equal(s.asked[1], []int{2, 3, 5, 8}), "asked about %v", s.asked[1])
	learn([][]int{nil}, "8!")
	if last := s.asked[2]; !slices.Equal(last, []int{3, 5, 8}) {
		t.Errorf("asked about %v, and 2 is killed", last)
	}
	if want := (trial.MutantFeedback{Mutants: 4, Reached: 4, Killed: 2, Shown: 3, KilledShown: 1}); *a.Counts() != want {
		t.Errorf("counts %+v, want %+v", *a.Counts(), want)
	}
	if text := a.Text(Audience{APIs: []string{"till_close"}, Most: 9}); text != "" {
		t.Errorf("a mutant that is killed: %s", text)
	}
}

func TestNoAccount(t *testing.T) {
	var a *Account
	if got, err := a.Learn(t.Context(), programs("2")); err != nil || len(got) != 1 || got[0] != nil || a.Text(Audience{Most: 1}) != "" || a.Counts() != nil {
		t.Errorf("nobody asked for mutants: %v, %v", got, err)
	}
}
