package libbuild

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// An assembly is one source file as the compiler's assembly text, split into functions.
type assembly struct {
	lines []string
	funcs []asmFunc
}

// An asmFunc is lines[begin:end] of an assembly: the label of a function up to that of its end.
type asmFunc struct {
	name       string
	begin, end int
}

// parseAssembly reads the output of clang -S.
func parseAssembly(text string) *assembly {
	a := &assembly{lines: strings.Split(text, "\n")}
	isFunc := map[string]bool{}
	open := -1
	for i, line := range a.lines {
		if name, ok := strings.CutPrefix(line, "\t.type\t"); ok {
			if name, ok = strings.CutSuffix(name, ",@function"); ok {
				isFunc[name] = true
			}
		} else if label, ok := labelOf(line); ok {
			switch {
			case isFunc[label] && open < 0:
				open = len(a.funcs)
				a.funcs = append(a.funcs, asmFunc{name: label, begin: i})
			case strings.HasPrefix(label, ".Lfunc_end") && open >= 0:
				a.funcs[open].end = i
				open = -1
			}
		}
	}
	if open >= 0 { // text of another compiler than the one that is required
		a.funcs = a.funcs[:open]
	}
	return a
}

// labelOf returns the label that a line begins with.
func labelOf(line string) (string, bool) {
	if line == "" || line[0] == '\t' || line[0] == ' ' || line[0] == '#' {
		return "", false
	}
	if label, quoted := strings.CutPrefix(line, `"`); quoted {
		label, _, ok := strings.Cut(label, `":`)
		return label, ok
	}
	label, _, ok := strings.Cut(line, ":")
	return label, ok
}

var localLabel = regexp.MustCompile(`\.L[A-Za-z_.$0-9]+`)
var labelNumber = regexp.MustCompile(`^(\.L[A-Za-z_]+)[0-9]+(_[0-9]+)?$`)

// bodies returns each function's text such that the same code has the same text, whatever stands
// before it in its file. It has labels without their functions' numbers, constants in place of their labels.
func (a *assembly) bodies() map[string]string {
	data := a.constants()
	bodies := map[string]string{}
	for _, f := range a.funcs {
		var b strings.Builder
		for _, line := range a.lines[f.begin:f.end] {
			line, _, _ = strings.Cut(line, " # ")
			line = strings.TrimSpace(line)
			if line == "" || line[0] == '#' || strings.HasPrefix(line, ".cfi") || strings.HasPrefix(line, ".p2align") {
				continue
			}
			b.WriteString(localLabel.ReplaceAllStringFunc(line, func(label string) string {
				if content, ok := data[label]; ok {
					return content
				}
				return unnumbered(label)
			}))
			b.WriteByte('\n')
		}
		bodies[f.name] = b.String()
	}
	return bodies
}

func unnumbered(label string) string { return labelNumber.ReplaceAllString(label, "$1$2") }

// constants returns the hash of what stands at each label outside of functions.
func (a *assembly) constants() map[string]string {
	text := map[string]*strings.Builder{}
	inFunc := 0
	var at *strings.Builder
	for i, line := range a.lines {
		for inFunc < len(a.funcs) && i >= a.funcs[inFunc].end {
			inFunc++
		}
		if inFunc < len(a.funcs) && i >= a.funcs[inFunc].begin {
			at = nil
			continue
		}
		if label, ok := labelOf(line); ok {
			at = &strings.Builder{}
			text[label] = at
			continue
		}
		if at != nil && !strings.HasPrefix(line, "\t.size") && !strings.HasPrefix(line, "\t.section") && !strings.HasPrefix(line, "\t.type") {
			at.WriteString(localLabel.ReplaceAllStringFunc(line, unnumbered) + "\n")
		}
	}
	sums := map[string]string{}
	for label, b := range text {
		if b.Len() > 0 {
			sums[label] = fmt.Sprintf("=%x", sha256.Sum256([]byte(b.String())))
		}
	}
	return sums
}

