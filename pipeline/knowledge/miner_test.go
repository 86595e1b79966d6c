package knowledge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A call is one call of a function in a test's trace: values by variable before and after.
type call struct{ before, after []string }

// traceOf makes a trace of one function's calls. A variable is "name" or "name:rep-type"; those
// of enter come first at exit too. Parameters begin with a "!".
func traceOf(function string, enter, more []string, calls []call) *trace {
	variable := func(s string) traceVariable {
		v := traceVariable{Kind: "variable", RepType: "int", Comparability: -1}
		s, v.Param = strings.CutPrefix(s, "!")
		v.Name = s
		if function == "push(int)" { // as in the run
			v.Comparability = map[string]int{"v": 1, "::n": 2, "::buf:hashcode": 3, "return": 4}[s]
		}
		for _, rep := range []string{"hashcode", "double", stringRep} {
			if name, ok := strings.CutSuffix(s, ":"+rep); ok {
				v.Name, v.RepType = name, rep
			}
		}
		if v.Name == "return" {
			v.Kind = "return"
		}
		return v
	}
	in, out := &point{Name: function + ":::ENTER"}, &point{Name: function + ":::EXIT1"}
	for _, s := range enter {
		in.Vars, out.Vars = append(in.Vars, variable(s)), append(out.Vars, variable(s))
	}
	for _, s := range more {
		out.Vars = append(out.Vars, variable(s))
	}
	t := &trace{Points: []*point{in, out}}
	for i, c := range calls {
		t.Samples = append(t.Samples, sample{in, i, c.before}, sample{out, i, c.after})
	}
	return t
}

