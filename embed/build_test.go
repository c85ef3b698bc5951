package webconsole

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	testPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
	metaTag    = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self' http://*:9497 https://*:9497">`
	scriptText = "console.log('hello, hello, hello, hello, hello, hello, hello, hello')\n"
)

// shell is a page as the pipeline writes it, for a page so many folders deep.
func shell(prefix string) string {
	return `<!doctype html><html><head>` + metaTag + `<title>immudb webconsole</title>` +
		`<script type="module" src="` + prefix + `assets/main-ABCD.js"></script></head><body></body></html>`
}

// testFiles is a small build: two routes, the page that keeps the assets
// folder from being listed, a hashed and an unhashed file.
func testFiles() map[string]string {
	return map[string]string{
		"index.html":          shell("./"),
		"query/index.html":    shell("../"),
		"assets/index.html":   shell("../"),
		"assets/main-ABCD.js": scriptText,
		"assets/dot-EFGH.png": "\x89PNG not really a picture",
		"licences.txt":        strings.Repeat("Permission is hereby granted. ", 20),
	}
}

var testTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".png":  "image/png",
	".txt":  "text/plain; charset=utf-8",
}

// describe makes the manifest that belongs to the files.
func describe(files map[string]string) *manifest {
	m := &manifest{
		Schema:  manifestSchema,
		Version: "0.1.0",
		Commit:  "dev",
		CSP:     testPolicy,
		Routes:  []route{{Path: "/", Page: "index.html"}, {Path: "/query", Page: "query/index.html"}},
		Entry:   "assets/main-ABCD.js",
		Preload: []string{"assets/main-ABCD.js"},
	}
	for path, body := range files {
		sum := sha256.Sum256([]byte(body))
		m.Files = append(m.Files, fileEntry{
			Path:      path,
			Size:      int64(len(body)),
			SHA256:    hex.EncodeToString(sum[:]),
			Type:      testTypes[path[strings.LastIndex(path, "."):]],
			Immutable: strings.HasPrefix(path, "assets/") && !strings.HasSuffix(path, ".html"),
		})
	}
	return m
}

func mapFS(t *testing.T, m *manifest, files map[string]string) fstest.MapFS {
	t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	dist := fstest.MapFS{manifestName: {Data: raw}}
	for path, body := range files {
		dist[path] = &fstest.MapFile{Data: []byte(body)}
	}
	return dist
}

// testSite loads the small build. The script has a made-up brotli copy, which
// is enough to see whether it is chosen.
func testSite(t *testing.T, options ...Option) *site {
	t.Helper()
	var s settings
	for _, option := range options {
		if err := option(&s); err != nil {
			t.Fatal(err)
		}
	}
	files := testFiles()
	encoded := fstest.MapFS{
		"assets/main-ABCD.js.br": {Data: []byte("brotli of the script")},
		"index.html.br":          {Data: []byte("brotli of the root page")},
	}
	built, err := newSite(mapFS(t, describe(files), files), encoded, s)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// ask makes one request; headers are pairs of name and value.
func ask(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
