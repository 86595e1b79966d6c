package knowledge

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// cxxBuilder observes a C++ library without a model.
func cxxBuilder(t *testing.T, target trial.Target, box *tooltest.Box) *Builder {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := toolchain.NewCompiler(tools, t.TempDir(), testcache.Dir("plugins"), 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := apispec.Load(t.Context(), compiler, target)
	if err != nil {
		t.Fatal(err)
	}
	box.Clang, box.Dir, box.IncludeDirs, box.Flags = filepath.Join(filepath.Dir(tools.Clang.Path), "clang++"), t.TempDir(), target.IncludeDirs, []string{"-std=gnu++17"}
	return &Builder{Target: target, Spec: spec, Exec: box.Executor(t), Compiler: compiler, Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))}
}

// shapes are the candidates of a base, and of them those that may hold.
func shapes(base *Base) map[string]Status {
	all := map[string]Status{}
	for _, a := range base.APIs {
		for _, c := range a.Contracts {
			_, where, _ := strings.Cut(c.Place, ":::")
			where, _, _ = strings.Cut(where, " ")
			all[a.Name+" "+where+" "+c.Shape] = c.Status
		}
	}
	return all
}

func TestObserveCXX(t *testing.T) {
	target := trial.Target{Library: "dial", Language: trial.CXX, Headers: []string{"dial.h"},
		IncludeDirs: []string{absolute(t, "testdata/cxx")}, SourceDir: absolute(t, "testdata/cxx")}
	b := cxxBuilder(t, target, &tooltest.Box{Name: "dial", Sources: []string{"testdata/cxx/dial.cc"}})
	var programs []trial.Program
	for i := range 6 {
		programs = append(programs, trial.Program{ID: fmt.Sprint(i), Lang: trial.CXX, Source: fmt.Sprintf(`#include <dial.h>
#include <string>

void test_dial()
{
    dial::Dial d("%[4]s", %[2]d);
    int at = d.Turn(%[3]d), again = d.Turn(d.Turn(1) - %[1]d);
    dial::Dial *p = &d;
    d.Turn(2);
    d.Turn(-3);
    p->Turn(1);
    std::string name = p->name(), signed_by = "by ";
    p->Turn(at);
    dial::Reading r{};
    bool read = d.Read(&r) && !d.Read(nullptr);
    p->Sign(&signed_by);
    p->Sign(&signed_by);
    p->Sign(&signed_by);
    int n = dial::Dial::Parse("%[3]d") + dial::Dial::Parse(name, 7);
    dial::Mode mode = d.mode();
    const char *label = dial::Dial::Label(mode);
    bool fits = d.Fits(%[2]d) && d.Fits(0);
    (void)again, (void)read, (void)n, (void)label, (void)fits;
}
`, i+1, 20+i*i, 3+i, strings.Repeat("n", i+2))})
	}
	programs = append(programs, trial.Program{ID: "broken", Lang: trial.CXX, Source: "#include <dial.h>\nvoid test() { nothing(); }\n"})
	base := &Base{Library: "dial"}
	if err := b.observe(t.Context(), base, programs); err != nil {
		t.Fatal(err)
	}
	found := shapes(base)
	for _, want := range []string{
		"dial::Dial::Turn EXIT this->turns - orig(this->turns) - 1 == 0", // public field
		"dial::Dial::name EXIT this->turns == orig(this->turns)",         // through a pointer
		`dial::Dial::Label EXIT return == "turned"`,                      // string
		"dial::Dial::mode EXIT return == 1",                              // enumeration
		"dial::Dial::Read EXIT return one of { 0, 1 }",                   // boolean
		"dial::Dial::Parse EXIT return == orig(fallback)",                // only where it is written
		"dial::Dial::Fits EXIT return == 1",                              // template
		`dial::Dial::Sign EXIT into->size() > orig(into->size())`,        // string behind a pointer
	} {
		if status, ok := found[want]; !ok || status != Open {
			t.Errorf("%s: %q", want, status)
		}
	}
	for shape := range found {
		if strings.HasPrefix(shape, "dial::Dial::Turn EXIT this->turns > orig") {
			t.Errorf("%s: a call around another one is traced", shape)
		}
	}
	if t.Failed() {
		for shape, status := range found {
			t.Log(status, shape)
		}
	}
}

// TestObserveRE2 observes the library as Debian has it.
func TestObserveRE2(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches RE2 with apt")
	}
	dir := t.TempDir()
	if _, err := toolchain.Run(t.Context(), toolchain.Command{Dir: dir, Args: []string{"apt-get", "download", "libre2-9", "libre2-dev"}}); err != nil {
		t.Fatal(err)
	}
	packages, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(packages) != 2 {
		t.Fatalf("packages %v, %v", packages, err)
	}
	for _, p := range packages {
		if _, err := toolchain.Run(t.Context(), toolchain.Command{Args: []string{"dpkg", "-x", p, dir}}); err != nil {
			t.Fatal(err)
		}
	}
	libs, err := filepath.Glob(filepath.Join(dir, "usr/lib/*/libre2.so.9"))
	if err != nil || len(libs) != 1 {
		t.Fatalf("libraries %v, %v", libs, err)
	}
	target := trial.Target{Library: "re2", Language: trial.CXX, Headers: []string{"re2/re2.h", "re2/set.h"}, IncludeDirs: []string{filepath.Join(dir, "usr/include")}, SourceDir: dir}
	b := cxxBuilder(t, target, &tooltest.Box{Name: "re2", Built: libs[0]})
	var programs []trial.Program
	for i := range 4 {
		programs = append(programs, trial.Program{ID: fmt.Sprint(i), Lang: trial.CXX, Source: fmt.Sprintf(`#include <re2/re2.h>
#include <re2/set.h>
#include <string>

void test_re2()
{
    RE2::Options o;
    o.set_case_sensitive(false);
    re2::RE2 re("(a+)(b{%[1]d})", o);
    std::string s(%[1]d, 'A'), whole;
    s += "bbbbbbbbb";
    bool m = RE2::PartialMatch(s, re, &whole) && re.ok() && re.error().empty();
    int groups = re.NumberOfCapturingGroups() + RE2::GlobalReplace(&s, re, "\\1-");
    RE2::Set set(o, RE2::UNANCHORED);
    std::string err;
    int id = set.Add("foo%[1]d", &err) + set.Add("ba(r", nullptr);
    (void)m, (void)groups, (void)id;
}
`, i+1)})
	}
	base := &Base{Library: "re2"}
	if err := b.observe(t.Context(), base, programs); err != nil {
		t.Fatal(err)
	}
	found := shapes(base)
	for _, want := range []string{
		"re2::RE2::ok EXIT return == 1", `re2::RE2::error EXIT return == ""`, "re2::RE2::NumberOfCapturingGroups EXIT return == 2",
		"re2::RE2::GlobalReplace EXIT return == 1", "re2::RE2::GlobalReplace EXIT str->size() == 10", "re2::RE2::Set::Add EXIT return one of { -1, 0 }",
		`re2::RE2::Set::Add EXIT *error == ""`, "re2::RE2::PartialMatch EXIT return == 1",
	} {
		if status, ok := found[want]; !ok || status != Open {
			t.Errorf("%s: %q", want, status)
		}
	}
	if t.Failed() {
		for shape, status := range found {
			t.Log(status, shape)
		}
	}
}
