//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockDirectory keeps a second process out of a data directory. immudb itself
// does not, and two writers destroy the data. The kernel drops the lock when
// the process dies, so no stale file can block a start.
func lockDirectory(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return func() {}, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "webconsole.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return func() {}, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return func() {}, fmt.Errorf("another webconsole uses the data directory %s;"+
			" stop it or choose another directory with --dir", dir)
	}
	return func() { file.Close() }, nil
}
