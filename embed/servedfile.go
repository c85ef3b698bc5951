package webconsole

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// servedFile is one body with everything needed to answer. All requests share it
// and it never changes; only its gzip form is made on first use.
type servedFile struct {
	body      []byte
	kind      string
	immutable bool
	digest    string
	policy    string // in place of the site's, where it is not ""
	brotli    []byte // nil when the build made none
	gzip      func() []byte
}

func newServedFile(body []byte, kind string, immutable bool) *servedFile {
	sum := sha256.Sum256(body)
	return &servedFile{
		body:      body,
		kind:      kind,
		immutable: immutable,
		digest:    hex.EncodeToString(sum[:16]),
		gzip:      sync.OnceValue(func() []byte { return compress(body) }),
	}
}

// useEncoded adopts the compressed copies of the build.
func (c *servedFile) useEncoded(encoded fs.FS, path string) {
	if body, err := fs.ReadFile(encoded, path+".br"); err == nil {
		c.brotli = body
	}
	if body, err := fs.ReadFile(encoded, path+".gz"); err == nil {
		c.gzip = func() []byte { return body }
	}
}

func compress(body []byte) []byte {
	var out bytes.Buffer
	// Only an invalid level or a failing writer gives an error; this is neither.
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	w.Write(body)
	w.Close()
	return out.Bytes()
}

// compressible reports whether compressing a type is worth the time.
func (c *servedFile) compressible() bool {
	kind, _, _ := strings.Cut(c.kind, ";")
	switch kind {
	case "application/json", "application/javascript", "application/wasm",
		"application/manifest+json", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(kind, "text/")
}

// choose picks the coding for a client. The plain form wins where compressing
// gains nothing, unless the client refuses it.
func (c *servedFile) choose(accepted []string) (coding string, ok bool) {
	_, plainOK := negotiate(accepted, identity)
	if plainOK && !c.compressible() {
		return identity, true
	}
	var offers []string
	if c.brotli != nil {
		offers = append(offers, "br")
	}
	coding, ok = negotiate(accepted, append(offers, "gzip", identity)...)
	if plainOK && coding == "gzip" && len(c.gzip()) >= len(c.body) {
		return identity, true
	}
	return coding, ok
}

func (c *servedFile) encodedAs(coding string) []byte {
	switch coding {
	case "br":
		return c.brotli
	case "gzip":
		return c.gzip()
	}
	return c.body
}

// etag differs by coding, because the bytes do and the tag is a strong one.
func (c *servedFile) etag(coding string) string {
	if coding == identity {
		return `"` + c.digest + `"`
	}
	return `"` + c.digest + "-" + coding + `"`
}

// serve answers with the content in the form that suits the client. Only a
// 200 can be shortened to 304.
func (c *servedFile) serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	if c.policy != "" {
		h.Set("Content-Security-Policy", c.policy)
	}
	h.Set("Vary", "Accept-Encoding")
	coding, ok := c.choose(r.Header.Values("Accept-Encoding"))
	if !ok {
		plainText(w, http.StatusNotAcceptable, "no acceptable encoding")
		return
	}
	h.Set("Cache-Control", cacheRevalidate)
	if status == http.StatusOK {
		if c.immutable {
			h.Set("Cache-Control", cacheForever)
		}
		h.Set("ETag", c.etag(coding))
		if matches(r.Header.Values("If-None-Match"), c.etag(coding)) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	c.write(w, r, status, coding)
}

func (c *servedFile) write(w http.ResponseWriter, r *http.Request, status int, coding string) {
	body := c.encodedAs(coding)
	h := w.Header()
	h.Set("Content-Type", c.kind)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if coding != identity {
		h.Set("Content-Encoding", coding)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		writePaced(w, body)
	}
}

func plainText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", cacheRevalidate)
	w.WriteHeader(status)
	w.Write([]byte(text + "\n"))
}
