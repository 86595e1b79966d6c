package apispec

import (
	"math"
	"testing"
)

func newTestEvaluator() *evaluator {
	return &evaluator{
		macros: map[string]*macroDef{
			"SIX":  {name: "SIX", body: "(2 * 3)"},
			"LOOP": {name: "LOOP", body: "LOOP + 1"},
			"CALL": {name: "CALL", body: "1", isFunc: true},
		},
		enumerators: map[string]int64{"E": 7},
		lookup:      among(map[string]*Type{"u8": {Kind: Int, Bits: 8}}),
	}
}

func TestConstantExpressions(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"1", 1, true}, {"-1", -1, true}, {"(1 << 4) | 3", 19, true}, {"0x7fffffffL", math.MaxInt32, true},
		{"010", 8, true}, {"~0U", -1, true}, {"SIX * 7", 42, true}, {"E", 7, true}, {"'a'", 'a', true},
		{"(u8)511", 255, true}, {"((unsigned char) 0x1ff)", 255, true}, {"2 + 3 * 4", 14, true},
		{"10 - 3 - 2", 5, true}, {"!0 && 1 < 2", 1, true}, {"18446744073709551615ULL", -1, true},
		{"LOOP", 0, false}, {"1 / 0", 0, false}, {"1.5", 0, false}, {"sizeof(int)", 0, false},
		{"x", 0, false}, {"", 0, false}, {"(1", 0, false}, {"1 2", 0, false}, {"CALL", 0, false}, {"1 << 99", 0, false},
	} {
		t.Run(tc.in, func(t *testing.T) {
			got, ok := newTestEvaluator().integer(tc.in)
			if ok != tc.ok || ok && got != tc.want {
				t.Errorf("= %d, %v; want %d, %v", got, ok, tc.want, tc.ok)
			}
		})
	}
}

func FuzzConstantExpression(f *testing.F) {
	for _, s := range []string{"(1 << 4) | SIX", "(u8)-1", "'\\n'", "((((", "LOOP"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := newTestEvaluator()
		v, ok := e.integer(s)
		if again, okAgain := e.integer("(" + s + ")"); ok && (!okAgain || again != v) {
			t.Errorf("%q is %d, in parentheses %d, %v", s, v, again, okAgain)
		}
	})
}
