package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// fileID is the same for a file however it is reached: by another path, a link,
// a bind mount or a container's own tree.
type fileID struct{ device, inode uint64 }

func idOf(about os.FileInfo) (id fileID, ok bool) {
	system, ok := about.Sys().(*syscall.Stat_t)
	if !ok {
		return id, false
	}
	return fileID{uint64(system.Dev), system.Ino}, true
}

// holdersOf finds who writes to the files. The list of processes has names, but
// not everything: other users' processes keep their files to themselves, and
// those of other containers are not there. So each file is also tried with a
// lease, which the kernel gives only while no one writes to it.
func holdersOf(files map[string]os.FileInfo) holders {
	found := holders{programs: programsWith(files)}
	for path := range files {
		if len(found.programs) > 0 {
			break
		}
		switch err := tryLease(path); {
		case err == nil:
		case errors.Is(err, syscall.EAGAIN):
			found.isHidden = true
			return found
		case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
			found.unseen = "its files belong to another user"
		default:
			found.unseen = "its file system does not say who writes to a file"
		}
	}
	return found
}

// tryLease asks for a lease that only a file without writers can have, and gives
// it back. A program that opens the file in between waits for that moment.
func tryLease(path string) error {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := setLease(file, syscall.F_RDLCK); err != nil {
		return err
	}
	return setLease(file, syscall.F_UNLCK)
}

func setLease(file *os.File, kind uintptr) error {
	_, _, number := syscall.Syscall(syscall.SYS_FCNTL, file.Fd(), syscall.F_SETLEASE, kind)
	if number != 0 {
		return number
	}
	return nil
}

// programsWith lists the other processes that have one of the files open for
// writing, as far as this user may look at them.
func programsWith(files map[string]os.FileInfo) []program {
	wanted := map[fileID]bool{}
	for _, about := range files {
		if id, ok := idOf(about); ok {
			wanted[id] = true
		}
	}
	var found []program
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, process := range processes {
		id, err := strconv.Atoi(filepath.Base(process))
		if err != nil || id == os.Getpid() || !writesTo(filepath.Join(process, "fd"), wanted) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(process, "comm"))
		found = append(found, program{id, strings.TrimSpace(string(name))})
	}
	slices.SortFunc(found, func(a, b program) int { return a.id - b.id })
	return found
}

// writesTo looks at the open files of a process. The mode of each link in the
// folder says whether the file is open for writing.
func writesTo(folder string, wanted map[fileID]bool) bool {
	links, _ := os.ReadDir(folder)
	return slices.ContainsFunc(links, func(link fs.DirEntry) bool {
		about, err := link.Info()
		if err != nil || about.Mode().Perm()&0o200 == 0 {
			return false
		}
		if about, err = os.Stat(filepath.Join(folder, link.Name())); err != nil {
			return false
		}
		id, ok := idOf(about)
		return ok && wanted[id]
	})
}
