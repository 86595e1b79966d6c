package mine

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// history is a library's, from its first commit; an edit is of one file.
var history = []struct{ file, old, new, message string }{
	{"add.c", "return a - b;", "return a + b;", "add adds"},
	{"mul.c", "return a * a;", "return a * b;", "mul multiplies"},
	{"add.c", "return a + b;", "return a /* and */ + b;", "a comment"},
	{"unix.c", "return 1;", "return 2;", "another platform"},
	{"tests/t.c", "return 1;", "return 0;", "a test"},
	{"mul.c", "int unused;", "int unused, more;", "no code"},
	{"old.c", "return 3;", "return 4;", "what the reference never had"},
}

// TestCommits expects what each commit of a history is to a reference that has the second fix and lacks the first.
func TestCommits(t *testing.T) {
	repo, ref := t.TempDir(), t.TempDir()
	files := map[string]string{
		"lib.h": "int add(int a, int b);\nint mul(int a, int b);\n", "unix.c": "int u(void) { return 1; }\n",
		"add.c": "#include \"lib.h\"\nint add(int a, int b)\n{\n\treturn a - b;\n}\n", "tests/t.c": "int main(void) { return 1; }\n",
		"mul.c": "#include \"lib.h\"\nint mul(int a, int b)\n{\n\t// int unused;\n\treturn a * a;\n}\n#if 0\nint unused;\n#endif\n",
		"old.c": "int old(void)\n{\n\tint a = 1;\n\tint b = 2;\n\ta = b;\n\treturn 3;\n}\n",
	}
	put := func(dir, name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		assert.NilError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	commit := func(message string) {
		for _, args := range [][]string{{"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", message}} {
			c := exec.Command("git", args...)
			c.Dir = repo
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	if out, err := exec.Command("git", "init", "-q", repo).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	for name, text := range files {
		put(repo, name, text)
		text = strings.Replace(strings.Replace(text, "a * a", "a * b", 1), "return 3;", "return 30 + 1;", 1)
		put(ref, name, text)
	}
	commit("begin")
	for _, h := range history {
		files[h.file] = strings.Replace(files[h.file], h.old, h.new, 1)
		if h.message == "no code" {
			files[h.file] = strings.Replace(files[h.file], "#if 0\nint unused;", "#if 0\nint unused, more;", 1)
		}
		put(repo, h.file, files[h.file])
		commit(h.message)
	}
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	var lines []string
	s := Search{Git: filepath.Join(repo, ".git"), Since: "2000-01-01", Edition: lisabench.Debian,
		Library: &lisabench.Library{Name: "lib", Headers: []string{"lib.h"},
			Recipe: lisabench.Recipe{Sources: []string{"add.c", "mul.c", "old.c"}, Includes: []string{"."}, SONAME: "lib.so.1"}},
		Reference: source.Tree{Dir: ref, Key: "mine-test"}, Sources: source.New(t.TempDir(), os.Environ(), slog.New(slog.DiscardHandler)),
		Builder: libbuild.New(tools, testcache.Dir(""), 2, slog.New(slog.DiscardHandler)), Tell: func(string, ...any) {}}
	left, n, err := s.Commits(t.Context())
	assert.NilError(t, err)
	for _, c := range left {
		lines = append(lines, fmt.Sprint(c.Message, ": ", c.State, " ", c.Functions))
	}
	const want = "what the reference never had: conflict [old] / mul multiplies: contained [mul] / add adds: lacking [add]"
	assert.Check(t, is.Equal(strings.Join(lines, " / "), want), "left")
	assert.Check(t, n == (Count{Walked: 8, Code: 5, Tokens: 4, Objects: 3}), "counts %+v", n)
}
