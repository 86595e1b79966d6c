package workshop

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
)

// readers are the functions of libc that read a file of the system, by that file (GNU C
// Library manual, chapters 16, 21, 22, 30 and 31).
var readers = map[string]*regexp.Regexp{
	"/etc/protocols": regexp.MustCompile(`\b[gs]etprotoby\w+|\b[gs]etprotoent\w*`),
	"/etc/services":  regexp.MustCompile(`\b[gs]etservby\w+|\b[gs]etservent\w*|\bgetaddrinfo\b|\bgetnameinfo\b`),
	"/etc/hosts":     regexp.MustCompile(`\bgethostby\w+|\b[gs]ethostent\w*|\bgetaddrinfo\b|\bgetnameinfo\b`),
	"/etc/networks":  regexp.MustCompile(`\bgetnetby\w+|\b[gs]etnetent\w*`),
	"/etc/ethers":    regexp.MustCompile(`\bether_hostton\b|\bether_ntohost\b`),
	"/etc/passwd":    regexp.MustCompile(`\bgetpw(nam|uid|ent)\w*|\bgetlogin\w*|\bcuserid\b`),
	"/etc/group":     regexp.MustCompile(`\bgetgr(nam|gid|ent)\w*|\bgetgrouplist\b|\binitgroups\b`),
	"/etc/zoneinfo":  regexp.MustCompile(`\blocaltime(_r)?\b|\bmktime\b|\btzset\b`),
	"/etc/rpc":       regexp.MustCompile(`\bgetrpcby\w+|\b[gs]etrpcent\w*`),
	"/etc/shadow":    regexp.MustCompile(`\bgetsp(nam|ent)\w*`),
	"/etc/shells":    regexp.MustCompile(`\bgetusershell\b`),
	"/etc/fstab":     regexp.MustCompile(`\b[gs]etfs(ent|spec|file)\b|\b[gs]etmntent\w*`),
	"/etc/netgroup":  regexp.MustCompile(`\b[gs]etnetgrent\w*|\binnetgr\b`),
	"/etc/aliases":   regexp.MustCompile(`\bgetalias(ent|byname)\w*`),
	"/etc/ttys":      regexp.MustCompile(`\bgetttyent\b|\bgetttynam\b`),
}

// noDatabase are paths below /etc that the libraries' files name, and why programs need none.
var noDatabase = map[string]string{
	"/etc/dlpi.conf": "of HP-UX: a capture device, which the sandbox does not have",
	"/etc/pse.conf":  "of AIX: a capture device",
}

var (
	etcPath  = regexp.MustCompile(`/etc/[A-Za-z][\w.-]*`)
	document = regexp.MustCompile(`\.(h|md|txt|html|\w+\.in)$|README`)
)

// isCompiled reports whether a file of a library's tree is one of its sources, or makes one.
func isCompiled(name string, lib *lisabench.Library) bool {
	if ext := path.Ext(name); ext == ".y" || ext == ".l" {
		name = strings.TrimSuffix(name, ext) + ".c"
	}
	return slices.ContainsFunc(lib.Recipe.Sources, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// checkSystemFiles checks that the sandbox has every file of /etc that the documents and
// headers in a library's view name, and every one that libc reads for what its sources call.
func checkSystemFiles(t *testing.T, view string, lib *lisabench.Library) {
	t.Helper()
	have := sandbox.SystemFiles()
	sources := 0
	err := fs.WalkDir(os.DirFS(view), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(view, name))
		if err != nil {
			return err
		}
		if document.MatchString(name) {
			for _, file := range etcPath.FindAllString(string(data), -1) {
				if file = strings.TrimRight(file, ".-"); !slices.Contains(have, file) && noDatabase[file] == "" {
					t.Errorf("%s tells of %s, which programs do not find", name, file)
				}
			}
		}
		if !isCompiled(name, lib) {
			return nil
		}
		sources++
		for file, calls := range readers {
			if call := calls.Find(data); call != nil && !slices.Contains(have, file) {
				t.Errorf("%s calls %s, which reads %s; programs do not find that", name, call, file)
			}
		}
		return nil
	})
	if err != nil || sources == 0 {
		t.Errorf("%d sources, %v", sources, err)
	}
}
