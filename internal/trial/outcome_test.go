package trial

import "testing"

func TestOracleAt(t *testing.T) {
	mixed := "void test(void)\n{\n    assert(a == 1); // value range\n    assert(b == 2); // " + RepairedMark + "\n}\n"
	for _, c := range []struct {
		p    Program
		line int
		want OracleClass
	}{
		{Program{Source: mixed, Oracle: OracleSpecification}, 3, OracleSpecification},
		{Program{Source: mixed, Oracle: OracleSpecification}, 4, OracleRepaired},
		{Program{Source: mixed, Oracle: OracleSpecification}, 0, OracleRepaired}, // unknown: the weaker
		{Program{Source: mixed, Oracle: OracleReference}, 4, OracleReference},
		{Program{Source: "void test(void) {}\n", Oracle: OracleSpecification}, 0, OracleSpecification},
		{Program{Source: mixed}, 4, ""},
	} {
		if got := c.p.OracleAt(c.line); got != c.want {
			t.Errorf("line %d of a program of class %q: %q, want %q", c.line, c.p.Oracle, got, c.want)
		}
	}
}
