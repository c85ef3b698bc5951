package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/codenotary/immudb/pkg/server"
)

// immudb keeps no lock, so a second one opens a data directory without a word,
// and what both acknowledge is lost. Our own lock shows one webconsole to
// another. For all other programs we look who has files of the directory open
// for writing. Reading is no harm: a backup or a look at the log does that.

// holders are what could be seen of programs that write to a data directory.
type holders struct {
	programs []program
	// isHidden says that a program which we may not look at writes to it, such as
	// one of another container.
	isHidden bool
	// unseen is why a program could have been missed; "" when none could.
	unseen string
}

type program struct {
	id   int
	name string // "" when the system does not tell
}

func (p program) String() string {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}
	if p.name == "" {
		return fmt.Sprintf("process %d", p.id)
	}
	return fmt.Sprintf("%s (process %d)", strings.Map(printable, p.name), p.id)
}

func (h holders) isAny() bool { return len(h.programs) > 0 || h.isHidden }

func (h holders) String() string {
	if len(h.programs) == 0 {
		return "a program of another user or in another container"
	}
	var names []string
	for _, program := range h.programs {
		names = append(names, program.String())
	}
	return strings.Join(names, " and ")
}

// refuseHeld returns an error when another program writes to the directory. It
// notes when that cannot be seen for certain.
func refuseHeld(dir string, notes io.Writer) error {
	files := filesBelow(dir)
	if len(files) == 0 {
		return nil
	}
	found := holdersOf(files)
	if found.isAny() {
		return inUse(dir, found.String())
	}
	if found.unseen != "" {
		fmt.Fprintf(notes, "Note: cannot tell whether another immudb uses the data directory %s: %s."+
			" Two on one directory lose data.\n", dir, found.unseen)
	}
	return nil
}

// inUse says who has the directory and how to go on.
func inUse(dir, who string) error { return &inUseError{dir, who} }

// inUseError is about a directory that another program has open.
type inUseError struct{ dir, who string }

// Error is part of error, for a data directory.
func (e *inUseError) Error() string {
	return fmt.Sprintf("%s uses the data directory %s, and two servers on one directory lose data;"+
		" nothing was opened. Stop it, choose another directory with --dir,"+
		" or put the console in front of it with --server http://HOST:8080", e.who, e.dir)
}

const (
	// watchPeriod is short, because each write after a second server has opened
	// the directory may be lost.
	watchPeriod = 2 * time.Second
	// watchShare is how much longer than a look the pause after it is, so that a
	// machine with many processes does not spend more than a hundredth on looking.
	watchShare = 100
)

// watchDirectory waits until another program opens the databases of a directory
// that this process serves, or until done closes. Every immudb keeps the files
// of systemdb open.
func watchDirectory(dir string, done <-chan struct{}, taken func(who string)) {
	var took time.Duration
	for {
		select {
		case <-done:
			return
		case <-time.After(max(watchPeriod, watchShare*took)):
		}
		began := time.Now()
		if found := programsWith(filesBelow(filepath.Join(dir, server.SystemDBName))); len(found) > 0 {
			taken(holders{programs: found}.String())
			return
		}
		took = time.Since(began)
	}
}

// dropDirectory ends the process at once. An orderly end would write what the
// databases still hold in memory over the other's data; what was acknowledged is
// on the disk.
func dropDirectory(dir string, notes io.Writer) func(who string) {
	return func(who string) {
		fmt.Fprintf(notes, "webconsole: %s has opened the data directory %s while this server used it."+
			" Two servers on one directory lose data, so this one ended at once."+
			" What both committed since then may be lost: stop the other, start one alone, and audit its databases.\n", who, dir)
		os.Exit(1)
	}
}

// filesBelow returns the regular files of a data directory without its logs. It
// follows links, because databases may lie elsewhere. What cannot be read is
// left out: opening it fails later, with a reason.
func filesBelow(dir string) map[string]os.FileInfo {
	files := map[string]os.FileInfo{}
	var seen []os.FileInfo
	var walk func(folder string)
	walk = func(folder string) {
		about, err := os.Stat(folder)
		if err != nil {
			return
		}
		for _, other := range seen {
			if os.SameFile(other, about) {
				return
			}
		}
		seen = append(seen, about)
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			about, err := os.Stat(path)
			switch {
			case err != nil, path == logDirectory(dir):
			case about.IsDir():
				walk(path)
			case about.Mode().IsRegular() && path != lockFile(dir):
				files[path] = about
			}
		}
	}
	walk(dir)
	return files
}

func lockFile(dir string) string { return filepath.Join(dir, "webconsole.lock") }
