package toolchain

import "strings"

// ParseDepfile returns the prerequisites of a make rule as clang -MD writes it.
func ParseDepfile(text string) []string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(text, "\\\n", " "), ":")
	var paths []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			paths = append(paths, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(rest); i++ {
		next := byte(0)
		if i+1 < len(rest) {
			next = rest[i+1]
		}
		switch ch := rest[i]; {
		case ch == '\\' && (next == ' ' || next == '#'), ch == '$' && next == '$':
			word.WriteByte(next)
			i++
		case ch == ' ' || ch == '\n' || ch == '\t':
			flush()
		default:
			word.WriteByte(ch)
		}
	}
	flush()
	return paths
}
