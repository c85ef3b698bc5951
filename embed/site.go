package webconsole

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// deepest limits how far below the mount point an unknown page still gets the
// console's own error page. Each depth needs its own text, and clients must not
// decide how many texts there are.
const deepest = 8

// site is a loaded build: every answer it can give exists before the first
// request.
type site struct {
	headers http.Header
	files   map[string]*servedFile // by path below the mount point, no slash first
	pages   map[string]*servedFile // by request path: both "/query" and "/query/"
	missing []*servedFile          // the error page by depth
	// hasServers says that the APIs are below s/NAME, and none beside the pages.
	hasServers bool
}

func newSite(dist, encoded fs.FS, s settings) (*site, error) {
	m, bodies, err := loadManifest(dist)
	if err != nil {
		return nil, err
	}
	policy := parsePolicy(m.CSP).adapt(s)
	maker := pageMaker{policy: policy, framing: s.frameAncestors != nil}
	if s.list != nil {
		maker.servers = s.list.metaTag()
	}
	result := &site{headers: securityHeaders(policy), hasServers: s.list != nil}
	if err := result.addFiles(m, bodies, dist, encoded, maker); err != nil {
		return nil, err
	}
	result.addPages(m, bodies, maker)
	return result, nil
}

func (s *site) addFiles(m *manifest, bodies map[string][]byte, dist, encoded fs.FS, maker pageMaker) error {
	s.files = make(map[string]*servedFile, len(m.Files)+1)
	for _, file := range m.Files {
		body := bodies[file.Path]
		if strings.HasSuffix(file.Path, ".html") && file.CSP == "" {
			body = maker.atDepth(body, depth(file.Path), depth(file.Path))
		}
		c := newServedFile(body, file.Type, file.Immutable)
		if file.CSP != "" {
			// Who may frame it is the one thing that a page cannot say of itself.
			ancestors := maker.policy.sources("frame-ancestors")
			c.policy = parsePolicy(file.CSP).with("frame-ancestors", ancestors).String()
		}
		if c.digest == file.SHA256[:len(c.digest)] {
			c.useEncoded(encoded, file.Path)
		}
		s.files[file.Path] = c
	}
	// The manifest cannot list itself, but checking a release needs it.
	raw, err := fs.ReadFile(dist, manifestName)
	if err != nil {
		return fmt.Errorf("webconsole: %w", err)
	}
	s.files[manifestName] = newServedFile(raw, "application/json", false)
	return nil
}

func (s *site) addPages(m *manifest, bodies map[string][]byte, maker pageMaker) {
	known := map[string]*servedFile{}
	for _, c := range s.files {
		known[c.digest] = c
	}
	// A page at another depth often equals a file of the build, whose
	// compressed copies then serve it too.
	page := func(file string, to int) *servedFile {
		c := newServedFile(maker.atDepth(bodies[file], depth(file), to), "text/html; charset=utf-8", false)
		if same := known[c.digest]; same != nil {
			return same
		}
		known[c.digest] = c
		return c
	}
	s.pages = make(map[string]*servedFile, 2*len(m.Routes))
	for _, r := range m.Routes {
		s.pages[r.Path] = page(r.Page, depth(r.Path))
		if r.Path != "/" {
			s.pages[r.Path+"/"] = page(r.Page, depth(r.Path+"/"))
			continue
		}
		for to := range deepest + 1 {
			s.missing = append(s.missing, page(r.Page, to))
		}
	}
}

// ServeHTTP finds the exact file, else the page of a route, else an error:
// the console's own error page for what looks like a page, plain text for what
// looks like a file, so that a missing script is never answered with HTML.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setAll(w.Header(), s.headers)
	if _, is := belowAPI(r.URL.Path, "/api"); is && !s.hasServers {
		refuse(w, true, http.StatusInternalServerError, grpcInternal, noAPI)
		return
	}
	if !readOnly(w, r) {
		return
	}
	if r.URL.Path == "" {
		redirectToFolder(w, r)
		return
	}
	if c := s.files[strings.TrimPrefix(r.URL.Path, "/")]; c != nil {
		c.serve(w, r, http.StatusOK)
		return
	}
	if c := s.pages[r.URL.Path]; c != nil && !hidesSlash(r.URL) {
		c.serve(w, r, http.StatusOK)
		return
	}
	if path := unstripped(r); path != "" {
		plainText(w, http.StatusNotFound, notFound(toStrip(path)))
		return
	}
	if isWithoutSlash(r.URL.Path) {
		plainText(w, http.StatusNotFound, notFound(slashStripped))
		return
	}
	if at := depth(r.URL.Path); at <= deepest && looksLikePage(r.URL) {
		s.missing[at].serve(w, r, http.StatusNotFound)
		return
	}
	plainText(w, http.StatusNotFound, "404 page not found")
}

func readOnly(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	plainText(w, http.StatusMethodNotAllowed, "405 method not allowed")
	return false
}

// looksLikePage is false for names with an extension and for the assets folder.
func looksLikePage(u *url.URL) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	return path.Ext(u.Path) == "" && first != "assets" && !hidesSlash(u)
}

// hidesSlash finds %2F, which a browser does not count as a folder: a page
// there would look for its scripts at the wrong depth.
func hidesSlash(u *url.URL) bool {
	return strings.Count(u.EscapedPath(), "/") != strings.Count(u.Path, "/")
}

// redirectToFolder adds the slash that http.StripPrefix removes; relative
// addresses in the page need it. The target is relative too, since the mount
// point is known only to the caller.
func redirectToFolder(w http.ResponseWriter, r *http.Request) {
	asked, err := url.ParseRequestURI(r.RequestURI)
	if err != nil || path.Base(asked.Path) == "/" || path.Base(asked.Path) == "." {
		plainText(w, http.StatusNotFound, "404 page not found")
		return
	}
	if strings.HasSuffix(asked.Path, "/") {
		plainText(w, http.StatusNotFound, notFound(slashStripped))
		return
	}
	target := url.URL{Path: "./" + path.Base(asked.Path) + "/", RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", target.String())
	plainText(w, http.StatusTemporaryRedirect, "see "+target.String())
}
