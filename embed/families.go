package webconsole

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"strings"
)

// wantedFamilies are those that a call for the metrics names by name[], as
// Prometheus clients do; nil for all. An immudb with many calls behind it
// answers with half a megabyte, of which the console reads a few dozen lines.
func wantedFamilies(u *url.URL) map[string]bool {
	names := u.Query()["name[]"]
	if len(names) == 0 || len(names) > mostFamilies {
		return nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	return wanted
}

const (
	mostFamilies = 100
	// longestFamily is more than any name has. A longer one is passed on as no
	// family that was asked for.
	longestFamily = 256
)

// familyFilter passes on the lines of the wanted families of a metrics text, as
// they come. Any other answer goes through unchanged.
type familyFilter struct {
	http.ResponseWriter
	wanted map[string]bool

	isBegun, isText bool
	// begin is what has arrived of a line whose family is not known yet.
	begin []byte
	// isInLine says that the rest of a line is to come, and isWanted what happens
	// to it.
	isInLine, isWanted bool

	takesGzip bool
	zip       *gzip.Writer // nil while nothing is compressed
}

// filterFamilies asks for a text that can be filtered: one that is not
// compressed. What is left of it is compressed again for callers who take that.
func filterFamilies(w http.ResponseWriter, r *http.Request, wanted map[string]bool) *familyFilter {
	coding, ok := negotiate(r.Header.Values("Accept-Encoding"), "gzip", identity)
	r.Header.Del("Accept-Encoding")
	return &familyFilter{ResponseWriter: w, wanted: wanted, takesGzip: ok && coding == "gzip"}
}

// WriteHeader is part of http.ResponseWriter.
func (f *familyFilter) WriteHeader(status int) {
	if !f.isBegun && !mayPrecede(status) {
		f.isBegun = true
		h := f.Header()
		f.isText = status == http.StatusOK && h.Get("Content-Encoding") == "" &&
			strings.HasPrefix(strings.ToLower(h.Get("Content-Type")), "text/plain")
		if f.isText {
			h.Del("Content-Length")
			h.Set("Vary", "Accept-Encoding")
		}
		if f.isText && f.takesGzip {
			h.Set("Content-Encoding", "gzip")
			f.zip = gzip.NewWriter(f.ResponseWriter)
		}
	}
	f.ResponseWriter.WriteHeader(status)
}

// Write is part of http.ResponseWriter.
func (f *familyFilter) Write(p []byte) (int, error) {
	if !f.isBegun {
		f.WriteHeader(http.StatusOK)
	}
	if !f.isText {
		return f.ResponseWriter.Write(p)
	}
	var kept []byte
	for rest := p; len(rest) > 0; {
		line, isWhole := rest, false
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			line, isWhole = rest[:end+1], true
		}
		rest = rest[len(line):]
		if !f.isInLine {
			f.begin = append(f.begin, line...)
			name, isKnown := familyOf(f.begin)
			if !isKnown && !isWhole {
				continue
			}
			line, f.begin = f.begin, nil
			f.isInLine, f.isWanted = true, f.wanted[name]
		}
		if f.isWanted {
			kept = append(kept, line...)
		}
		f.isInLine = !isWhole
	}
	if len(kept) == 0 {
		return len(p), nil
	}
	var err error
	if f.zip != nil {
		_, err = f.zip.Write(kept)
	} else {
		_, err = f.ResponseWriter.Write(kept)
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// finish must not run while the handler panics: that is how one drops an answer.
func (f *familyFilter) finish() {
	if f.zip != nil {
		_ = f.zip.Close()
	}
}

// Flush is part of http.Flusher.
func (f *familyFilter) Flush() {
	if f.zip != nil {
		_ = f.zip.Flush()
	}
	if flusher, ok := f.ResponseWriter.(http.Flusher); ok {
		flusher.Flush()
	}
}

// familyOf returns the name at the beginning of a line, or of what a comment
// (“# TYPE name …”) is about, and whether all of the name is there.
func familyOf(line []byte) (name string, isKnown bool) {
	for _, comment := range [][]byte{[]byte("# HELP "), []byte("# TYPE ")} {
		if bytes.HasPrefix(comment, line) {
			return "", false
		}
		line = bytes.TrimPrefix(line, comment)
	}
	end := bytes.IndexAny(line, "{ \t\r\n")
	if end < 0 || end > longestFamily {
		return "", len(line) > longestFamily
	}
	return string(line[:end]), true
}
