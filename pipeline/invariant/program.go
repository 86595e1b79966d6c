package invariant

import (
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// A program is a seed on its way to a finished test.
type program struct {
	seed   sequence.Seed
	unit   string // its name for the compiler; the same for every version, so that trees compare
	source string // the seed with the includes of assertions
	base   *tree
	parts  split
	done   []string // chunks that are through, in order, with their assertions

	last     *attempt                    // the latest version of the next chunk; nil before the first
	suspects map[string]*trial.Suspicion // assertions of the next chunk that failed, by their condition
	argued   map[string]bool             // assertions of the next chunk that were written before any prompt showed values
	shown    bool                        // a prompt about the next chunk showed values
	mended   []map[string]bool           // of each chunk that is through, assertions that were written after that
	ready    bool                        // a valid seed: it may get assertions
	reached  []int                       // mutants that it comes to, where they are the feedback

	final version
}

// A version is a program's text with its assertions.
type version struct {
	source     string
	tests      []string // its test functions
	assertions []assertion
}

// An attempt is one version of a chunk in its program, and what was found of it.
type attempt struct {
	program *program
	text    string // of the chunk
	source  string // of the program: accepted chunks, this one, and the rest as it was
	failure *failure
	version version
	// shortened says that failing assertions were taken out after the last repair.
	shortened bool
}

// active reports whether there is a chunk to ask for.
func (p *program) active() bool { return p.ready && len(p.done) < len(p.parts.chunks) }

// chunk is the one that is worked on.
func (p *program) chunk() chunk { return p.parts.chunks[len(p.done)] }

// with is the program with text as its next chunk and the rest as it was.
func (p *program) with(text string) string {
	var b strings.Builder
	b.WriteString(p.prefix())
	b.WriteString(text)
	for i := len(p.done) + 1; i < len(p.parts.chunks); i++ {
		b.WriteString(p.parts.chunks[i].raw)
	}
	b.WriteString(p.parts.tail)
	return b.String()
}

// prefix is the program up to the next chunk.
func (p *program) prefix() string {
	var b strings.Builder
	b.WriteString(p.parts.head)
	for _, text := range p.done {
		b.WriteString(text)
	}
	return b.String()
}

// current is the program as far as it is accepted.
func (p *program) current() string {
	if p.active() {
		return p.with(p.chunk().raw)
	}
	return p.prefix() + p.parts.tail
}

// attempt makes one of a new text of the next chunk.
func (p *program) attempt(text string) *attempt {
	return &attempt{program: p, text: text, source: p.with(text)}
}

// accept takes a version of the next chunk.
func (p *program) accept(text string, v version) {
	p.done, p.mended = append(p.done, text), append(p.mended, p.newlyMended(text))
	p.final = v
	p.decide(trial.FateMended)
	p.last, p.suspects, p.argued, p.shown = nil, nil, nil, false
}

// restore takes back the assertions of the last chunk that has any, and reports whether one had.
func (p *program) restore() bool {
	for i := len(p.done) - 1; i >= 0; i-- {
		if raw := p.parts.chunks[i].raw; p.done[i] != raw {
			p.done[i] = raw
			return true
		}
	}
	return false
}
