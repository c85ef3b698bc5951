package webconsole

import (
	_ "embed"
	"net/http"
	"strings"
)

//go:embed notbuilt/index.html
var notBuiltPage []byte

//go:embed notbuilt/notbuilt.css
var notBuiltStyle []byte

const (
	notBuiltStyleName = "notbuilt.css"
	notBuiltPolicy    = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// notBuiltHandler stands in for the console in a program that was compiled
// without a JavaScript build. Status 503 tells monitors what the page tells
// people.
func notBuiltHandler() http.Handler {
	headers := securityHeaders(parsePolicy(notBuiltPolicy))
	style := newServedFile(notBuiltStyle, "text/css; charset=utf-8", false)
	var pages []*servedFile
	for to := range deepest + 1 {
		body := pageMaker{}.atDepth(notBuiltPage, 0, to)
		pages = append(pages, newServedFile(body, "text/html; charset=utf-8", false))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setAll(w.Header(), headers)
		if !readOnly(w, r) {
			return
		}
		at := depth(r.URL.Path)
		switch {
		case strings.TrimPrefix(r.URL.Path, "/") == notBuiltStyleName:
			style.serve(w, r, http.StatusOK)
		case r.URL.Path == "":
			redirectToFolder(w, r)
		case at <= deepest && (looksLikePage(r.URL) || strings.HasSuffix(r.URL.Path, "/index.html")):
			pages[at].serve(w, r, http.StatusServiceUnavailable)
		default:
			plainText(w, http.StatusNotFound, "404 page not found")
		}
	})
}
