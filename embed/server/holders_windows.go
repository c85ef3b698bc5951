package main

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is what Windows answers when someone else has the file open.
const errSharing = syscall.Errno(32)

// holdersOf tries to open each file for this process alone, which fails while
// any other has it open. Windows does not say which.
func holdersOf(files map[string]os.FileInfo) holders {
	found := holders{}
	for path := range files {
		handle, err := openAlone(path, syscall.OPEN_EXISTING)
		switch {
		case err == nil:
			syscall.CloseHandle(handle)
		case errors.Is(err, errSharing):
			return holders{isHidden: true}
		default:
			found.unseen = "its files cannot be opened"
		}
	}
	return found
}

func openAlone(path string, manner uint32) (syscall.Handle, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return syscall.InvalidHandle, err
	}
	return syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, manner, syscall.FILE_ATTRIBUTE_NORMAL, 0)
}

// programsWith finds none: here only a directory that is not served yet can be
// looked at.
func programsWith(map[string]os.FileInfo) []program { return nil }
