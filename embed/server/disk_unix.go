//go:build linux || darwin || freebsd

package main

import "syscall"

// freeBytes is how much the file system of a folder still takes.
func freeBytes(dir string) (uint64, error) {
	var about syscall.Statfs_t
	if err := syscall.Statfs(dir, &about); err != nil {
		return 0, err
	}
	return uint64(about.Bavail) * uint64(about.Bsize), nil
}
