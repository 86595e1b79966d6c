package randoop

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

// describe records the behaviour of step i, whose observations begin with number n. It
// returns the printed result of the call, "" if none, and whether every value of the step
// was seen together before.
func (m *memory) describe(c *candidate, i, n int) (result string, seen bool) {
	step := &c.seq.steps[i]
	name := step.call.name
	if i > 0 {
		m.features["after "+c.seq.steps[i-1].call.name+" "+name] = true
	}
	m.features["args "+patternOf(step)] = true
	var all strings.Builder
	all.WriteString(name)
	for k, ob := range c.obs[i] {
		value, ok := c.values[n+k]
		all.WriteString(" " + value)
		if !ok {
			continue
		}
		at(m.reads, ob.key).tried++
		if ob.v == step.result && ob.field == "" && result == "" {
			result = value
		}
		m.features[fmt.Sprintf("value %s %s %s", name, ob.key, bucket(ob.Kind, value))] = true
	}
	key := all.String()
	seen = m.results[key]
	m.results[key] = true
	return result, seen
}

// bucket makes few of many values: small numbers and signs as they are, others by size.
func bucket(kind exact.Kind, value string) string {
	switch kind {
	case exact.Int, exact.Uint, exact.Null, exact.Offset:
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return "huge"
		}
		if v >= -40 && v <= 40 {
			return value
		}
		sign := ""
		if v < 0 {
			sign, v = "-", -v
		}
		return fmt.Sprint(sign, "bits", bits.Len64(uint64(v)))
	case exact.String, exact.Bytes:
		b, ok := exact.ParseBlob(value)
		if !ok {
			return "odd"
		}
		first := ""
		if b.Head != "" {
			first = b.Head[:1]
		}
		return fmt.Sprintf("length%d %q", bits.Len(uint(b.Length)), first)
	}
	if mantissa, exponent, ok := strings.Cut(value, "p"); ok {
		return fmt.Sprint(len(mantissa), "p", exponent)
	}
	return value
}

// isError reports whether a call's result says that it did not do what was asked: NULL,
// or a negative number of a signed type.
func isError(c *candidate, i int, result string) bool {
	step := &c.seq.steps[i]
	if step.result < 0 || result == "" {
		return false
	}
	if step.call.creates != "" || step.call.result.Elem != nil {
		return result == "0"
	}
	return strings.HasPrefix(result, "-")
}
