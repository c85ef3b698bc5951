//go:build unix

package audit

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// What a command started ends with it: each try of one that hangs would leave a
// process behind otherwise.
func TestACommandThatHangsLeavesNothingBehind(t *testing.T) {
	f := newFolder(t)
	started := filepath.Join(t.TempDir(), "started")
	teller := tellerOf(f, io.Discard)
	teller.command = "sleep 1000 & echo $! > " + started + "; wait"
	teller.take(someFinding(t, f))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		teller.tellOpen(ctx)
		close(ended)
	}()
	child := 0
	eventually(t, func() bool {
		text, _ := os.ReadFile(started)
		child, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return child > 0
	})
	cancel()
	<-ended
	t.Cleanup(func() { _ = syscall.Kill(child, syscall.SIGKILL) })
	eventually(t, func() bool { return !isRunning(child) })
}

// isRunning is false for a process that has ended and that nobody has asked about.
func isRunning(process int) bool {
	if syscall.Kill(process, 0) != nil {
		return false
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
	return err != nil || !strings.Contains(string(text), ") Z ")
}
