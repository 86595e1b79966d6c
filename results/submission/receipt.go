package submission

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/files/bounded"
)

// ReceiptSuffix ends the name of the file that notes a verification beside the submission.
const ReceiptSuffix = ".verified.json"

// A receipt notes for a leaderboard that somebody here has verified a file.
type receipt struct {
	SHA256  string `json:"sha256"` // of the submission
	Bench   string `json:"bench"`
	Corpus  string `json:"corpus"`
	Figures int    `json:"figures"` // all of which hold
}

// Figures returns how many figures were looked at, those that were not checked aside.
func (v *Verification) Figures() int {
	return v.Count(Holds) + v.Count(Differs) + v.Count(Undecided)
}

// WriteReceipt notes beside file that every figure of it holds.
func (v *Verification) WriteReceipt(file string) error {
	text, err := json.MarshalIndent(receipt{v.SHA256, v.Bench, v.Corpus, v.Figures()}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file+ReceiptSuffix, append(text, '\n'), 0o644)
}

// maxReceipt is the most that a receipt may have, in bytes.
const maxReceipt = 1 << 20

// verified reports whether there is a receipt for a submission with that SHA-256.
func verified(file, sum string) bool {
	var r receipt
	text, err := bounded.ReadFile(file+ReceiptSuffix, maxReceipt)
	return err == nil && json.Unmarshal(text, &r) == nil && r.SHA256 == sum
}

// CheckCorpus refuses a submission for another version of the benchmark: its bugs and libraries
// may be other ones.
func (c *Contents) CheckCorpus(bench *lisabench.Bench) error {
	m := c.Manifest
	if m.Corpus != bench.Version {
		return fmt.Errorf("made with version %s of the benchmark, and this bench has %s: %s", cmp.Or(m.Corpus, "(unknown)"), bench.Version,
			"use the same version, and the same --bench-dir if it has libraries from outside")
	}
	for _, c := range c.Plan.Cells {
		lib, err := bench.Library(c.Library)
		if err != nil {
			return err
		}
		pin := lib.Pin(lisabench.Edition(c.Edition))
		if have := m.Sources[c.Library+" "+c.Edition]; have != pin {
			return fmt.Errorf("the source of %s (%s) is %s there and %s here", c.Library, c.Edition, cmp.Or(have, "unknown"), pin)
		}
		for _, id := range c.Bugs {
			if _, err := lib.Bug(id); err != nil {
				return err
			}
		}
	}
	return nil
}
