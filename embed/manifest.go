package webconsole

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// manifestName is written last by the build, so its presence means that the
// build is complete.
const manifestName = "manifest.json"

// manifestSchema is the only shape of manifest that this package reads.
const manifestSchema = 1

// manifest describes a build: which paths are pages, and every file with its
// digest and type. Types come from here because the system's table of types
// differs between machines.
type manifest struct {
	Schema  int         `json:"schema"`
	Version string      `json:"version"`
	Commit  string      `json:"commit"`
	Routes  []route     `json:"routes"`
	Entry   string      `json:"entry"`
	Preload []string    `json:"preload"`
	CSP     string      `json:"csp"`
	Files   []fileEntry `json:"files"`
}

type route struct {
	Path string `json:"path"` // as the browser shows it: "/query"
	Page string `json:"page"` // the file that answers: "query/index.html"
}

type fileEntry struct {
	Path      string `json:"path"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"` // hex
	Type      string `json:"type"`
	Immutable bool   `json:"immutable"` // the name changes with the content
	// CSP is the policy of a page that stands for itself, such as verify.html:
	// people keep it and compare its hash, so it is served byte for byte.
	CSP string `json:"csp"`
}

// loadManifest reads the manifest and every file it lists, and refuses a build
// in which anything is missing or differs. The bodies are returned by path.
func loadManifest(dist fs.FS) (*manifest, map[string][]byte, error) {
	m, err := readManifest(dist)
	if err != nil {
		return nil, nil, err
	}
	bodies, err := m.readFiles(dist)
	if err == nil {
		err = m.check(bodies)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("webconsole: damaged build: %w", err)
	}
	return m, bodies, nil
}

func readManifest(dist fs.FS) (*manifest, error) {
	raw, err := fs.ReadFile(dist, manifestName)
	if err != nil {
		return nil, fmt.Errorf("webconsole: %w", err)
	}
	m := &manifest{}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("webconsole: %s: %w", manifestName, err)
	}
	return m, nil
}

func (m *manifest) readFiles(dist fs.FS) (map[string][]byte, error) {
	if m.Schema != manifestSchema {
		return nil, fmt.Errorf("manifest schema is %d, want %d", m.Schema, manifestSchema)
	}
	bodies := make(map[string][]byte, len(m.Files))
	for _, file := range m.Files {
		if bodies[file.Path] != nil {
			return nil, fmt.Errorf("%s is listed twice", file.Path)
		}
		body, err := file.read(dist)
		if err != nil {
			return nil, err
		}
		bodies[file.Path] = body
	}
	return bodies, nil
}

func (f fileEntry) read(dist fs.FS) ([]byte, error) {
	body, err := fs.ReadFile(dist, f.Path)
	if err != nil {
		return nil, err
	}
	if int64(len(body)) != f.Size {
		return nil, fmt.Errorf("%s has %d bytes, the manifest says %d", f.Path, len(body), f.Size)
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, fmt.Errorf("%s does not have the sha256 of the manifest", f.Path)
	}
	if f.Type == "" {
		return nil, fmt.Errorf("%s has no type", f.Path)
	}
	return body, nil
}

func (m *manifest) check(bodies map[string][]byte) error {
	if m.CSP == "" {
		return errors.New("no content security policy")
	}
	for _, name := range append([]string{m.Entry}, m.Preload...) {
		if bodies[name] == nil {
			return fmt.Errorf("script %q is not among the files", name)
		}
	}
	root := false
	for _, r := range m.Routes {
		if !strings.HasPrefix(r.Path, "/") || (r.Path != "/" && strings.HasSuffix(r.Path, "/")) {
			return fmt.Errorf("route %q is not a path", r.Path)
		}
		if bodies[r.Page] == nil {
			return fmt.Errorf("route %s has no page: %q is not among the files", r.Path, r.Page)
		}
		root = root || r.Path == "/"
	}
	if !root {
		return errors.New("no page for /")
	}
	return nil
}
