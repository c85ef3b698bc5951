package webconsole

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// needDist loads the embedded build, or skips the test in a checkout that has
// none. A release sets WEBCONSOLE_REQUIRE_DIST=1, so that an empty console
// cannot pass.
func needDist(t *testing.T) (*manifest, map[string][]byte, fs.FS) {
	t.Helper()
	if !Built() {
		if os.Getenv("WEBCONSOLE_REQUIRE_DIST") == "1" {
			t.Fatal("embed/dist is not built: run npm run build")
		}
		t.Skip("embed/dist is not built")
	}
	dist := sub(built, "dist")
	m, bodies, err := loadManifest(dist)
	if err != nil {
		t.Fatal(err)
	}
	return m, bodies, dist
}

func TestBuiltFilesMatchTheManifest(t *testing.T) {
	_, bodies, dist := needDist(t)
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil || name == "." || name == ".gitkeep" || name == manifestName:
			return err
		case strings.HasPrefix(base, "_") || strings.HasPrefix(base, "."):
			t.Errorf("%s: embed patterns leave such names out", name)
		case entry.IsDir():
			return nil
		case bodies[name] == nil:
			t.Errorf("%s is not in the manifest", name)
		case path.Ext(name) == ".br" || path.Ext(name) == ".gz":
			t.Errorf("%s: compressed copies belong in embed/encoded", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A compressed copy of an earlier build would be served in place of the page.
// Brotli cannot be unpacked here; that it has an original is all we see.
func TestCompressedCopiesHaveOriginals(t *testing.T) {
	_, bodies, _ := needDist(t)
	copies := sub(encoded, "encoded")
	err := fs.WalkDir(copies, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == ".gitkeep" {
			return err
		}
		body := bodies[strings.TrimSuffix(name, path.Ext(name))]
		if body == nil {
			t.Errorf("embed/encoded/%s has no original", name)
		}
		if path.Ext(name) == ".gz" && !bytes.Equal(unpack(t, copies, name), body) {
			t.Errorf("embed/encoded/%s is a copy of something else", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func unpack(t *testing.T, files fs.FS, name string) []byte {
	t.Helper()
	packed, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestA21HeadersOnEveryBuiltFile(t *testing.T) {
	m, _, _ := needDist(t)
	handler, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	checkHeadersOnEveryFile(t, handler, m)
}

// The same folder must work in immudb itself, whose handler is a plain file
// server and whose own test looks for the title.
func TestDropInContract(t *testing.T) {
	m, bodies, dist := needDist(t)
	plain := http.FileServer(http.FS(dist))
	for _, r := range m.Routes {
		answer := ask(plain, http.MethodGet, strings.TrimSuffix(r.Path, "/")+"/")
		page := answer.Body.String()
		if answer.Code != 200 || !strings.Contains(page, "<title>immudb webconsole</title>") {
			t.Errorf("%s: %d without the title", r.Path, answer.Code)
		}
		if !strings.Contains(page, climb(depth(r.Page))+"assets/") {
			t.Errorf("%s: assets are not found from there", r.Path)
		}
		if !metaPolicy.MatchString(page) {
			t.Errorf("%s: no policy in the page", r.Path)
		}
	}
	if bodies["assets/index.html"] == nil {
		t.Error("a plain file server lists the assets folder")
	}
}

func TestBuiltPagesAtEveryDepth(t *testing.T) {
	m, _, _ := needDist(t)
	handler, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range m.Routes {
		for _, path := range []string{r.Path, strings.TrimSuffix(r.Path, "/") + "/"} {
			answer := ask(handler, http.MethodGet, path)
			if answer.Code != 200 || !strings.Contains(answer.Body.String(), `"`+climb(depth(path))+"assets/") {
				t.Errorf("%s: %d, or assets are not found from there", path, answer.Code)
			}
		}
	}
}

func TestNotBuiltPage(t *testing.T) {
	handler := notBuiltHandler()
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/":                 {503, `href="./notbuilt.css"`},
		"/query":            {503, "npm run build"},
		"/query/":           {503, `href="../notbuilt.css"`},
		"/notbuilt.css":     {200, "color-scheme"},
		"/index.html":       {503, `href="./notbuilt.css"`},
		"/query/index.html": {503, `href="../notbuilt.css"`},
		"/other.js":         {404, "404"},
		"/assets/":          {404, "404"},
	} {
		answer := ask(handler, http.MethodGet, path)
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.text) {
			t.Errorf("%s: %d without %s", path, answer.Code, want.text)
		}
		if answer.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: no security headers", path)
		}
	}
	if answer := ask(handler, "POST", "/"); answer.Code != 405 {
		t.Errorf("POST: %d", answer.Code)
	}
}

// A clone holds nothing of the build but two .gitkeep files. It must compile
// and serve the page that says how to go on.
func TestFreshClone(t *testing.T) {
	clone := t.TempDir()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources = append(sources, "go.mod", "notbuilt/index.html", "notbuilt/notbuilt.css", "dist/.gitkeep", "encoded/.gitkeep")
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			copyFile(t, name, filepath.Join(clone, name))
		}
	}
	probe := `package webconsole

import (
	"net/http/httptest"
	"testing"
)

func TestClone(t *testing.T) {
	handler, err := Handler()
	if err != nil || Built() {
		t.Fatal(err, Built())
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 503 {
		t.Fatal(w.Code)
	}
}
`
	if err := os.WriteFile(filepath.Join(clone, "clone_test.go"), []byte(probe), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "test", ".")
	command.Dir = clone
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	body, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, body, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDevServer(t *testing.T) {
	dev := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "dev "+r.URL.Path)
	}))
	target, err := url.Parse(dev.URL)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := Handler(WithDevServer(target))
	if err != nil {
		t.Fatal(err)
	}
	if answer := ask(handler, "GET", "/query"); answer.Body.String() != "dev /query" {
		t.Errorf("answer %q", answer.Body)
	}
	dev.Close()
	if answer := ask(handler, "GET", "/"); answer.Code != 502 || !strings.Contains(answer.Body.String(), "npm run dev") {
		t.Errorf("without the dev server: %d %q", answer.Code, answer.Body)
	}
}
