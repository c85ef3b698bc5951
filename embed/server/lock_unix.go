//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockDirectory keeps a second webconsole out of a data directory. The kernel
// drops the lock when the process dies, so no stale file can block a start. It
// holds between containers of one host, too; between hosts only where their
// shared file system passes locks on.
func lockDirectory(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return func() {}, err
	}
	file, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return func() {}, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return func() {}, fmt.Errorf("the data directory %s cannot be locked: %w", dir, err)
		}
		who := "another webconsole"
		if about, err := file.Stat(); err == nil {
			if programs := programsWith(map[string]os.FileInfo{lockFile(dir): about}); len(programs) > 0 {
				who = holders{programs: programs}.String()
			}
		}
		return func() {}, inUse(dir, who)
	}
	return func() { file.Close() }, nil
}