// changedFunctions returns the names of the functions that differ between two assemblies, or use a
// table that does, and of those that only one of them has, sorted. Either may be nil.
func changedFunctions(a, b *assembly) []string {
	var one, other map[string]string
	if a != nil {
		one = a.bodies()
	}
	if b != nil {
		other = b.bodies()
	}
	changed := map[string]bool{}
	for name, body := range one {
		if other[name] != body {
			changed[name] = true
		}
	}
	for name := range other {
		if _, both := one[name]; !both {
			changed[name] = true
		}
	}
	if a != nil && b != nil {
		for _, table := range changedData(a.constants(), b.constants()) {
			word := regexp.MustCompile(`(^|[^\w.$])` + regexp.QuoteMeta(table) + `($|[^\w.$])`)
			for name, body := range one {
				if word.MatchString(body) {
					changed[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// changedData returns the names of the variables and tables that differ. Local labels are left out:
// their content is part of the functions' text.
func changedData(a, b map[string]string) (names []string) {
	for name, sum := range a {
		if b[name] != sum && !strings.HasPrefix(name, ".L") {
			names = append(names, name)
		}
	}
	return names
}

// What disguised text has at places that are filled in anew for each build made of its object.
type marks struct {
	junk  uint64 // eight bytes that are jumped over
	probe uint32 // distance below the stack pointer at which a byte is written
}

// Where a byte may be written below the stack of a function that is entered: nothing is there yet.
const nearestProbe, farthestProbe = 256, 4096

// disguise changes the named functions in ways that no caller can see, and returns the text. It adds jumps over
// junk, padding, redundant prefixes, and a byte written below the stack, where the function's own calls will
// write.
func (a *assembly) disguise(names []string, m marks, rng *rand.Rand) string {
	var b strings.Builder
	next, slots := 0, 0
	for i, line := range a.lines {
		for next < len(a.funcs) && i >= a.funcs[next].end {
			next++
		}
		if next < len(a.funcs) && i > a.funcs[next].begin && slices.Contains(names, a.funcs[next].name) {
			f := a.funcs[next]
			if ok, simple := a.insertable(f, i); ok {
				if first := a.firstInstruction(f) == i; first || rng.IntN(3) == 0 {
					slots++
					b.WriteString(a.noise(first, slots, m, rng))
				} else if simple && rng.IntN(6) == 0 && runtime.GOARCH == "amd64" {
					// Segment overrides of cs, ds and es are ignored in 64-bit mode (Intel SDM 1, 3.4.2.1).
					fmt.Fprintf(&b, "\t.byte\t%#x\n", []int{0x2e, 0x3e, 0x26}[rng.IntN(3)])
				}
			}
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// noise is what is inserted at one place. None of it changes a flag or a register.
func (a *assembly) noise(first bool, n int, m marks, rng *rand.Rand) string {
	var b strings.Builder
	jump := "jmp"
	if runtime.GOARCH == "arm64" {
		jump = "b"
	}
	if first && runtime.GOARCH == "amd64" {
		// movb $imm, -probe(%rsp)
		fmt.Fprintf(&b, "\t.byte\t0xc6, 0x84, 0x24\n\t.long\t%#x\n\t.byte\t%d\n", m.probe, rng.IntN(256))
	}
	fmt.Fprintf(&b, "\t%s\t.Ldisguise%d\n", jump, n)
	for range 1 + rng.IntN(3) {
		fmt.Fprintf(&b, "\t.quad\t%#x\n", m.junk)
	}
	if runtime.GOARCH == "amd64" {
		for range rng.IntN(8) {
			fmt.Fprintf(&b, "\t.byte\t%d\n", rng.IntN(256))
		}
	}
	fmt.Fprintf(&b, ".Ldisguise%d:\n", n)
	return b.String()
}

func (a *assembly) firstInstruction(f asmFunc) int {
	for i := f.begin + 1; i < f.end; i++ {
		if isInstruction(a.lines[i]) {
			return i
		}
	}
	return -1
}

// insertable says whether something can stand before line i of f, and whether the instruction there
// can have one more prefix.
func (a *assembly) insertable(f asmFunc, i int) (ok, simple bool) {
	line := a.lines[i]
	if !isInstruction(line) || isBound(line) {
		return false, false
	}
	for j := i - 1; j > f.begin; j-- {
		if isInstruction(a.lines[j]) {
			if isBound(a.lines[j]) {
				return false, false
			}
			break
		}
		if strings.HasPrefix(a.lines[j], "\t#APP") {
			return false, false
		}
	}
	return true, prefixable.MatchString(line)
}

// isInstruction leaves out directives, labels and comments.
func isInstruction(line string) bool {
	return len(line) > 1 && line[0] == '\t' && line[1] >= 'a' && line[1] <= 'z'
}

// isBound reports whether an instruction belongs together with the one before or after it: it is a
// prefix, or part of a sequence that a linker may rewrite.
func isBound(line string) bool {
	return boundLine.MatchString(line)
}

var (
	boundLine  = regexp.MustCompile(`^\t(lock|rep|repe|repne|repz|repnz|data16|rex64|notrack|xacquire|xrelease)\b|@TLS|@GOTTPOFF|@DTPOFF|@TPOFF|__tls_get_addr|:tls|tlsdesc`)
	prefixable = regexp.MustCompile(`^\t(mov[bwlq]|add[bwlq]|sub[bwlq]|cmp[bwlq]|test[bwlq]|xor[bwlq]|and[bwlq]|or[bwlq]|lea[lq]|push[q]|pop[q])\t[^@]*$`)
)
