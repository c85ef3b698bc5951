//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Other users of the machine can read nothing of a new data directory, and an
// old one that they can read is named.
func TestDataIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r := start(t, "--dir", dir)
	r.stop()
	<-r.code
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		about, err := entry.Info()
		if err == nil && about.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %o", path, about.Mode().Perm())
		}
		files++
		return err
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files, %v", files, err)
	}
	if strings.Contains(r.stderr.String(), "chmod") {
		t.Errorf("warned about a new directory: %s", &r.stderr)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	again := start(t, "--dir", dir)
	again.stop()
	<-again.code
	if !strings.Contains(again.stderr.String(), "chmod -R o= "+dir) {
		t.Errorf("not warned about an open directory: %s", &again.stderr)
	}
}
