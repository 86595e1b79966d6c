package toolchain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// mappedSource has what makes regions: conditions, loops, switches, jumps, macros, code that is left out, a static
// function, one that nothing calls.
const mappedSource = `
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
static int twice(int n) { return n ? 2 * n : 0; }
__attribute__((unused)) static int never(int n) { return n > 2 ? 3 : 4; }
extern "C" int work(int n) {
    int sum = 0;
    if (n < 0 || n == 77) return -1;
    for (int i = 0; i < n; i++) {
        if (i == 3 && n > 4) continue;
        switch (i % 4) {
        case 0: sum += twice(i); break;
        case 1: sum += LEAST(i, 3); /* falls */
        case 2: sum++; break;
        default: goto out;
        }
    }
#if 0
    sum = 9;
#else
    sum += n > 2 ? 1 : 2;
#endif
    while (sum > 5) { sum -= 2; if (sum == 4) break; }
out:
    return sum;
}
int main(void) { return work(2) + work(3) + work(12) + work(-4) == 0; }
`

// TestMappedFunctions compares how often each region was executed with what llvm-cov says of the same profile.
func TestMappedFunctions(t *testing.T) {
	tools := testTools(t)
	for lang, source := range map[trial.Language]string{
		trial.C:   strings.Replace(mappedSource, `extern "C" `, "", 1),
		trial.CXX: mappedSource + "template <class T> T more(T n) { return n > T(1) ? n : T(0); }\ntemplate int more(int);\ntemplate long more(long);\nlong use = more(4) + more(0L);\n",
	} {
		dir := t.TempDir()
		exe, profile, data := filepath.Join(dir, "exe"), filepath.Join(dir, "raw"), filepath.Join(dir, "data")
		args := append([]string{tools.ClangXX.Path, compileOne(t, lang, Flags{Extra: CoverageFlags}, source), "-o", exe}, CoverageFlags...)
		run := func(c Command) {
			t.Helper()
			if _, err := Run(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		run(Command{Args: args})
		run(Command{Args: []string{exe}, Env: []string{"LLVM_PROFILE_FILE=" + profile}})
		run(Command{Args: []string{tools.Profdata.Path, "merge", "-o", data, profile}})
		var text strings.Builder
		run(Command{Args: []string{tools.Cov.Path, "export", "-instr-profile", data, exe}, Stdout: &text})
		got, want := regionsOf(t, exe, profile), exportedRegions(t, text.String())
		if !slices.Equal(got, want) {
			t.Errorf("%s: regions are\n%s\nllvm-cov says\n%s", lang, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func regionsOf(t *testing.T, object, profile string) (list []string) {
	t.Helper()
	raw, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParseRawProfile(raw)
	if err != nil {
		t.Fatal(err)
	}
	functions, err := p.Functions()
	if err != nil {
		t.Fatal(err)
	}
	mapped, err := MappedFunctions(object)
	if err != nil {
		t.Fatal(err)
	}
	counters := p.Counters()
	for _, fn := range mapped {
		i := slices.IndexFunc(functions, func(f ProfiledFunction) bool { return f.ID == fn.ID })
		for _, r := range fn.Regions {
			n := int64(0)
			if i >= 0 {
				n = r.Count.Of(counters[functions[i].Entry : functions[i].Entry+functions[i].Counters])
			}
			list = append(list, fmt.Sprintf("%s %v–%v %d", filepath.Base(fn.File), r.From, r.To, n))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// exportedRegions are the regions of code of the first file of each function.
func exportedRegions(t *testing.T, text string) (list []string) {
	t.Helper()
	var export struct {
		Data []struct {
			Functions []struct {
				Filenames []string
				Regions   [][8]int // from, to, count, file, file that it expands to, kind
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &export); err != nil {
		t.Fatal(err)
	}
	for _, fn := range export.Data[0].Functions {
		for _, r := range fn.Regions {
			if file, kind := r[5], r[7]; file == 0 && kind == 0 {
				list = append(list, fmt.Sprintf("%s %v–%v %d", filepath.Base(fn.Filenames[0]), Position{r[0], r[1]}, Position{r[2], r[3]}, r[4]))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func FuzzMapping(f *testing.F) {
	f.Add([]byte{1, 0, 1, 1, 5, 1, 9, 1, 1, 0, 5})
	f.Add([]byte{1, 0, 1, 2, 2, 1, 2, 1, 1, 0, 5}) // an expression of itself
	f.Add(append([]byte{1, 0, 60}, slices.Concat(expressions(60), []byte{1, 2, 1, 1, 0, 5})...))
	f.Fuzz(func(_ *testing.T, data []byte) {
		r := mappingReader{data: data}
		r.function([]string{"a.c"})
		_, _ = filesOfUnits(data)
	})
}

// expressions are n, each of the next one twice.
func expressions(n int) (list []byte) {
	for i := range n {
		next := byte((i+1)<<2 | 3)
		list = append(list, next, 1, next, 1) // two bytes of LEB128 from 128 on
		if next < 128 {
			list = append(list[:len(list)-4], next, next)
		}
	}
	return list
}
