//go:build !unix && !windows

package main

import "os"

// lockDirectory only creates the directory, because this system has no such
// lock.
func lockDirectory(dir string) (unlock func(), err error) {
	return func() {}, os.MkdirAll(dir, 0o700)
}
