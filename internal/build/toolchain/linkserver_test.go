package toolchain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const returnsZero = "int main(void) { return 0; }\n"

// links links an object, and fails the test if that fails.
func links(t *testing.T, l *Linker, object string) {
	t.Helper()
	so := filepath.Join(t.TempDir(), "t.so")
	if err := l.LinkShared(t.Context(), trial.C, object, so); err != nil {
		t.Fatal(err)
	}
	if defined, _, err := ObjectSymbols(so); err != nil || strings.Join(defined, " ") != "main" {
		t.Fatalf("the shared object defines %v, %v", defined, err)
	}
}

func TestRefusedLinkLeavesTheServer(t *testing.T) {
	l := testLinker(t)
	good := compileOne(t, trial.C, Flags{}, returnsZero)
	links(t, l, good)
	// A reference that only an executable can have.
	bad := compileOne(t, trial.C, Flags{}, "extern int far; int main(void) { int x; __asm__(\"movl $far, %0\" : \"=r\"(x)); return x; }\n")
	var refused *CommandError
	err := l.LinkShared(t.Context(), trial.C, bad, filepath.Join(t.TempDir(), "t.so"))
	if !errors.As(err, &refused) || refused.DiskFull() || !strings.Contains(string(refused.Stderr), "R_X86_64_32") {
		t.Fatalf("error = %v; want lld's words about the relocation", err)
	}
	// More words than are kept: a long name in each of ten errors.
	long := strings.Repeat("f", maxLinkText/8)
	bad = compileOne(t, trial.C, Flags{}, "int main(void) { int x; __asm__(\""+strings.Repeat("movl $"+long+", %0\\n", 10)+"\" : \"=r\"(x)); return x; }\n")
	if err := l.LinkShared(t.Context(), trial.C, bad, filepath.Join(t.TempDir(), "t.so")); !errors.As(err, &refused) || len(refused.Stderr) != maxLinkText {
		t.Errorf("%d bytes of lld's words; want the first %d", len(refused.Stderr), maxLinkText)
	}
	server := l.idle[0]
	links(t, l, good)
	if len(l.idle) != 1 || l.idle[0] != server || server.links != 4 {
		t.Errorf("%d idle servers; want the same one after 4 links", len(l.idle))
	}
}

func TestKilledLinkServerIsReplaced(t *testing.T) {
	l := testLinker(t)
	object := compileOne(t, trial.C, Flags{}, returnsZero)
	links(t, l, object)
	if err := l.idle[0].cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	links(t, l, object)

	l.server = filepath.Join(t.TempDir(), "killed")
	writeFile(t, l.server, "#!/bin/sh\nkill -9 $$\n")
	if err := os.Chmod(l.server, 0o755); err != nil {
		t.Fatal(err)
	}
	l.Close()
	var killed *killedError
	if err := l.LinkShared(t.Context(), trial.C, object, filepath.Join(t.TempDir(), "t.so")); !errors.As(err, &killed) {
		t.Errorf("error = %v; want one that says that it was killed", err)
	}
}

func TestLinkServersEnd(t *testing.T) {
	l := testLinker(t)
	object := compileOne(t, trial.C, Flags{}, returnsZero)
	links(t, l, object)
	tired := l.idle[0]
	tired.links = linksOfServer - 1
	links(t, l, object)
	if len(l.idle) != 0 || tired.cmd.ProcessState == nil {
		t.Error("a server goes on after its last link")
	}
	links(t, l, object)
	last := l.idle[0]
	l.Close()
	if len(l.idle) != 0 || last.cmd.ProcessState == nil {
		t.Error("a server goes on after Close")
	}
}

func TestLinkStopsWithItsContext(t *testing.T) {
	l := testLinker(t)
	object := compileOne(t, trial.C, Flags{}, returnsZero)
	silent, err := startLinkServer("/bin/cat")
	if err != nil {
		t.Fatal(err)
	}
	if silent.in, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil { // nothing reaches it
		t.Fatal(err)
	}
	l.idle = append(l.idle, silent)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	if err := l.LinkShared(ctx, trial.C, object, filepath.Join(t.TempDir(), "t.so")); !errors.Is(err, cause) {
		t.Errorf("error = %v", err)
	}
	if silent.cmd.ProcessState == nil {
		t.Error("the server was not ended")
	}
}

func TestLinkServerThatAnswersNonsense(t *testing.T) {
	echo, err := startLinkServer("/bin/cat")
	if err != nil {
		t.Fatal(err)
	}
	defer echo.close()
	if _, _, err := echo.link(t.Context(), []string{"ld.lld"}); err == nil || !strings.Contains(err.Error(), "answers") {
		t.Errorf("error = %v", err)
	}
}

func TestLinkOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=8k"); err != nil {
		t.Skipf("mounting needs root: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	object := compileOne(t, trial.C, Flags{}, "const char big[100000] = {1}; int main(void) { return big[5]; }\n")
	if err := testLinker(t).LinkShared(t.Context(), trial.C, object, filepath.Join(dir, "t.so")); !OutOfSpace(err) {
		t.Errorf("error = %v; want one that tells want of space", err)
	}
}

func TestLinksAtOnce(t *testing.T) {
	l := testLinker(t)
	var objects []string
	for i := range 3 {
		objects = append(objects, compileOne(t, trial.C, Flags{}, fmt.Sprintf("int own%d; int main(void) { return own%[1]d; }\n", i)))
	}
	dir := t.TempDir()
	var g errgroup.Group
	g.SetLimit(4)
	for i := range 60 {
		g.Go(func() error {
			so := filepath.Join(dir, fmt.Sprint(i, ".so"))
			if err := l.LinkShared(t.Context(), trial.C, objects[i%3], so); err != nil {
				return err
			}
			if defined, _, err := ObjectSymbols(so); err != nil || strings.Join(defined, " ") != fmt.Sprint("main own", i%3) {
				return fmt.Errorf("%d defines %v: %v", i, defined, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	if n := len(l.idle); n < 1 || n > 4 {
		t.Errorf("%d link servers for 4 links at once", n)
	}
}

// TestCombineAfterALink: in a process that has linked a shared object with crtbeginS.o, lld 19 ends with a
// segmentation fault in a link of the kind -r. Where all idle servers had done so, no new start helped.
func TestCombineAfterALink(t *testing.T) {
	l := testLinker(t)
	object := compileOne(t, trial.C, Flags{}, returnsZero)
	links(t, l, object)
	server := l.idle[0]
	more := compileOne(t, trial.C, Flags{}, "int more(void) { return 1; }\n")
	out := filepath.Join(t.TempDir(), "all.o")
	if err := l.Combine(t.Context(), []string{object, more}, out); err != nil {
		t.Fatal(err)
	}
	if defined, _, err := ObjectSymbols(out); err != nil || strings.Join(defined, " ") != "main more" {
		t.Errorf("the object defines %v, %v", defined, err)
	}
	if len(l.idle) != 1 || l.idle[0] != server {
		t.Error("the server has ended")
	}
}
