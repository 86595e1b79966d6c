package sandbox

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestParseAssertion(t *testing.T) {
	cases := []struct {
		name, stderr string
		want         trial.AssertionFailure
	}{
		{"C", "runner: test.c:12: test_add: Assertion `add(1, 2) == 4' failed.\n",
			trial.AssertionFailure{File: "test.c", Line: 12, Func: "test_add", Expr: "add(1, 2) == 4"}},
		{"C++ function", "runner: /a/t.cc:3: int ns::f(std::map<int, T::U>)::<lambda(int)>: Assertion `a == \"x: y\"' failed.\n",
			trial.AssertionFailure{File: "/a/t.cc", Line: 3, Func: "int ns::f(std::map<int, T::U>)::<lambda(int)>", Expr: `a == "x: y"`}},
		{"no program name", "t.c:1: f: Assertion `0' failed.\n", trial.AssertionFailure{File: "t.c", Line: 1, Func: "f", Expr: "0"}},
		{"no function", "t: t.c:1: Assertion `0' failed.\n", trial.AssertionFailure{File: "t.c", Line: 1, Expr: "0"}},
		{"text before on the line", "1: result t: t.c:7: f: Assertion `0' failed.\n", trial.AssertionFailure{File: "t.c", Line: 7, Func: "f", Expr: "0"}},
		{"quotes and several lines", "t: t.c:1: f: Assertion `s[0] == '`' &&\n s[1] == '\\''' failed.\n",
			trial.AssertionFailure{File: "t.c", Line: 1, Func: "f", Expr: "s[0] == '`' &&\n s[1] == '\\''"}},
		{"the last of two", "t: t.c:1: f: Assertion `a' failed.\nt: t.c:2: g: Assertion `b' failed.\n", trial.AssertionFailure{File: "t.c", Line: 2, Func: "g", Expr: "b"}},
		{"text after", "t: t.c:1: f: Assertion `a' failed.\nbye\n", trial.AssertionFailure{File: "t.c", Line: 1, Func: "f", Expr: "a"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := parseAssertion([]byte(c.stderr))
			assert.Check(t, ok && got == c.want, "got %+v, %v\nwant %+v", got, ok, c.want)
		})
	}
	for _, s := range []string{"", "Assertion failed", "t: t.c:1: f: Assertion `a' failed", "t.c: f: Assertion `a' failed.\n", ": Assertion `' failed.\n"} {
		if got, ok := parseAssertion([]byte(s)); ok {
			t.Errorf("%q is read as %+v", s, got)
		}
	}
}

func TestReplyBounds(t *testing.T) {
	good := replyHeader{Magic: replyMagic, Seq: 7, TextBytes: 2, OutBytes: 3, ErrBytes: 1, CounterBytes: 16, ErrTotal: 1}
	body := append([]byte("hiouterr"[:6]), make([]byte, 16)...)
	encode := func(h replyHeader, body []byte) *bytes.Reader {
		var b bytes.Buffer
		assert.NilError(t, binary.Write(&b, binary.NativeEndian, h))
		b.Write(body)
		return bytes.NewReader(b.Bytes())
	}
	r := request{counters: 2}
	v, err := readReply(encode(good, body), 7, r)
	if err != nil || string(v.Stdout) != "out" || string(v.Stderr) != "e" || !slices.Equal(v.Counters, []uint64{0, 0}) {
		t.Fatalf("%+v, %v", v, err)
	}
	spoil := map[string]func(*replyHeader){
		"magic":    func(h *replyHeader) { h.Magic++ },
		"sequence": func(h *replyHeader) { h.Seq++ },
		"stdout":   func(h *replyHeader) { h.OutBytes = 1 << 30 },
		"stderr":   func(h *replyHeader) { h.ErrBytes = 1 << 30 },
		"text":     func(h *replyHeader) { h.TextBytes = 1 << 30 },
		"counters": func(h *replyHeader) { h.CounterBytes = 8 },
		"length":   func(h *replyHeader) { h.OutBytes++ },
	}
	for name, f := range spoil {
		h := good
		f(&h)
		if v, err := readReply(encode(h, body), 7, r); err == nil {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestBwrapArgsRefuses(t *testing.T) {
	for _, dir := range []string{"/", "/tmp", "/tmp/.", "/sandbox/x", "relative"} {
		if _, err := bwrapArgs(setup{readOnly: []string{dir}}, nil); err == nil {
			t.Errorf("%s is shown to programs", dir)
		}
	}
}

func TestMapped(t *testing.T) {
	const podman = "         0       1000          1\n         1     100000      65536\n"
	for _, c := range []struct {
		uidMap string
		uid    int
		want   bool
	}{
		{"         0          0 4294967295\n", 1 << 30, true},
		{podman, 65536, true}, {podman, 65537, false}, {podman, 0, true}, {"", 0, false},
	} {
		if got := mapped(c.uidMap, c.uid); got != c.want {
			t.Errorf("mapped(%q, %d) = %v", c.uidMap, c.uid, got)
		}
	}
}
