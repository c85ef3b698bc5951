package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// folder is where an auditor keeps what it knows. One process at a time has it.
//
//	states/DATABASE.json        the trusted state and how far the history was read
//	checkpoints/DATABASE        signed notes, one behind the other
//	findings/TIME-N-SERVER-DATABASE.json   evidence; TIME-N-….told says who was told
//	findings/accepted/          evidence of what a person has accepted
//	signing.key                 the key for checkpoints, if there is one
//
// With several servers, states and checkpoints have a folder for each.
type folder struct {
	dir string
	// fault makes an operation on a path fail, in tests of full disks.
	fault func(operation, path string) error
}

func (f *folder) path(parts ...string) string {
	return filepath.Join(append([]string{f.dir}, parts...)...)
}

func (f *folder) may(operation, path string) error {
	if f.fault == nil {
		return nil
	}
	return f.fault(operation, path)
}

const (
	statesDir      = "states"
	checkpointsDir = "checkpoints"
	findingsDir    = "findings"
	acceptedDir    = "accepted"
	keyFile        = "signing.key"
	unfinished     = ".unfinished"
)

// prepare makes the folders, and removes what a killed process left unfinished:
// nothing ever depends on such a file.
func (f *folder) prepare() error {
	for _, name := range []string{statesDir, checkpointsDir, filepath.Join(findingsDir, acceptedDir)} {
		if err := os.MkdirAll(f.path(name), 0o700); err != nil {
			return err
		}
	}
	if err := os.Remove(f.path(keyFile + unfinished)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range []string{statesDir, findingsDir} {
		if err := filepath.WalkDir(f.path(name), f.tidy); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) tidy(path string, entry fs.DirEntry, err error) error {
	if err != nil || entry.IsDir() {
		return err
	}
	if filepath.Ext(path) == unfinished {
		return os.Remove(path)
	}
	if filepath.Dir(path) != f.path(findingsDir) || filepath.Ext(path) != ".json" {
		return nil
	}
	// Its name was taken, and the process killed before the content had it.
	if about, err := entry.Info(); err != nil || about.Size() > 0 {
		return err
	}
	return os.Remove(path)
}

// writeWhole replaces a file by another one. After a crash at any moment the
// path has the old content or the new one, whole.
func (f *folder) writeWhole(path string, content []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	beside := path + unfinished
	defer func() {
		if err != nil {
			_ = os.Remove(beside)
		}
	}()
	if err := f.write(beside, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, content); err != nil {
		return err
	}
	if err := f.may("rename", path); err != nil {
		return err
	}
	if err := os.Rename(beside, path); err != nil {
		return err
	}
	return f.syncDir(filepath.Dir(path))
}

// writeNew writes a file that must not be there yet.
func (f *folder) writeNew(path string, content []byte) error {
	if err := f.may("create", path); err != nil {
		return err
	}
	reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := reserved.Close(); err != nil {
		return err
	}
	if err := f.writeWhole(path, content); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func (f *folder) write(path string, how int, content []byte) error {
	if err := f.may("create", path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, how, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := f.may("write", path); err != nil {
		// As a full disk does it: a part arrives.
		_, _ = file.Write(content[:len(content)/2])
		return err
	}
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := f.may("sync", path); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

// syncDir makes the names in a folder durable. Windows does so by itself, and
// has no call for it.
func (f *folder) syncDir(dir string) error {
	if err := f.may("sync", dir); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	opened, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer opened.Close()
	return opened.Sync()
}

// move renames a file within the folder, never onto another one.
func (f *folder) move(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s is there already", to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return errors.Join(f.syncDir(filepath.Dir(from)), f.syncDir(filepath.Dir(to)))
}

// appendWhole adds a part to the end of a file. A part that a crash tore is cut
// off before the next one is added, by cut.
func (f *folder) appendWhole(path string, part []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	isNew := false
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		isNew = true
	}
	if err := f.write(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, part); err != nil {
		return err
	}
	if !isNew {
		return nil
	}
	return f.syncDir(filepath.Dir(path))
}

// cut shortens a file to its first bytes.
func (f *folder) cut(path string, length int64) error {
	if err := f.may("write", path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(length); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

// mostKept limits what is read of our own files. They have some kilobytes; a
// tree that lags far behind adds a hash for each transaction.
const mostKept = 256 << 20

// read returns nil, and no error, for a file that is not there.
func (f *folder) read(path string) ([]byte, error) {
	about, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if about.Size() > mostKept {
		return nil, fmt.Errorf("%s is larger than anything that the auditor writes", path)
	}
	content, err := os.ReadFile(path)
	if err == nil && content == nil {
		content = []byte{}
	}
	return bytes.Clone(content), err
}
