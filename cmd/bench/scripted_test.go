package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// scriptedCommand is the line of the howto that starts scripts/scripted-model.py.
var scriptedCommand = regexp.MustCompile(`(?m)^python3 (scripts/scripted-model\.py) \d+ (cJSON=\S+) &$`)

// TestScriptedModel starts the endpoint of the howto with its arguments, which a clone must have. It answers with
// programs of the library that a prompt is about, and refuses a library of which it has none.
func TestScriptedModel(t *testing.T) {
	page := readFile(t, "../../docs/howto/reproducing-the-paper.md")
	args := scriptedCommand.FindStringSubmatch(page)
	assert.Assert(t, args != nil, "the howto does not start scripts/scripted-model.py")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NilError(t, err)
	address := free.Addr().String()
	assert.NilError(t, free.Close())
	_, port, _ := strings.Cut(address, ":")
	c := exec.CommandContext(t.Context(), "python3", args[1], port, args[2])
	c.Dir = "../.."
	s := startCommand(t, "", c)
	s.await(t, "connection", func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	for library, want := range map[string]struct {
		status int
		text   string
	}{
		"cJSON": {http.StatusOK, "// STEP1"},
		"zlib":  {http.StatusBadRequest, "scripted-model.py has no programs of zlib: add LIBRARY=DIR"},
	} {
		body := fmt.Sprintf(`{"model": "m", "messages": [{"role": "user", "content": "Tests of the library %s.\n\n# API Combination\n"}]}`, library)
		r, err := http.Post("http://"+address+"/v1/chat/completions", "application/json", strings.NewReader(body))
		assert.NilError(t, err)
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		assert.Check(t, err == nil && r.StatusCode == want.status && strings.Contains(string(text), want.text),
			"%s: %s, %v\n%s", library, r.Status, err, text)
	}
}
