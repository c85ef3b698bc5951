//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestVerifyDoesNotWaitAtAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{pipe}, {saved("get.json"), "--state", pipe}, {"/dev/zero"}} {
		if code, said := verifying(t, args...); code != 3 || !strings.Contains(said, "no plain file") {
			t.Errorf("%q: %d %s", args, code, said)
		}
	}
}
