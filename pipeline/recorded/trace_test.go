package recorded

import (
	"fmt"
	"maps"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

func TestCondition(t *testing.T) {
	for _, c := range []struct {
		o             Observation
		printed, want string
	}{
		{Observation{Kind: Int, Expr: "r"}, "-3", "r == -3"},
		{Observation{Kind: Int, Expr: "r"}, "-9223372036854775808", "r == (-9223372036854775807ll - 1)"},
		{Observation{Kind: Uint, Expr: "n"}, "18446744073709551615", "n == 18446744073709551615ull"},
		{Observation{Kind: Double, Expr: "d"}, "0x1.8p+1", "d == 0x1.8p+1"},
		{Observation{Kind: Double, Expr: "d"}, "-0x0p+0", "d == 0 && signbit(d)"},
		{Observation{Kind: Double, Expr: "d"}, "-nan", "isnan(d)"},
		{Observation{Kind: LongDouble, Expr: "d"}, "0x8p-3", "d == 0x8p-3L"},
		{Observation{Kind: Double, Expr: "d"}, "-inf", "d == -INFINITY"},
		{Observation{Kind: Null, Expr: "p"}, "0", "p == NULL"},
		{Observation{Kind: Null, Expr: "p"}, "1", "p != NULL"},
		{Observation{Kind: String, Expr: "s"}, "3 1f 612209", `strcmp(s, "a\"\011") == 0`},
		{Observation{Kind: String, Expr: "s"}, "700 1f 61", "strlen(s) == 700 && checksum(s, 700) == 0x1full"},
		{Observation{Kind: Bytes, Expr: "b", Size: "8"}, "2 1f 6162", `memcmp(b, "ab", 3) == 0`},
		{Observation{Kind: Bytes, Expr: "b", Size: "2"}, "2 1f 6162", `memcmp(b, "ab", 2) == 0`},
		{Observation{Kind: Bytes, Expr: "b", Size: "*n"}, "2 1f 6162", `memcmp(b, "ab", 2) == 0`},
		{Observation{Kind: Bytes, Expr: "b", Size: "*n"}, "900 1f 61", "checksum(b, *n) == 0x1full"},
		{Observation{Kind: Bytes, Expr: "b", Size: "8"}, "2 x 6162", ""},
	} {
		assert.Check(t, is.Equal(c.o.Condition(c.printed), c.want), "%+v printed %q", c.o, c.printed)
	}
}

func TestFieldsAndLook(t *testing.T) {
	number, char := &apispec.Type{Kind: apispec.Int, Bits: 32, Signed: true, Name: "int"}, &apispec.Type{Kind: apispec.Int, Bits: 8, Signed: true, Name: "char"}
	spec := &apispec.Spec{Structs: []*apispec.Struct{
		{Name: "outer", Fields: []apispec.Field{
			{Name: "n", Type: number}, {Name: "in", Type: &apispec.Type{Kind: apispec.Record, Name: "inner"}},
			{Name: "list", Type: &apispec.Type{Kind: apispec.Array, Elem: number, Len: 2}}, {Name: "", Type: number},
			{Name: "text", Type: &apispec.Type{Kind: apispec.Pointer, Elem: char}}, {Name: "far", Type: &apispec.Type{Kind: apispec.Array, Elem: number, Len: 99}}}},
		{Name: "inner", Fields: []apispec.Field{{Name: "d", Type: &apispec.Type{Kind: apispec.Float, Bits: 64}}}},
		{Name: "either", Union: true, Fields: []apispec.Field{{Name: "n", Type: number}}},
	}}
	var got []string
	for _, name := range []string{"outer", "either", "unknown"} {
		Fields(spec, name, "p->", func(typ *apispec.Type, expr string) {
			for _, o := range Look(typ, expr, "p", true) {
				got = append(got, o.Print("7"))
			}
		})
	}
	want := []string{
		"if (p) obs_int(7, p->n);", "if (p) obs_double(7, p->in.d);", "if (p) obs_int(7, p->list[0]);", "if (p) obs_int(7, p->list[1]);",
		"if (p) obs_int(7, p->text != NULL);", "if (p && p->text) obs_string(7, p->text);",
	}
	assert.Check(t, fmt.Sprint(got) == fmt.Sprint(want), "got  %q\nwant %q", got, want)
}

func TestParseTrace(t *testing.T) {
	got := ParseTrace("hello\n#0\n@0 5\n@1 2 ff 6162\n\n#1\n?3\n@3 0 1 \n?4\n")
	if want := (Reading{0: "5", 1: "2 ff 6162", 3: "0 1 "}); !maps.Equal(got.Values, want) || got.Started != 2 || got.Reading != 4 {
		t.Errorf("%+v", got)
	}
	got.Values.Keep(Reading{0: "5", 1: "2 fe 6163"})
	assert.Check(t, maps.Equal(got.Values, Reading{0: "5"}), "kept %v", got.Values)
}

func FuzzParse(f *testing.F) {
	f.Add("#0\n@1 2 ff 6162\n?2\n")
	f.Add("@-1 x\n@99999999999999999999 1\n#\n@3 5 1 zz\n")
	f.Fuzz(func(t *testing.T, s string) {
		trace := ParseTrace(s)
		for n, v := range trace.Values {
			if b, ok := ParseBlob(v); n < 0 || ok && len(b.Head) > b.Length {
				t.Errorf("%d: %q is %+v", n, v, b)
			}
		}
	})
}
