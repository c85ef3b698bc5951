package webconsole

import (
	"net/http"
	"slices"
)

const (
	cacheForever    = "public, max-age=31536000, immutable"
	cacheRevalidate = "no-cache"
)

// securityHeaders are sent with every answer, not with pages only: a script or
// an image can be opened as a document too.
func securityHeaders(p policy) http.Header {
	h := http.Header{}
	h.Set("Content-Security-Policy", p.String())
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "accelerometer=(), camera=(), geolocation=(), "+
		"microphone=(), payment=(), usb=(), clipboard-read=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	// For browsers that do not know frame-ancestors. The old header has no
	// form for "these sites", so then it is left out.
	switch ancestors := p.sources("frame-ancestors"); {
	case slices.Equal(ancestors, []string{"'none'"}):
		h.Set("X-Frame-Options", "DENY")
	case slices.Equal(ancestors, []string{"'self'"}):
		h.Set("X-Frame-Options", "SAMEORIGIN")
	}
	return h
}

func setAll(to, from http.Header) {
	for name, values := range from {
		to[name] = values
	}
}