func text(ns ...int) []string {
	var out []string
	for _, n := range ns {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

// ourTraces are those of testdata/daikon that no library's calls made, by file name.
func ourTraces() map[string]*trace {
	r := rand.New(rand.NewPCG(1, 2))
	var push, clamp, add []call
	for i, v := range []int{40, 47, 41, 99, -3, 58, 12} {
		push = append(push, call{text(v, i), append(text(v, i+1), "0x1000", "0")})
	}
	for len(clamp) < 60 {
		x, lo := r.IntN(201)-100, r.IntN(80)-60
		hi := lo + 1 + r.IntN(60)
		if x != lo && x != hi {
			clamp = append(clamp, call{text(x, lo, hi), text(x, lo, hi, min(max(x, lo), hi))})
		}
	}
	for i := range 9 {
		v, sum := r.IntN(1000), r.IntN(1000)
		add = append(add, call{text(v, i, sum, 40+i%4), text(v, i+1, sum+v, 40+i%4, -(i % 2))})
	}
	get := func(n int) (calls []call) {
		for i := range n {
			calls = append(calls, call{[]string{fmt.Sprint(4096 + 64*i)}, []string{fmt.Sprint(4096 + 64*i), fmt.Sprint(9000 + 8*i)}})
		}
		return calls
	}
	digit := func(each int) (calls []call) {
		for i := range 10 * each {
			calls = append(calls, call{text(), text(i % 10)})
		}
		return calls
	}
	half := func(n int) (calls []call) {
		for i := range n {
			calls = append(calls, call{[]string{fmt.Sprint(float64(i) + 0.5)}, []string{fmt.Sprint(float64(i) + 0.5), fmt.Sprint(float64(i*i%7) + float64(i) + 0.5)}})
		}
		return calls
	}
	word := func(n int, words ...string) (calls []call) {
		for i := range n {
			w, of := fmt.Sprintf("%q", words[i%len(words)]), fmt.Sprintf("%q", "lib, "+fmt.Sprint(i))
			calls = append(calls, call{[]string{w, of}, []string{w, of, "", w}})
			if i%2 == 0 { // s is gone after every other call
				calls[i].after[2] = w
			}
		}
		return calls
	}
	far := []call{}
	for i := range 40 {
		far = append(far, call{text(), text([]int{0, 0, 500, 713 + i}[i%4])})
	}
	wide, mixed, odd := []call{}, []call{}, []call{}
	for i := range 40 {
		big := []int{1 << 40, 1<<40 + 7}[i%2]
		wide = append(wide, call{text(i%9-1, 3, big), text(i%9-1, 3, big, 2*(i%9-1)-5, i%5-7)})
		x, gone := fmt.Sprint(float64(i%11)-0.5), ""
		if i%3 > 0 {
			gone = x // y is x where it has a value
		}
		mixed = append(mixed, call{[]string{x, gone}, []string{x, gone, fmt.Sprint(float64(i%11) * 1e9), "7"}})
		root := "nan"
		if i%4 > 0 {
			root = fmt.Sprint(i % 4)
		}
		odd = append(odd, call{[]string{root}, []string{root, root, "0"}})
	}
	return map[string]*trace{
		"push":                    traceOf("push(int)", []string{"!v", "::n"}, []string{"::buf:hashcode", "return"}, push),
		"clamp":                   traceOf("clamp(int, int, int)", []string{"!x", "!lo", "!hi"}, []string{"return"}, clamp),
		"lines-and-planes":        traceOf("add(t *, int)", []string{"!v", "t->count", "t->sum", "t->limit"}, []string{"return"}, add),
		"pointers-12-calls":       traceOf("get(t *)", []string{"!p:hashcode"}, []string{"return:hashcode"}, get(12)),
		"pointers-11-calls":       traceOf("get(t *)", []string{"!p:hashcode"}, []string{"return:hashcode"}, get(11)),
		"digits-3-times":          traceOf("digit(void)", nil, []string{"return"}, digit(3)),
		"digits-twice":            traceOf("digit(void)", nil, []string{"return"}, digit(2)),
		"frequent-bound":          traceOf("far(void)", nil, []string{"return"}, far),
		"strings-not-always":      traceOf("name(string)", []string{"!w:java.lang.String", "!of:java.lang.String"}, []string{"s:java.lang.String", "return:java.lang.String"}, word(8, "a b", `say "no"`, "")),
		"strings-1-call":          traceOf("name(string)", []string{"!w:java.lang.String", "!of:java.lang.String"}, nil, []call{{[]string{`"x"`, `"x, y"`}, []string{`"x"`, `"x, y"`}}}),
		"fractions-7-calls":       traceOf("f(double)", []string{"!x:double"}, []string{"return:double"}, half(7)),
		"fractions-6-calls":       traceOf("f(double)", []string{"!x:double"}, []string{"return:double"}, half(6)),
		"constants-and-long-ints": traceOf("g(int, int, long)", []string{"!i", "!three", "!big"}, []string{"return", "h"}, wide),
		"fractions-not-always":    traceOf("f(double)", []string{"!x:double", "y:double"}, []string{"return:double", "n"}, mixed),
		"not-a-number":            traceOf("root(double)", []string{"!x:double"}, []string{"return:double", "n"}, odd),
	}
}

func TestHoldsFindsWhatFails(t *testing.T) {
	tr := traceOf("f(int)", []string{"!x"}, []string{"return"}, []call{{text(1), text(1, 2)}, {text(5), text(5, 7)}})
	for line, want := range map[string]bool{
		"return > orig(x)": true, "return == orig(x)": false, "return one of { 2, 7 }": true, "return == 2": false, "return >= 3": false, "return <= 7": true,
		"return != 0": true, "return - orig(x) - 1 == 0": false, "4 * return - 5 * orig(x) - 3 == 0": true, "-4 * return + 5 * orig(x) + 3 == 0": true,
	} {
		l := parseLikely("f(int):::EXIT", line)
		if n, ok := l.holdsIn(tr); n != 2 || ok != want || l.Template == "" {
			t.Errorf("%s (%+v): %d calls, %v, want %v", line, l, n, ok, want)
		}
	}
	for _, line := range []string{"::n == size(::buf[])", "x % 2 == 0", "a[i] > 3", "x >= y > z"} {
		if l := parseLikely("f(int):::EXIT", line); l.Template != "" || l.String() != line {
			t.Errorf("%q is read as %+v", line, l)
		}
	}
}

// TestReadTrace reads the example of the facts on Daikon's format, with an array.
func TestReadTrace(t *testing.T) {
	data, err := os.ReadFile("testdata/push.dtrace")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := readTrace(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(tr.Points) != 2 || len(tr.Samples) != 2 || tr.Points[1].Vars[3].Name != "return" || tr.Samples[1].Values[3] != "0" {
		t.Errorf("%+v", tr)
	}
	for old, to := range map[string]string{
		"decl-version 2.0":      "decl-version 1.0",
		"\nv\n5\n1\n":           "\nw\n5\n1\n",
		"push(int):::ENTER\nth": "pop(int):::ENTER\nth",
		"\n5\n1\n::n":           "\n5\n7\n::n",
	} {
		if _, err := readTrace(strings.NewReader(strings.Replace(string(data), old, to, 1))); err == nil || strings.Trim(strings.SplitN(err.Error(), ":", 2)[0], "0123456789") != "" {
			t.Errorf("%q: %v, want an error with its line", to, err)
		}
	}
}

func FuzzReadTrace(f *testing.F) {
	data, err := os.ReadFile("testdata/push.dtrace")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add("ppt a:::ENTER\nvariable b\n rep-type int\n\na:::ENTER\nb\n1\n1\n")
	f.Fuzz(func(t *testing.T, s string) {
		tr, err := readTrace(strings.NewReader(s))
		if err != nil {
			return
		}
		if len(tr.Samples) < 20 && len(tr.Points) < 4 {
			mineTrace(tr)
		}
	})
}
