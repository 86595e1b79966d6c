package lisabench

import "fmt"

// corpusVersion is the version of the embedded corpus. It counts as semantic versions do. The
// first number changes with whatever makes earlier results incomparable (a pin, a recipe, a
// witness, the way a bug comes back, a bug that is withdrawn). The second changes when a library, a
// bug or a rule is added, and the third when only words change. It is raised once from one
// release to the next; 1.0.0 is the first.
const corpusVersion = "1.0.0"

// versionOf is Version, and where files from outside are laid over the embedded corpus, the
// hash of the whole behind it, so that results on different corpora differ in it.
func versionOf(b *Bench, external bool) string {
	if !external {
		return corpusVersion
	}
	var hashes []string
	for _, l := range b.Libraries {
		hashes = append(hashes, l.Hash())
		for _, bug := range l.Bugs {
			hashes = append(hashes, bug.Hash())
		}
	}
	return fmt.Sprintf("%s+local.%.12s", corpusVersion, hash(hashes))
}
