package recorded

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Includes are the headers that printing and comparing values need, and NDEBUG undone.
const Includes = `#undef NDEBUG
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
`

// ChecksumHelper is FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
const ChecksumHelper = `static unsigned long long checksum(const void *data, size_t n) {
    const unsigned char *p = data;
    unsigned long long h = 14695981039346656037ull;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211ull;
    return h;
}

`

// Printers print observations as lines "@NUMBER VALUE". "#STEP" before each call and
// "?NUMBER" before a read that may itself crash say how far a run came. obs_left is how many bytes
// of trial.MaxStdout are left: what is printed when none are is not read by anybody.
var Printers = ChecksumHelper + fmt.Sprintf("static long obs_left = %d;\n", trial.MaxStdout) + `#define OBS_PRINT(...) (obs_left -= printf(__VA_ARGS__))
static void mark(int step) { OBS_PRINT("\n#%d\n", step); fflush(stdout); }
static void obs_int(int k, long long v) { OBS_PRINT("@%d %lld\n", k, v); }
static void obs_uint(int k, unsigned long long v) { OBS_PRINT("@%d %llu\n", k, v); }
static void obs_double(int k, double v) { OBS_PRINT("@%d %a\n", k, v); }
static void obs_long_double(int k, long double v) { OBS_PRINT("@%d %La\n", k, v); }
static void obs_content(int k, const void *data, size_t size, size_t length) {
    const unsigned char *p = data;
    OBS_PRINT("@%d %zu %llx ", k, length, checksum(data, size));
    for (size_t i = 0; i < length && i < 600; i++)
        OBS_PRINT("%02x", p[i]);
    putchar('\n');
}
static void obs_string(int k, const char *s) {
    OBS_PRINT("?%d\n", k);
    fflush(stdout);
    size_t n = strlen(s);
    obs_content(k, s, n, n);
}
static void obs_bytes(int k, const void *data, size_t size) {
    const unsigned char *p = data;
    size_t n = size;
    while (n > 0 && p[n - 1] == 0)
        n--;
    obs_content(k, data, size, n);
}

`

// A Reading is what observations printed, by their number.
type Reading map[int]string

// Keep drops what another run printed otherwise, or not at all.
func (r Reading) Keep(other Reading) {
	for n, v := range r {
		if other[n] != v {
			delete(r, n)
		}
	}
}

// A Trace is what one run of an instrumented program printed.
type Trace struct {
	Values  Reading
	Started int // steps whose call was begun
	Reading int // observation that was begun and not finished, or -1
}

// ParseTrace reads the lines of an instrumented program; other lines are the library's. A last line without its end
// was cut off, and says nothing.
func ParseTrace(stdout string) Trace {
	t := Trace{Values: Reading{}, Reading: -1}
	for line := range strings.Lines(stdout) {
		line, whole := strings.CutSuffix(line, "\n")
		if len(line) < 2 || !whole {
			continue
		}
		number, rest, _ := strings.Cut(line[1:], " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			continue
		}
		switch line[0] {
		case '#':
			t.Started, t.Reading = max(t.Started, n+1), -1
		case '?':
			t.Reading = n
		case '@':
			t.Values[n] = rest
			if t.Reading == n {
				t.Reading = -1
			}
		}
	}
	return t
}

// A Blob is the printed form of a string or buffer: its length, a checksum of all of it, and its first bytes.
// The length of a buffer is up to its last non-zero byte.
type Blob struct {
	Length   int
	Checksum uint64
	Head     string
}

// Whole reports whether Head is all of it.
func (b Blob) Whole() bool { return len(b.Head) == b.Length }

// ParseBlob reads what a String or Bytes printed.
func ParseBlob(s string) (b Blob, ok bool) {
	n, _ := fmt.Sscanf(s, "%d %x %x", &b.Length, &b.Checksum, &b.Head)
	return b, n >= 2 && len(b.Head) <= b.Length
}
