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

// The files of a session's directory: seeds/<sha1>, the dictionary, and for each run a
// directory.
const (
	dictFile    = "dictionary"
	runPattern  = "run-%04d"
	startedFile = "started" // its mtime is the run's start on the file system's clock
	logFile     = "log"
)

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
	if err != nil {
		return nil, err
	}
	var seeds []Input
	for _, p := range paths {
		seeds = append(seeds, Input{Path: p, SHA1: filepath.Base(p)})
	}
	return seeds, nil
}

// A collection is what the runs of a session have found so far.
type collection struct {
	runs    int
	inputs  []Input
	seen    map[string]bool // by SHA-1, corpus and failures
	failing map[string]bool // by SHA-1
}

func collect(dir string) (*collection, error) {
	c := &collection{seen: map[string]bool{}, failing: map[string]bool{}}
	for {
		run := filepath.Join(dir, fmt.Sprintf(runPattern, c.runs))
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

// starting returns the corpus files that the next run starts from, in a fixed order.
func (c *collection) starting() []Input {
	var list []Input
	for _, in := range c.inputs {
		if in.Failure == "" {
			list = append(list, in)
		}
	}
	return without(list, c.failing)
}

// without returns the inputs whose content is not known to fail: a run that starts from
// one of those would end at once.
func without(inputs []Input, failing map[string]bool) []Input {
	return slices.DeleteFunc(slices.Clone(inputs), func(in Input) bool { return failing[in.SHA1] })
}

// add adds the finished or killed run in dir.
func (c *collection) add(dir string) error {
	c.runs++
	started, err := readStarted(dir)
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
	corpus, err := readInputs(run{dir: dir}.corpus(), started)
	if err != nil {
		return err
	}
	sortAsWritten(corpus, parseLog(log).Written)
	failures, err := readInputs(run{dir: dir}.artifacts(), started)
	if err != nil {
		return err
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

// sortAsWritten sorts by the run's log, which a killed run has not left: then by time.
func sortAsWritten(inputs []Input, log []written) {
	rank := map[string]int{}
	for i, w := range log {
		rank[w.Name] = i + 1
	}
	last := len(log) + 1
	of := func(in Input) int { return cmp.Or(rank[in.SHA1], last) }
	slices.SortFunc(inputs, func(a, b Input) int {
		return cmp.Or(cmp.Compare(of(a), of(b)), cmp.Compare(a.Elapsed, b.Elapsed), cmp.Compare(a.SHA1, b.SHA1))
	})
	// The file system's clock is coarse; the log is not.
	for i := 1; i < len(inputs); i++ {
		inputs[i].Elapsed = max(inputs[i].Elapsed, inputs[i-1].Elapsed)
	}
}

// started is a run's beginning: on the cell's clock and on the file system's.
type started struct {
	elapsed time.Duration
	at      time.Time
}

func writeStarted(dir string, elapsed time.Duration) error {
	return os.WriteFile(filepath.Join(dir, startedFile), []byte(strconv.FormatInt(int64(elapsed), 10)), 0o644)
}

func readStarted(dir string) (started, error) {
	path := filepath.Join(dir, startedFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return started{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return started{}, err
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return started{}, fmt.Errorf("%s: %w", path, err)
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
		failure, sum, ok := parseName(e.Name())
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
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
		if sha1Of(data) == sum {
			inputs = append(inputs, Input{Path: path, SHA1: sum, Failure: failure,
				Elapsed: s.elapsed + max(info.ModTime().Sub(s.at), 0)})
		}
	}
	return inputs, nil
}

// parseName splits a file name as libFuzzer makes it: <sha1>, or <failure>-<sha1>. Others,
// such as slow-unit-<sha1>, are neither corpus nor failure.
func parseName(name string) (f Failure, sum string, ok bool) {
	kind, sum, found := strings.Cut(name, "-")
	if !found {
		return "", name, isSHA1(name)
	}
	f = Failure(kind)
	return f, sum, isSHA1(sum) && slices.Contains([]Failure{Crash, Hang, OutOfMemory}, f)
}

// copySeeds copies the files into dir under their SHA-1, each content once, as OSS-Fuzz's
// flat seed archives do, and returns them sorted.
func copySeeds(files []string, dir string) ([]Input, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, sha1Of(data)), data, 0o644); err != nil {
			return nil, err
		}
	}
	return Seeds(filepath.Dir(dir))
}

// copyDictionary puts the dictionary where the sandbox shows it, and returns where.
func (s Session) copyDictionary() (string, error) {
	if s.Dictionary == "" {
		return "", nil
	}
	data, err := os.ReadFile(s.Dictionary)
	if err != nil {
		return "", err
	}
	path := filepath.Join(s.Dir, dictFile)
	return path, os.WriteFile(path, data, 0o644)
}

func sha1Of(data []byte) string {
	sum := sha1.Sum(data)
	return hex.EncodeToString(sum[:])
}
