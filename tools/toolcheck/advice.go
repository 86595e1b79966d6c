package toolcheck

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// saidLines is how much of what a tool prints a finding shows.
const saidLines = 6

// Checks that have an advice of their own.
const (
	replay      = "deterministic under replay"
	callsBudget = "calls budget"
	alone       = "leaves everything else alone"
)

// changes say what to change about a check's problems, or about a cell that would be incomplete for that reason.
var changes = map[string]string{
	replay:      "take every random choice from the manifest's seed ($LISA_BENCH_SEED), and put no time, process number or path into programs and prompts",
	callsBudget: "status 402 of the endpoint means that no more is answered: list what is finished, and end with status 0",
	alone:       "write to $LISA_BENCH_OUT, $HOME and /tmp only, and read only what the manifest names and files: of the block",

	exttool.KindCrashed: "end with status 0 when there is nothing more to try; another status says that something broke",
	exttool.KindSuite:   `mend the line that is named: {"file": "t1.c"}, one object a line, each file once, written in $LISA_BENCH_OUT before it is listed`,
	exttool.KindFlooded: "leave programs and what they are fed in $LISA_BENCH_OUT, and nothing else: scratch files go to /tmp or $HOME",
}

// symptoms are what tools print where the sandbox is not the machine that they know.
var symptoms = []struct{ words, change string }{
	{`name resolution|network is unreachable|could not resolve|no network|connection refused`,
		"there is no network in the sandbox: bring data along with files:, and ask a model through llm.socket of the manifest (model: true)"},
	{`no module named|cannot find module|importerror`,
		"packages in your home directory or a virtual environment are not there: install them for the system, or name them in files: and in a path of the script"},
	{`command not found|: not found|executable file not found`,
		"only programs in /usr and /bin are there: install it for the system, or name it in files: and call it by its path"},
	{`no such file or directory|filenotfounderror`,
		"only the command, files: of the block and what the manifest names are there: add the file to files:, and find it beside the command"},
	{`read-only file system|permission denied`, "only $LISA_BENCH_OUT, $HOME and /tmp can be written to: take one of them"},
	{`cannot allocate memory|memoryerror|out of memory|bad_alloc`, "a process has 4 GiB of memory: use less"},
	{`resource temporarily unavailable|can't start new thread`, "a tool has 256 processes and threads: use fewer"},
	{`no space left on device`, "/tmp and $HOME have 128 MiB each: write less to them"},
}

// problem says in plain words what a generation ended with.
func problem(err error) string {
	var cause *trial.IncompleteError
	if !errors.As(err, &cause) {
		return err.Error()
	}
	_, words, named := strings.Cut(cause.Message, ": ") // behind the tool's name, which is above
	if !named {
		words = cause.Message
	}
	if cause.Kind == exttool.KindCrashed { // what it printed comes below
		words, _, _ = strings.Cut(words, ": ")
		words = "it ended before it was done: " + words
	}
	return fmt.Sprintf("%s (%s)", words, cause.Kind)
}

// advised adds to a finding with problems what to change, and what the tool said.
func (c *check) advised(f Finding) Finding {
	if len(f.Problems) == 0 {
		return f
	}
	change := changes[f.Check]
	var cause *trial.IncompleteError
	if errors.As(c.failure, &cause) {
		change = changes[cause.Kind]
	}
	for _, s := range symptoms {
		if c.failure != nil && regexp.MustCompile("(?i)"+s.words).MatchString(c.said) {
			change = s.change
			break
		}
	}
	if change != "" {
		f.Change = append(f.Change, change)
	}
	if c.said != "" {
		f.Said = strings.Split(strings.TrimSpace(c.said), "\n")
	}
	if more := len(f.Said) - saidLines; more > 0 {
		f.Said = append(f.Said[:saidLines], fmt.Sprintf("[…] %d lines more", more))
	}
	return f
}
