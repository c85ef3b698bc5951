//go:build unix

package main

import (
	"os"
	"syscall"
)

// keepFilesPrivate restricts new files and folders to their owner. immudb
// requests modes that let everyone read them.
func keepFilesPrivate() { syscall.Umask(0o077) }

// isOpenToOthers reports whether users who are neither the owner nor in the
// group can enter a folder.
func isOpenToOthers(dir string) bool {
	about, err := os.Stat(dir)
	return err == nil && about.Mode().Perm()&0o005 != 0
}
