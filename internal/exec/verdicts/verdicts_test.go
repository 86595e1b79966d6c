package verdicts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func table(t *testing.T, dir string) *Table {
	t.Helper()
	s := New(dir)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	tab, err := s.Table("table")
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func want(t *testing.T, tab *Table, key, value string) {
	t.Helper()
	var got string
	known, err := tab.Get(key, &got)
	if err != nil || known != (value != "") || got != value {
		t.Errorf("%s: %q, %v, %v; want %q", key, got, known, err, value)
	}
}

func put(t *testing.T, tab *Table, key, value string) {
	t.Helper()
	if err := tab.Put(map[string]any{key: value}); err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	a, b, c := Key("a", 1), Key("b", 1), Key("a", 2)
	first, other := table(t, dir), table(t, dir)
	want(t, first, a, "")
	put(t, first, a, "one\nline")
	put(t, other, b, "two")
	want(t, first, a, "one\nline")
	want(t, other, a, "one\nline") // read before it wrote
	want(t, other, b, "two")
	put(t, first, c, "three")
	for _, tab := range []*Table{first, table(t, dir)} {
		want(t, tab, a, "one\nline")
		want(t, tab, b, "two")
		want(t, tab, c, "three")
	}
	like := a[:len(a)-1] + "-" // its index has the same beginning
	want(t, first, like, "")
	put(t, first, like, "four")
	want(t, first, like, "four")
	want(t, first, a, "")
	if err := first.Put(map[string]any{"short": 1}); err == nil {
		t.Error("a key of another form is accepted")
	}
}

// TestDamage: of a file that is cut off or changed anywhere, no line is taken for another, and what
// is added later is there.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	var keys []string
	tab := table(t, dir)
	for i := range 3 {
		keys = append(keys, Key(i))
		put(t, tab, keys[i], fmt.Sprint("value ", i))
	}
	whole, err := os.ReadFile(filepath.Join(dir, "table"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "table"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		tab := table(t, dir)
		for i, key := range keys {
			var got string
			if known, err := tab.Get(key, &got); err != nil || known && got != fmt.Sprint("value ", i) {
				t.Errorf("%s: value %d is %q, %v", what, i, got, err)
			}
		}
		put(t, tab, Key("new"), "new")
		want(t, tab, Key("new"), "new")
		want(t, table(t, dir), Key("new"), "new")
	}
	for n := range whole {
		check(fmt.Sprint("cut off at ", n), whole[:n])
		changed := strings.Clone(string(whole[:n])) + string(whole[n]^4) + string(whole[n+1:])
		check(fmt.Sprint("changed at ", n), []byte(changed))
	}
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for w := range 4 {
		tab := table(t, dir)
		writers.Go(func() {
			for i := range 50 {
				put(t, tab, Key(w, i), fmt.Sprint(w, i))
			}
		})
	}
	writers.Wait()
	tab := table(t, dir)
	for w := range 4 {
		for i := range 50 {
			want(t, tab, Key(w, i), fmt.Sprint(w, i))
		}
	}
}
