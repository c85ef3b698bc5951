package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// checkpointsPath is where the console looks for the checkpoints of auditors.
const checkpointsPath = "/checkpoints/"

const (
	// largestCheckpoints is what the console reads of one file.
	largestCheckpoints = 64 << 20
	// mostCheckpoints limits a list, and how many files are looked into for it.
	mostCheckpoints = 1000
	// longestOrigin limits the first line of a file.
	longestOrigin = 1024
)

// checkpoints serves the files of a folder to which auditors write what they have
// seen. Anyone who reaches the console may read them: they are meant to be spread,
// and hold ids of servers, names of databases, numbers and hashes.
type checkpoints struct{ dir string }

// checkpointsFile is a line of the list.
type checkpointsFile struct {
	Name string `json:"name"`
	// Origin is the first line: which server and database the first note is about.
	Origin   string `json:"origin"`
	Size     int64  `json:"size"`
	Modified string `json:"modified"`
}

// checkFolder is for the start.
func checkFolder(dir string) error {
	about, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !about.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	return nil
}

// ServeHTTP is part of http.Handler. The folder is opened for each request, so
// that it may be replaced. Nothing outside of it can be reached: an os.Root
// refuses names and links that lead out.
func (c checkpoints) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Cache-Control":                "no-store",
		"Content-Security-Policy":      "sandbox; default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	} {
		w.Header().Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Checkpoints can only be read.", http.StatusMethodNotAllowed)
		return
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		http.Error(w, "The folder of the checkpoints cannot be opened.", http.StatusServiceUnavailable)
		return
	}
	defer root.Close()
	name := strings.TrimPrefix(r.URL.Path, checkpointsPath)
	if name == "" {
		listCheckpoints(w, root)
		return
	}
	serveCheckpoints(w, r, root, name)
}

// listCheckpoints names what can be fetched, in the order of the names.
func listCheckpoints(w http.ResponseWriter, root *os.Root) {
	names, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		http.Error(w, "The folder of the checkpoints cannot be read.", http.StatusServiceUnavailable)
		return
	}
	list := struct {
		Files []checkpointsFile `json:"files"`
		// IsCut is true where the folder holds more than is looked into.
		IsCut bool `json:"isCut"`
	}{Files: []checkpointsFile{}, IsCut: len(names) > mostCheckpoints}
	for _, entry := range names[:min(len(names), mostCheckpoints)] {
		file, about, origin, err := openCheckpoints(root, entry.Name())
		if err != nil {
			continue
		}
		file.Close()
		modified := about.ModTime().UTC().Format(time.RFC3339)
		list.Files = append(list.Files, checkpointsFile{entry.Name(), origin, about.Size(), modified})
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(list)
}

// serveCheckpoints sends a file as it is now: an auditor may add to it meanwhile.
func serveCheckpoints(w http.ResponseWriter, r *http.Request, root *os.Root, name string) {
	file, about, _, err := openCheckpoints(root, name)
	if err != nil {
		http.Error(w, "There is no file of checkpoints with this name.", http.StatusNotFound)
		return
	}
	defer file.Close()
	if about.Size() > largestCheckpoints {
		http.Error(w, "This file of checkpoints is larger than 64 MiB. Split it between two notes.", http.StatusRequestEntityTooLarge)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	http.ServeContent(w, r, "", about.ModTime(), io.NewSectionReader(file, 0, about.Size()))
}

var errNoCheckpoints = errors.New("no file of checkpoints")

// openCheckpoints opens a plain file of the folder that begins as a checkpoint
// does, and returns its first line. Nothing else is served, so that a folder with
// keys or states beside the checkpoints shows none of them.
func openCheckpoints(root *os.Root, name string) (*os.File, fs.FileInfo, string, error) {
	if !isFileName(name) {
		return nil, nil, "", errNoCheckpoints
	}
	// First, because to open a pipe would wait for its writer.
	if about, err := root.Stat(name); err != nil || !about.Mode().IsRegular() {
		return nil, nil, "", errNoCheckpoints
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, nil, "", err
	}
	about, err := file.Stat()
	origin := ""
	if err == nil && about.Mode().IsRegular() {
		origin = originOf(file)
	}
	if origin == "" {
		file.Close()
		return nil, nil, "", errNoCheckpoints
	}
	return file, about, origin, nil
}

// isFileName is true for a name that stays in its folder and is not hidden.
func isFileName(name string) bool {
	isOdd := func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) }
	return utf8.ValidString(name) && !strings.HasPrefix(name, ".") && !strings.ContainsFunc(name, isOdd)
}

// originOf is the first line of a file of checkpoints, "" for another file. It
// reads from the beginning without moving what reads the file next.
func originOf(file io.ReaderAt) string {
	start := bufio.NewReader(io.NewSectionReader(file, 0, longestOrigin))
	line, err := start.ReadBytes('\n')
	line = bytes.TrimSuffix(line, []byte("\n"))
	parts := strings.SplitN(string(line), "/", 3)
	if err != nil || !utf8.Valid(line) || len(parts) != 3 || parts[0] != "immudb" || slices.Contains(parts, "") {
		return ""
	}
	if bytes.ContainsFunc(line, unicode.IsControl) {
		return ""
	}
	return string(line)
}
