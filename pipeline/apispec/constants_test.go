package apispec

import (
	"fmt"
	"math"
	"testing"
)

// TestConstants reads macros of all kinds, of which some are integer constant expressions.
func TestConstants(t *testing.T) {
	tests := []struct {
		body string
		want int64
		ok   bool
	}{
		{"1", 1, true}, {"-1", -1, true}, {"(1 << 4) | 3", 19, true}, {"0x7fffffffL", math.MaxInt32, true},
		{"010", 8, true}, {"~0U", math.MaxUint32, true}, {"SIX * 7", 42, true}, {"E", 7, true}, {"'a'", 'a', true}, {"SIX + SIX /* twelve */", 12, true},
		{"(u8)511", 255, true}, {"((unsigned char) 0x1ff)", 255, true}, {"2 + 3 * 4", 14, true}, {"1 ? 2 : 3", 2, true},
		{"10 - 3 - 2", 5, true}, {"!0 && 1 < 2", 1, true}, {"18446744073709551615ULL", -1, true},
		{"LOOP", 0, false}, {"1 / 0", 0, false}, {"1.5", 0, false}, {"sizeof(int)", 0, false}, {"(u8)", 0, false}, {"(void *)0", 0, false},
		{"x", 0, false}, {"(1", 0, false}, {"1)", 0, false}, {"1 2", 0, false}, {"1, 2", 0, false}, {"1 }", 0, false}, {"CALL", 0, false}, {"CALL(1)", 0, false},
		{"__COUNTER__", 0, false}, {"f(1)", 0, false}, {"x = 1", 0, false}, {"E = 1", 0, false}, {"int y", 0, false}, {"SIX", 6, true},
	}
	text := "enum e { E = 7 };\ntypedef unsigned char u8;\n#define SIX (2 * 3)\n#define LOOP LOOP + 1\n#define CALL(x) x\nint f(int);\nextern int x;\n"
	for i, tc := range tests {
		text += fmt.Sprintf("#define M%d %s\n", i, tc.body)
	}
	spec, _ := loadText(t, text)
	found := map[string]int64{}
	for _, c := range spec.Constants {
		found[c.Name] = c.Int
	}
	for i, tc := range tests {
		if got, ok := found[fmt.Sprintf("M%d", i)]; ok != tc.ok || got != tc.want {
			t.Errorf("%s = %d, %v; want %d, %v", tc.body, got, ok, tc.want, tc.ok)
		}
	}
}
