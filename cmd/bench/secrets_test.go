package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// canary is a key that looks like none, so that only its being taken out as what it is hides it.
const canary = "canary4f9d0c1b7e"

// markup is what a page must not take for its own.
const markup = `</script><script>alert("canary")</script>`

// TestNoSecretLeaves runs an experiment with a key that the endpoint gives back in its errors and
// answers, and looks for it in all that the run leaves but the answers themselves, in the cache, on the screen, and in the
// arguments and environments of every process that is started. The answers have markup besides.
func TestNoSecretLeaves(t *testing.T) {
	const variable = "BENCH_TEST_KEY"
	t.Setenv(variable, canary)
	t.Setenv(llm.DefaultKeyEnv, canary) // of no use to anybody here
	l, model := newTortureLab(t, extent{bugs: "[cjson-1]", programs: 6, seeds: 2})
	if testing.Short() {
		l.cache = testcache.Dir("")
	}
	began := time.Now()
	proxy := &gossip{model: model}
	address := proxy.serve(t)
	text, err := os.ReadFile(l.experiment)
	assert.NilError(t, err)
	before, rest, _ := strings.Cut(string(text), "base_url: ")
	_, after, _ := strings.Cut(rest, "\n")
	text = fmt.Appendf(nil, "%sbase_url: %s\n  api_key_env: %s\n%s", before, address, variable, after)
	assert.NilError(t, os.WriteFile(l.experiment, text, 0o644))
	dir := filepath.Join(t.TempDir(), "run")
	s := l.start(t, dir, "--verbose")
	for _, where := range s.spy(t) {
		t.Errorf("the key is in %s", where)
	}
	s.expect(t, exitOK)
	assert.Assert(t, proxy.keyed && proxy.failed,
		"the endpoint got a key: %v; it failed once: %v", proxy.keyed, proxy.failed)
	assert.Check(t, !strings.Contains(s.out.String(), canary), "the key is on the screen:\n%s", s.out.String())
	answered := false
	for _, root := range []string{dir, l.cache} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // of another test that uses the cache
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			info, err := d.Info()
			if err != nil || info.ModTime().Before(began) {
				return nil
			}
			data, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			// An endpoint that tells the key in its answers has it in them, for they are data and never edited.
			said := filepath.Base(path) == llm.TranscriptFile || filepath.Base(filepath.Dir(path)) == "suite"
			assert.Check(t, !bytes.Contains(data, []byte(canary)) || said, "the key is in %s", path)
			answered = answered || said && bytes.Contains(data, []byte("my key is "+canary))
			assert.Check(t, filepath.Ext(path) != ".html" || !bytes.Contains(data, []byte(markup)),
				"%s has markup of a model as it is", path)
			return err
		})
		assert.NilError(t, err)
	}
	assert.Check(t, answered, "no answer with the key was kept at all")
}

// A gossip is an endpoint that fails once, and tells the key that it was asked with.
type gossip struct {
	model *payroll

	mu            sync.Mutex
	keyed, failed bool
}

func (g *gossip) serve(t *testing.T) (address string) {
	endpoint := llmtest.Serve(t, func(messages []llm.Message) string {
		return strings.Replace(g.model.answer(messages), "    assert(", "    // my key is "+canary+" "+markup+"\n    assert(", 1)
	})
	to, err := url.Parse(endpoint.URL)
	assert.NilError(t, err)
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Authorization")
		g.mu.Lock()
		first := !g.failed
		g.failed, g.keyed = true, g.keyed || key == "Bearer "+canary
		g.mu.Unlock()
		if first {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `{"error":{"message":"trouble with `+key+`"}}`)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + to.Path
}

// spy looks at the session's descendants until it ends, and returns where it has seen the key.
func (s *session) spy(t *testing.T) (seen []string) {
	t.Helper()
	looked := 0
	for {
		select {
		case <-s.exited:
			assert.Check(t, looked >= 20, "looked at %d processes only", looked)
			return seen
		case <-time.After(20 * time.Millisecond):
		}
		files := []string{fmt.Sprintf("/proc/%d/cmdline", s.cmd.Process.Pid)}
		for _, p := range s.descendants(t) {
			files = append(files, fmt.Sprintf("/proc/%d/cmdline", p.pid), fmt.Sprintf("/proc/%d/environ", p.pid))
		}
		for _, f := range files {
			// Between fork and exec a child still has what its parent has: its name is read before.
			args, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
			data, err := os.ReadFile(f)
			if err != nil {
				continue // it has ended
			}
			looked++
			where := fmt.Sprintf("%s of %.80q", filepath.Base(f), args)
			if bytes.Contains(data, []byte(canary)) && !bytes.HasPrefix(args, []byte("bench\x00")) && !slices.Contains(seen, where) {
				seen = append(seen, where)
			}
		}
	}
}
