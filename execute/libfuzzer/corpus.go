package libfuzzer

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
)

// A Failure says why libFuzzer kept an input beside the corpus.
type Failure string

// The failures; "" is an input of the corpus.
const (
	Crash       Failure = "crash"
	Hang        Failure = "timeout"
	OutOfMemory Failure = "oom"
)

// An Input is a file that a session found.
type Input struct {
	Path    string
	SHA1    string // of its content, as libFuzzer names it
	Failure Failure
	// Elapsed is when the file was written. What was found first by a larger input, which
	// libFuzzer replaced, is dated by the smaller one.
	Elapsed time.Duration
}

// Inputs returns what the session in dir has found, also if it was killed, each content
// once. The order is that of finding and, for a budget in executions, the same each time.
func Inputs(dir string) ([]Input, error) {
	c, err := collect(dir)
	if err != nil {
		return nil, err
	}
	return c.inputs, nil
}

// Seeds returns the distinct seeds of the session in dir, sorted by their SHA-1.
func Seeds(dir string) ([]Input, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "seeds", "*"))
	var seeds []Input
	for _, p := range paths {
		seeds = append(seeds, Input{Path: p, SHA1: filepath.Base(p)})
	}
	return seeds, err
}

// copySeeds copies files into the session's directory under their SHA-1, each content once, as OSS-Fuzz's
// flat seed archives do, and returns them sorted.
func copySeeds(files []string, dir string) ([]Input, error) {
	if err := os.MkdirAll(filepath.Join(dir, "seeds"), 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "seeds", sha1Of(data)), data, 0o644)
		}
		if err != nil {
			return nil, err
		}
	}
	return Seeds(dir)
}

// A collection is what the runs of a session have found so far.
type collection struct {
	runs    int
	inputs  []Input
	seen    map[string]bool // by SHA-1, corpus and failures
	failing map[string]bool // by SHA-1
}

// runDir is the directory of a session's nth run, n from 0.
func runDir(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("run-%04d", n)) }

func collect(dir string) (*collection, error) {
	c := &collection{seen: map[string]bool{}, failing: map[string]bool{}}
	for {
		run := runDir(dir, c.runs)
		if _, err := os.Stat(run); errors.Is(err, fs.ErrNotExist) {
			return c, nil
		} else if err != nil {
			return nil, err
		}
		if err := c.add(run); err != nil {
			return nil, err
		}
	}
}

// starting returns the corpus and seeds that the next run starts from, in a fixed order, without what is known to fail:
// it would end the run at once.
func (c *collection) starting(seeds []Input) (list []Input) {
	for _, in := range slices.Concat(c.inputs, seeds) {
		if in.Failure == "" && !c.failing[in.SHA1] {
			list = append(list, in)
		}
	}
	return list
}

// add adds the finished or killed run in dir.
func (c *collection) add(dir string) error {
	c.runs++
	start, err := readStarted(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // killed before it began
	}
	if err != nil {
		return err
	}
	log, err := readLog(dir)
	if err != nil {
		return err
	}
	corpus, err := readInputs(filepath.Join(dir, corpusDir), start)
	if err != nil {
		return err
	}
	failures, err := readInputs(filepath.Join(dir, failuresDir), start)
	if err != nil {
		return err
	}
	// By the run's log, which a killed run has not left whole: then by time.
	rank := map[string]int{}
	for i, name := range parseLog(log).Written {
		rank[name] = i - len(log) // before all without a rank
	}
	slices.SortFunc(corpus, func(a, b Input) int {
		return cmp.Or(cmp.Compare(rank[a.SHA1], rank[b.SHA1]), cmp.Compare(a.Elapsed, b.Elapsed), cmp.Compare(a.SHA1, b.SHA1))
	})
	for i := 1; i < len(corpus); i++ { // the file system's clock is coarse; the log is not
		corpus[i].Elapsed = max(corpus[i].Elapsed, corpus[i-1].Elapsed)
	}
	for _, in := range append(corpus, failures...) {
		if in.Failure != "" && !c.failing[in.SHA1] {
			c.failing[in.SHA1] = true
		} else if c.seen[in.SHA1] {
			continue
		}
		c.seen[in.SHA1] = true
		c.inputs = append(c.inputs, in)
	}
	return nil
}

// started is a run's beginning: on the cell's clock, which startedFile has, and on the file system's, which wrote that.
type started struct {
	elapsed time.Duration
	at      time.Time
}

func readStarted(dir string) (s started, err error) {
	path := filepath.Join(dir, startedFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return s, err
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return started{elapsed: time.Duration(n), at: info.ModTime()}, nil
}

// maxInput is the size of an input beyond which it is none: libFuzzer makes them up to 1 MiB, or as long as
// the longest seed.
const maxInput = 64 << 20

// readInputs reads a corpus or artifact directory. A file whose content does not have the
// SHA-1 in its name was being written when the run was killed, and is left out.
func readInputs(dir string, s started) ([]Input, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var inputs []Input
	for _, e := range entries {
		in := Input{Path: filepath.Join(dir, e.Name()), SHA1: e.Name()}
		// <sha1>, or <failure>-<sha1>. Others, such as slow-unit-<sha1>, are neither corpus nor failure.
		if kind, sum, found := strings.Cut(e.Name(), "-"); found {
			in.Failure, in.SHA1 = Failure(kind), sum
		}
		if !isSHA1(in.SHA1) || !slices.Contains([]Failure{"", Crash, Hang, OutOfMemory}, in.Failure) {
			continue
		}
		data, err := bounded.ReadFileIn(dir, e.Name(), maxInput)
		var refused *bounded.Error
		if errors.As(err, &refused) { // libFuzzer did not make it
			continue
		}
		if err != nil {
			return nil, err
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		if sha1Of(data) == in.SHA1 {
			in.Elapsed = s.elapsed + max(info.ModTime().Sub(s.at), 0)
			inputs = append(inputs, in)
		}
	}
	return inputs, nil
}

// isSHA1 reports whether s is a SHA-1 as libFuzzer names files.
func isSHA1(s string) bool {
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}

func sha1Of(data []byte) string {
	sum := sha1.Sum(data)
	return hex.EncodeToString(sum[:])
}
