//go:build unix

package main

import (
	"os"
	"syscall"
)

// keepFilesPrivate lets nobody but the owner into files and folders that are
// made from now on. immudb asks for modes that let everybody read.
func keepFilesPrivate() { syscall.Umask(0o077) }

// isOpenToOthers tells whether users of this machine who are neither owner nor
// in the group can enter a folder.
func isOpenToOthers(dir string) bool {
	about, err := os.Stat(dir)
	return err == nil && about.Mode().Perm()&0o005 != 0
}
