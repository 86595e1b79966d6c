package recorded

import (
	"fmt"
	"strconv"
	"strings"
)

// Value k of call n is printed as number n*stride + 1 + k. Number n*stride says which function was
// called.
func stride(list []*watched) int {
	most := 0
	for _, w := range list {
		most = max(most, len(w.values))
	}
	return most + 1
}

func functions(list []*watched) []Function {
	all := make([]Function, len(list))
	for i, w := range list {
		all[i] = w.Function
	}
	return all
}

// printing is the program that prints what is watched. A line "?NUMBER" before each value says
// which of them cannot be read.
func printing(source string, list []*watched, headers []string) string {
	const about = "static void lisa_about(int k) { OBS_PRINT(\"?%d\\n\", k); fflush(stdout); }\n"
	s := stride(list)
	return Program(source, functions(list), headers, Includes+Printers+about, func(i int) (before, after string) {
		w := list[i]
		var b strings.Builder
		fmt.Fprintf(&b, "if (obs_left > 0) {\nmark(%s);\nobs_int(%[1]s * %d, %d);\n", Number, s, i)
		for k, o := range w.values {
			if w.muted[k] {
				continue
			}
			number := fmt.Sprintf("%s * %d + %d", Number, s, 1+k)
			fmt.Fprintf(&b, "lisa_about(%s); %s\n", number, o.Print(number))
		}
		b.WriteString("}\n")
		return w.before, b.String()
	})
}

// asserting is the program that compares each value with what was read. asserted is how many
// assertions it has.
func asserting(source string, list []*watched, headers []string, values Reading) (text string, asserted int) {
	s, checksums := stride(list), false
	cases := make([]strings.Builder, len(list))
	for n := 0; ; n++ {
		index, err := strconv.Atoi(values[n*s])
		if err != nil || index >= len(list) {
			break
		}
		var b strings.Builder
		for k, o := range list[index].values {
			value, ok := values[n*s+1+k]
			if !ok {
				continue
			}
			condition, checksum := o.Condition(value)
			if condition == "" {
				continue
			}
			condition = and(o.Guard, condition)
			checksums = checksums || checksum
			asserted++
			fmt.Fprintf(&b, "    assert(%s);\n", condition)
		}
		if b.Len() > 0 {
			fmt.Fprintf(&cases[index], "case %d:\n%s    break;\n", n, b.String())
		}
	}
	prelude := Includes
	if checksums {
		prelude += ChecksumHelper
	}
	return Program(source, functions(list), headers, prelude, func(i int) (before, after string) {
		if cases[i].Len() == 0 {
			return "", ""
		}
		return list[i].before, fmt.Sprintf("switch (%s) {\n%s}\n", Number, cases[i].String())
	}), asserted
}
