package knowledge

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testdata/daikon has traces and, beside each, the text that Daikon 5.8.25 (its repository at
// afb6c7fce446cde8c54da37ab4f9494ebf666554) prints of it:
//
//	java -cp daikon.jar daikon.Daikon --noversion -o calls.inv.gz NAME.dtrace > NAME.txt
//
// cJSON and zlib are all calls that `bench knowledge build --sequences` mined of the seeds in
// cmd/bench/testdata/lisa; the others are those of ourTraces.

// goldenFile is the content of a file, unpacked if its name ends in .gz.
func goldenFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

// daikonTraces calls do with every trace and the file of Daikon's text.
func daikonTraces(t *testing.T, do func(t *testing.T, tr *trace, text string)) {
	files, err := filepath.Glob("testdata/daikon/*.dtrace*")
	if err != nil || len(files) < len(ourTraces())+2 {
		t.Fatalf("%d traces, %v", len(files), err)
	}
	for _, file := range files {
		name, zip, _ := strings.Cut(filepath.Base(file), ".dtrace")
		t.Run(name, func(t *testing.T) {
			tr, err := readTrace(bytes.NewReader(goldenFile(t, file)))
			if err != nil {
				t.Fatal(err)
			}
			do(t, tr, filepath.Join("testdata/daikon", name+".txt"+zip))
		})
	}
}

// TestWriteTrace writes our traces as Daikon has read them.
func TestWriteTrace(t *testing.T) {
	for name, tr := range ourTraces() {
		var text bytes.Buffer
		if err := tr.Write(&text); err != nil {
			t.Fatal(err)
		}
		file := "testdata/daikon/" + name + ".dtrace"
		if *update {
			if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(goldenFile(t, file), text.Bytes()) {
			t.Errorf("%s is not what is written now (-update rewrites it; then run with LISA_BENCH_DAIKON)", file)
		}
	}
}

// claimed reports whether the miner should find an invariant of Daikon, which is of one of the
// templates, too: it compares no strings but for equality, and has no lines of numbers with
// fractions.
func claimed(l likely, reps map[string]string) bool {
	rep := reps[l.Point+" "+l.Vars[0]]
	switch l.Template {
	case notEqual, less, lessEqual, greater, greaterEqual:
		return rep != stringRep
	case linear:
		return rep != "double"
	}
	return true
}

// moreThanDaikon is what the miner says and Daikon does not.
var moreThanDaikon = map[string]string{
	"cJSON_DeleteItemFromObject(cJSON *, const char *):::ENTER object->valuestring == object->string":              oneCall,
	"cJSON_DeleteItemFromObjectCaseSensitive(cJSON *, const char *):::ENTER object->valuestring == object->string": oneCall,
	"deflatePending(z_streamp, unsigned int *, int *):::ENTER strm->avail_in == strm->reserved":                    oneCall,
	"deflatePending(z_streamp, unsigned int *, int *):::EXIT return == orig(strm->avail_in)":                       oneCall,
	"deflatePending(z_streamp, unsigned int *, int *):::EXIT return == orig(strm->reserved)":                       oneCall,
	"g(int, int, long):::EXIT return - 2 * orig(i) + 5 == 0":                                                       swapped,
	"f(double):::EXIT return > orig(x)":                                                                            "would follow from the line that is wrong",
}

// falseOfDaikon is what Daikon says of calls for which it does not hold.
var falseOfDaikon = map[string]string{
	"g(int, int, long):::EXIT return - orig(i) + 5 == 0":                                        swapped,
	"f(double):::EXIT return - orig(x) - 500000000 == 0":                                        swapped,
	"g(int, int, long):::EXIT 14 * h + 21 * orig(i) - 15 * orig(big) + 1.6492674416759E13 == 0": "held against numbers beyond 2^40 with a tolerance",
	"root(double):::ENTER x >= 1.0":                                                             "NaN is no number for bounds",
	"root(double):::EXIT return >= 1.0":                                                         "the same",
}

const (
	oneCall = "a function called once that leaves its arguments without a value at exit: Daikon prints no equality"
	swapped = "LinearBinaryCore.swap overwrites a coefficient before it has read it, so a parameter's slope becomes 1"
)

// TestMinerAgreesWithDaikon compares the miner with what Daikon printed. With -v it says how many
// invariants of each template both have, and which ones of Daikon's are of other forms.
func TestMinerAgreesWithDaikon(t *testing.T) {
	daikonTraces(t, func(t *testing.T, tr *trace, text string) {
		reps := map[string]string{}
		for _, tb := range tables(tr, "") {
			for _, v := range tb.vars {
				reps[tb.point+" "+v.Name] = v.RepType
			}
		}
		counts, theirs := map[string]int{}, map[string]bool{}
		for _, l := range parseDaikon(string(goldenFile(t, text))) {
			_, wrong := falseOfDaikon[l.Point+" "+l.String()]
			switch {
			case l.Template == "":
				counts["of no template: "+l.Text]++
				continue
			case wrong:
				counts["false: "+l.String()]++
			case !claimed(l, reps):
				counts["not claimed: "+l.String()]++
			default:
				theirs[l.Point+" "+l.String()] = true
			}
			if n, ok := l.holdsIn(tr); ok == wrong || n == 0 {
				t.Errorf("%s %s: our reading of it holds: %v (%d calls)", l.Point, l, ok, n)
			}
		}
		for _, l := range mineTrace(tr) {
			key := l.Point + " " + l.String()
			switch {
			case theirs[key]:
				counts["both: "+string(l.Template)]++
			case moreThanDaikon[key] != "":
				counts["only the miner: "+string(l.Template)]++
			default:
				t.Errorf("only the miner: %s (%s)", key, l.Template)
			}
			delete(theirs, key)
			if n, ok := l.holdsIn(tr); !ok || n == 0 {
				t.Errorf("%s does not hold where it was mined (%d calls)", l, n)
			}
			if back := parseLikely(l.Point, l.String()); back.String() != l.String() || back.Template != l.Template {
				t.Errorf("%s is read as %+v", l, back)
			}
		}
		for key := range theirs {
			t.Errorf("only Daikon: %s", key)
		}
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			t.Logf("%5d %s", counts[k], k)
		}
	})
}

// TestDaikonJar runs the daikon.jar that LISA_BENCH_DAIKON names on every trace. Its text is the one
// of testdata/daikon; -update rewrites that.
func TestDaikonJar(t *testing.T) {
	jar := os.Getenv("LISA_BENCH_DAIKON")
	if jar == "" {
		t.Skip("LISA_BENCH_DAIKON names no daikon.jar")
	}
	daikonTraces(t, func(t *testing.T, tr *trace, file string) {
		text, err := daikonText(t.Context(), absolute(t, jar), t.TempDir(), tr)
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			var b bytes.Buffer
			var w io.WriteCloser = nopCloser{&b}
			if strings.HasSuffix(file, ".gz") {
				w, _ = gzip.NewWriterLevel(&b, gzip.BestCompression)
			}
			fmt.Fprint(w, text)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(goldenFile(t, file)); text != want {
			t.Errorf("%s prints\n%s\nnot what is in %s", jar, text, file)
		}
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
