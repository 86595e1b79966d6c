package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// readsDatabases is a test that asks libc for something of each database.
const readsDatabases = `#include <arpa/inet.h>
#include <dirent.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <pwd.h>
#include <time.h>
static int hour(const char *zone, time_t t) { setenv("TZ", zone, 1); tzset(); return localtime(&t)->tm_hour; }
int main(void) {
	struct protoent *tcp = getprotobyname("tcp");
	assert(tcp && tcp->p_proto == 6);
	assert(!strcmp(getprotobynumber(17)->p_name, "udp"));
	struct servent *http = getservbyname("http", "tcp");
	assert(http && ntohs(http->s_port) == 80);
	assert(!strcmp(getservbyport(htons(53), "udp")->s_name, "domain"));
	assert(!getservbyname("no such service", "tcp"));
	struct hostent *local = gethostbyname("localhost");
	assert(local && local->h_addrtype == AF_INET && *(unsigned *)local->h_addr_list[0] == htonl(INADDR_LOOPBACK));
	char name[64];
	assert(!gethostname(name, sizeof name) && gethostbyname(name));
	struct addrinfo *found;
	assert(!getaddrinfo("::1", "https", NULL, &found) && found->ai_family == AF_INET6);
	assert(getaddrinfo("www.example.org", NULL, NULL, &found) == EAI_NONAME);
	assert(getnetbyname("loopback")->n_net == 127u << 24);
	struct ether_addr address;
	assert(!ether_hostton("sandbox", &address) && address.ether_addr_octet[5] == 1);

	struct passwd *user = getpwuid(getuid());
	assert(user && !strcmp(user->pw_name, "tester") && user->pw_gid == getgid() && !strcmp(user->pw_dir, getenv("HOME")));
	assert(!strcmp(getgrgid(getgid())->gr_name, "tester"));
	assert(!getpwnam("root"));

	time_t summer = 1719835200; // 2024-07-01 12:00 UTC
	assert(localtime(&summer)->tm_hour == 12);
	assert(hour("Europe/Berlin", summer) == 14 && !strcmp(tzname[1], "CEST"));
	assert(hour("America/New_York", summer) == 8 && hour("Asia/Kathmandu", summer) == 17);
	assert(hour("NZST-12NZDT,M9.5.0,M4.1.0/3", summer) == 0);

	assert(fopen("/etc/hosts", "a") == NULL && fopen("/etc/passwd", "a") == NULL && unlink("/etc/zoneinfo/UTC") != 0);
	return 0;
}
`

// TestDatabases reads every database of /etc in each executor that has its own.
func TestDatabases(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		if name == "none" {
			t.Skip("programs see the host's /etc")
		}
		r, err := e.Start(t.Context(), Plain)
		assert.NilError(t, err)
		defer r.Close()
		if v := run(t, r, w.job(t, readsDatabases)); Classify(v).Outcome != trial.OK {
			t.Errorf("%s\n%s", Classify(v).Outcome, v.Stderr)
		}
	})
}

// TestNothingElseInEtc lists what programs in bubblewrap see of /etc, and reads what has
// the same name on the host.
func TestNothingElseInEtc(t *testing.T) {
	w := newWorkshop(t)
	v, err := w.executor(t, "bwrap").Exec(t.Context(), Command{
		Args: []string{"/bin/sh", "-c", "cd /etc && for f in * .[!.]*; do [ -e $f ] && echo $f; done; cat hosts passwd nsswitch.conf"}, Stdout: true, Limits: testLimits})
	assert.NilError(t, err)
	out := string(v.Stdout)
	allowed := map[string]bool{"ld.so.cache": true, "alternatives": true} // where the host has them
	for _, path := range systemFiles() {
		name := filepath.Base(path)
		allowed[name] = true
		assert.Check(t, strings.Contains(out, name+"\n"), "no %s in\n%s", path, out)
	}
	names, texts, _ := strings.Cut(out, "127.0.0.1")
	for _, name := range strings.Fields(names) {
		assert.Check(t, allowed[name], "programs see /etc/%s", name)
	}
	if lines := strings.Count(texts, ":/bin/sh\n"); lines != 1 {
		t.Errorf("%d users in\n%s", lines, texts)
	}
}

// TestNoChangelogs looks for the documents of the machine's packages, changelogs among them.
func TestNoChangelogs(t *testing.T) {
	if _, err := os.Stat("/usr/share/doc/libc6"); err != nil {
		t.Skip("this machine has no documents of packages to hide")
	}
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		if name == "none" {
			t.Skip("programs see the host's files")
		}
		v, err := e.Exec(t.Context(), Command{
			Args:   []string{"/bin/sh", "-c", "ls -A " + strings.Join(hiddenDirs, " ") + " 2>/dev/null | grep -v ':$' | grep .; touch /usr/share/doc/x && echo written"},
			Stdout: true, Limits: testLimits})
		assert.NilError(t, err)
		assert.Check(t, len(v.Stdout) == 0, "programs see %s", v.Stdout)
	})
}

// TestPlaceEtc damages a file of the databases on the host, which the next process mends.
func TestPlaceEtc(t *testing.T) {
	dir := t.TempDir()
	place, err := placeEtc(dir)
	assert.NilError(t, err)
	hosts := filepath.Join(place, "hosts")
	want, err := os.ReadFile(hosts)
	assert.NilError(t, err)
	for _, spoil := range []func() error{
		func() error { return nil },
		func() error { return os.WriteFile(hosts, []byte("6.6.6.6 localhost\n"), 0o644) },
		func() error { return os.Remove(filepath.Join(place, "zoneinfo", "Europe", "Berlin")) },
	} {
		assert.NilError(t, spoil())
		again, err := placeEtc(dir)
		if err != nil || again != place {
			t.Fatal(again, err)
		}
		if got, err := os.ReadFile(hosts); err != nil || string(got) != string(want) {
			t.Errorf("%s, %v", got, err)
		}
		if _, err := os.Stat(filepath.Join(place, "zoneinfo", "Europe", "Berlin")); err != nil {
			t.Error(err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("beside it is left %v", left)
	}
}
