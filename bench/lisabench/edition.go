package lisabench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// revision is a commit or a tag that can be part of a directory's name.
var revision = regexp.MustCompile(`^([0-9a-f]{40}|[A-Za-z0-9][A-Za-z0-9._+-]{0,60})$`)

// atCommit begins the name of the upstream edition at another commit than the pinned one.
const atCommit = string(Upstream) + "-"

// AtCommit is the upstream edition at a commit (40 hexadecimal digits) or a tag of the library's repository.
func AtCommit(rev string) (Edition, error) {
	if !revision.MatchString(rev) {
		return "", fmt.Errorf("%q is neither a commit of 40 digits nor the name of a tag", rev)
	}
	return Edition(atCommit + rev), nil
}

// Commit is the commit or tag of an edition made by AtCommit; "" if the pin says it.
func (e Edition) Commit() string {
	if rev, ok := strings.CutPrefix(string(e), atCommit); ok {
		return rev
	}
	return ""
}

// Base is the edition whose recipe and documents this one has.
func (e Edition) Base() Edition {
	switch {
	case e.Commit() != "":
		return Upstream
	case e == Fresh:
		return Debian
	}
	return e
}

// Known reports whether e is one of Editions, Fresh, or one that AtCommit makes.
func (e Edition) Known() bool {
	return slices.Contains(Editions, e.Base()) && (e.Commit() == "" || revision.MatchString(e.Commit()))
}
