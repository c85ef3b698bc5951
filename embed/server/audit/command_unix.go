//go:build unix

package audit

import (
	"os/exec"
	"syscall"
)

// endsWhole makes a command that takes too long end with all that it started:
// a shell dies alone otherwise, and each try leaves a process behind.
func endsWhole(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
