package main

import (
	"errors"
	"os"
	"syscall"
)

// lockDirectory keeps a second webconsole out of a data directory. Windows
// closes the file when the process dies, so no stale file can block a start.
func lockDirectory(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return func() {}, err
	}
	handle, err := openAlone(lockFile(dir), syscall.OPEN_ALWAYS)
	if errors.Is(err, errSharing) {
		return func() {}, inUse(dir, "another webconsole")
	}
	if err != nil {
		return func() {}, err
	}
	return func() { syscall.CloseHandle(handle) }, nil
}
