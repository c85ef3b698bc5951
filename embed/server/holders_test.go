//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// startImmudb returns once the databases are open.
func startImmudb(t *testing.T, dir string) *process {
	t.Helper()
	p := launch(t, exec.Command(os.Args[0]), asImmudb+"="+dir)
	eventually(t, "immudb is ready", func() bool {
		if p.hasEnded() {
			t.Fatalf("immudb ended: %s%s", &p.stdout, &p.stderr)
		}
		return strings.Contains(p.stdout.String(), "immudb is ready")
	})
	return p
}

func freePorts(args ...string) []string {
	return append(args, "--port", "0", "--grpc-port", "0", "--metrics-port", "0")
}

// refusal starts the binary, which has to end by itself, and returns what it says.
func refusal(t *testing.T, dir string) string {
	t.Helper()
	p := startProcess(t, freePorts("--dir", dir)...)
	eventually(t, "it ends", func() bool {
		if consoleLine.MatchString(p.stdout.String()) {
			t.Fatalf("it serves %s: %s", dir, &p.stderr)
		}
		return p.hasEnded()
	})
	if code := p.ProcessState.ExitCode(); code != 1 {
		t.Errorf("ended with %d", code)
	}
	return p.stderr.String()
}

func TestDirectoryOfRunningImmudb(t *testing.T) {
	home := t.TempDir()
	dir, elsewhere := filepath.Join(home, "data"), filepath.Join(home, "disk")
	plain := startImmudb(t, dir)
	link := filepath.Join(home, "link")
	relative, err := filepath.Rel(workingDirectory(t), dir)
	if err := errors.Join(err, os.Symlink(dir, link)); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"its path": dir, "a link": link, "a relative path": relative, "dots": dir + "/../link/."} {
		said := refusal(t, path)
		for _, part := range []string{fmt.Sprintf("(process %d)", plain.Process.Pid), path, "--dir", "--server"} {
			if !strings.Contains(said, part) {
				t.Errorf("%s: %q is not in: %s", name, part, said)
			}
		}
	}
	if plain.hasEnded() {
		t.Fatalf("immudb ended: %s", &plain.stderr)
	}

	// A database may lie elsewhere.
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "defaultdb"), filepath.Join(elsewhere, "defaultdb")); err != nil {
		t.Fatal(err)
	}
	if said := refusal(t, elsewhere); !strings.Contains(said, "uses the data directory") {
		t.Errorf("a linked database: %s", said)
	}

	plain.signal(t, syscall.SIGKILL)
	<-plain.ended
	first := startProcess(t, freePorts("--dir", dir)...)
	first.console(t)
	if said := refusal(t, link); !strings.Contains(said, fmt.Sprintf("(process %d)", first.Process.Pid)) {
		t.Errorf("a second webconsole: %s", said)
	}
	first.signal(t, syscall.SIGKILL)
	<-first.ended
	startProcess(t, freePorts("--dir", dir)...).console(t)
}

func TestImmudbOnOurDirectory(t *testing.T) {
	dir := t.TempDir()
	ours := startProcess(t, freePorts("--dir", dir)...)
	ours.console(t)
	plain := startImmudb(t, dir)
	<-ours.ended
	if code := ours.ProcessState.ExitCode(); code != 1 {
		t.Errorf("ended with %d", code)
	}
	if said := ours.stderr.String(); !strings.Contains(said, fmt.Sprintf("(process %d) has opened", plain.Process.Pid)) || !strings.Contains(said, "audit") {
		t.Errorf("it says: %s", said)
	}
	if plain.hasEnded() {
		t.Errorf("immudb ended, too: %s", &plain.stderr)
	}
}

// Backups read, and log rotation writes, while nobody serves the directory.
func TestReadersAreNoHolders(t *testing.T) {
	dir := t.TempDir()
	data, log := filepath.Join(dir, "systemdb", "tx", "00000000.tx"), filepath.Join(logDirectory(dir), "immudb.log")
	for _, path := range []string{data, log} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	reading := exec.Command("tail", "-f", data, log)
	rotating := exec.Command("sh", "-c", "exec sleep 1000 >>"+log)
	for _, command := range []*exec.Cmd{reading, rotating} {
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		defer command.Wait()
		defer command.Process.Kill()
	}
	hasOpen := func(command *exec.Cmd, path string) bool {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", command.Process.Pid))
		for _, link := range links {
			if target, _ := os.Readlink(link); target == path {
				return true
			}
		}
		return false
	}
	eventually(t, "both have their files open", func() bool { return hasOpen(reading, data) && hasOpen(rotating, log) })
	var notes output
	if err := refuseHeld(dir, &notes); err != nil || notes.String() != "" {
		t.Errorf("refused: %v, noted: %s", err, &notes)
	}
}

// A writer that the list of processes does not show, as in another container:
// this process is left out of the list.
func TestHiddenHolder(t *testing.T) {
	dir := t.TempDir()
	writing, err := os.Create(filepath.Join(dir, "immudb.identifier"))
	if err != nil {
		t.Fatal(err)
	}
	err = refuseHeld(dir, os.Stderr)
	if err == nil || !strings.Contains(err.Error(), "in another container") {
		t.Errorf("refused with: %v", err)
	}
	writing.Close()
	if err := refuseHeld(dir, os.Stderr); err != nil {
		t.Errorf("refused afterwards: %v", err)
	}
}

func TestNameOfProgram(t *testing.T) {
	if said := (program{7, "im\x1b[2Jmu\n"}).String(); said != "im?[2Jmu? (process 7)" {
		t.Errorf("%q", said)
	}
}

func workingDirectory(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
