package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A daemon is a dockerd that the test starts, on a socket of its own, and can end.
type daemon struct {
	dir string
	cmd *exec.Cmd
}

func (d *daemon) start(t *testing.T) {
	t.Helper()
	log, err := os.OpenFile(filepath.Join(d.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d.cmd = exec.Command("dockerd", "--host", d.host(), "--pidfile", filepath.Join(d.dir, "pid"), "--exec-root", filepath.Join(d.dir, "exec"))
	d.cmd.Stdout, d.cmd.Stderr = log, log
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if d.docker("version").Run() == nil {
			return
		}
		if time.Now().After(deadline) {
			text, _ := os.ReadFile(filepath.Join(d.dir, "log"))
			t.Fatalf("dockerd does not answer:\n%.3000s", text)
		}
	}
}

func (d *daemon) host() string { return "unix://" + filepath.Join(d.dir, "docker.sock") }

func (d *daemon) docker(args ...string) *exec.Cmd {
	return exec.Command("docker", append([]string{"--host", d.host()}, args...)...)
}

func (d *daemon) stop() {
	_ = d.cmd.Process.Signal(syscall.SIGTERM)
	_ = d.cmd.Wait()
}

// containers returns the ids of those that run.
func (d *daemon) containers() []string {
	out, _ := d.docker("ps", "--quiet").Output()
	return strings.Fields(string(out))
}

// TestDockerFaults kills containers and restarts the daemon below a run. It starts a dockerd,
// which takes root, no other one, and the image of `make image`; LISA_BENCH_DOCKERD=1 asks for it.
func TestDockerFaults(t *testing.T) {
	if os.Getenv("LISA_BENCH_DOCKERD") == "" {
		t.Skip("set LISA_BENCH_DOCKERD=1 to start a dockerd, kill its containers and restart it")
	}
	d := &daemon{dir: t.TempDir()}
	d.start(t)
	t.Cleanup(func() { d.stop() })
	t.Setenv("DOCKER_HOST", d.host())
	f := &faults{undisturbed: filepath.Join(t.TempDir(), "undisturbed")}
	f.lab, f.model = newTortureLab(t, extent{bugs: "[cjson-1, cjson-2]", programs: 12, seeds: 3})
	text, err := os.ReadFile(f.lab.experiment)
	if err == nil {
		err = os.WriteFile(f.lab.experiment, append(text, "sandbox: docker\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.lab.run(t, f.undisturbed)
	f.owed = paid(t, f.undisturbed)

	t.Run("containers killed", func(t *testing.T) {
		dir, n := filepath.Join(t.TempDir(), "run"), 0
		s := f.lab.start(t, dir)
		for running := true; running; {
			select {
			case <-s.exited:
				running = false
			case <-time.After(700 * time.Millisecond):
				if list := d.containers(); len(list) > 0 && d.docker("kill", list[0]).Run() == nil {
					n++
				}
			}
		}
		f.settle(t, s, dir, n)
		f.row(t, "%d killed; replaced, their programs run again", n)
	})
	t.Run("dockerd restarted", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "run")
		w := f.lab.watch(dir)
		s := f.lab.start(t, dir)
		s.await(t, "generating", func() bool { return w.stage() >= generatingWithModel })
		d.stop()
		d.start(t)
		f.settle(t, s, dir, 1)
		f.row(t, "said so if a cell met it; went on")
	})
	f.print()
}

// settle waits for a session that n faults met, which may have left cells incomplete, and finishes
// its run.
func (f *faults) settle(t *testing.T, s *session, dir string, n int) {
	t.Helper()
	if code := s.wait(t); n == 0 || code != exitOK && code != exitIncomplete {
		t.Errorf("%d faults, exit code %d:\n%s", n, code, s.out.String())
	}
	f.finish(t, f.lab, dir)
}
