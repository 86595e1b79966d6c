// Package vanilla is the paper's Vanilla LLM (section "Coverage and Success Rate"): the model
// that LISA asks, with one plain prompt and nothing around it.
//
// It is LISA_API with every part switched off, so the two share one code path. It is package
// sequence with a prompt that names the functions and their signatures only, combinations
// drawn uniformly, and whatever comes back kept as it came. The paper describes no prompt; its
// artifact has one on a branch, which compiles under AddressSanitizer where LISA's does not. Here
// both are judged alike.
package vanilla

import (
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// New returns the tool.
func New(c *toolchain.Compiler, m *llm.Models) *sequence.Tool {
	return &sequence.Tool{Compiler: c, Models: m, Vanilla: true}
}
