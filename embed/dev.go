package webconsole

import (
	"net/http"
	"net/http/httputil"
	"net/url"
)

// devProxy passes requests to the development server, which answers with
// unbundled pages and reloads them.
func devProxy(target *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		// The development server reports changes as a stream of events.
		FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			plainText(w, http.StatusBadGateway, "The development server at "+target.Host+
				" does not answer: "+err.Error()+"\nStart it with: npm run dev")
		},
	}
}
