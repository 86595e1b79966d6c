package invariant

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An assertion that was written after a prompt had shown what the reference build returned may be
// argued from documents, and may be that value: nobody can tell. So it is no specification, but of a
// class of its own (trial.OracleRepaired). What was written before keeps its class, whatever else
// of its chunk is repaired.

// shownValues are the values of a failed assertion that a prompt for its repair shows.
func (s *stage) shownValues(f *failure) []string {
	if !s.options.Values || f == nil {
		return nil
	}
	return f.values
}

// argue notes the assertions of a chunk's new version, unless values were shown before it.
func (p *program) argue(text string) {
	if p.shown {
		return
	}
	if p.argued == nil {
		p.argued = map[string]bool{}
	}
	for _, a := range assertionsIn(text) {
		p.argued[squeezed(a.condition)] = true
	}
}

// noteMended notes the assertions of an accepted chunk that were written after values were shown.
func (p *program) noteMended(text string) {
	if !p.shown {
		return
	}
	if p.mended == nil {
		p.mended = map[string]bool{}
	}
	for _, a := range assertionsIn(text) {
		if condition := squeezed(a.condition); !p.argued[condition] {
			p.mended[condition] = true
		}
	}
}

// isMended reports whether an assertion was written after values were shown. One that is written
// alike in another step counts as well.
func (p *program) isMended(a assertion) bool { return p.mended[squeezed(a.condition)] }

// mark writes trial.RepairedMark behind the mended assertions of a finished program. No line moves.
func (p *program) mark() string {
	lines := strings.SplitAfter(p.final.source, "\n")
	for _, a := range p.assertions() {
		if at := &lines[a.last-1]; p.isMended(a) && !strings.Contains(*at, trial.RepairedMark) {
			*at = strings.TrimRight(*at, "\n") + " // " + trial.RepairedMark + "\n"
		}
	}
	return strings.Join(lines, "")
}
