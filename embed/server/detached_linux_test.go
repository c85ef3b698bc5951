package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"testing"
)

// A terminal that is closed does not end what nohup has started.
func TestHangUpThatIsIgnoredStaysIgnored(t *testing.T) {
	command := exec.Command("sh", "-c", `trap "" HUP; exec "$0" "$@"`, os.Args[0], "--server", "http://127.0.0.1:1", "--port", "0")
	p := launch(t, command, asBinary+"=1")
	p.console(t)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	mask := regexp.MustCompile(`(?m)^SigIgn:\s*([0-9a-f]+)$`).FindSubmatch(text)
	ignored, err := strconv.ParseUint(string(mask[1]), 16, 64)
	if err != nil || ignored&(1<<(syscall.SIGHUP-1)) == 0 {
		t.Errorf("a hang-up would end it: %s, %v", mask[0], err)
	}
}
