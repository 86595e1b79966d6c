package toolchain

import (
	"regexp"
	"strings"
)

var (
	depWord   = regexp.MustCompile(`(?:\\[ #]|\$\$|[^ \n\t])+`)
	depEscape = strings.NewReplacer(`\ `, " ", `\#`, "#", "$$", "$")
)

// ParseDepfile returns the prerequisites of a make rule as clang -MD writes it.
func ParseDepfile(text string) (paths []string) {
	_, rest, _ := strings.Cut(strings.ReplaceAll(text, "\\\n", " "), ":")
	for _, word := range depWord.FindAllString(rest, -1) {
		paths = append(paths, depEscape.Replace(word))
	}
	return paths
}
