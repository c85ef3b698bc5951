//go:build !unix

package main

import "os"

// lockDirectory has no lock to take here; it only makes the directory.
func lockDirectory(dir string) (unlock func(), err error) {
	return func() {}, os.MkdirAll(dir, 0o700)
}
