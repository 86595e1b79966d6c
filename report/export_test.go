package report

import "github.com/lisa-bench/lisa-bench/report/measured"

// Pairs names the pairs of tools that the report of a run compares.
func Pairs(run measured.Run) ([]string, error) {
	a, err := analyse(run)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range a.pairs() {
		names = append(names, p.a.String()+":"+p.b.String())
	}
	return names, nil
}
