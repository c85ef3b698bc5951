package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// nesting limits how often an address may be encoded before it is refused.
const nesting = 4

var escapedByte = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// mayLeave reports whether an address could lead out of the API if a server
// decodes it once more than we do: it has a dot segment, a backslash or an
// encoded slash at any level of encoding. Keys in addresses are base64 in its
// URL-safe form and need none of these.
func mayLeave(address *url.URL) bool {
	text := address.EscapedPath()
	for range nesting {
		if strings.Contains(text, `\`) || hasDotSegment(text) {
			return true
		}
		plain := escapedByte.ReplaceAllStringFunc(text, unescape)
		if plain == text {
			return false
		}
		if strings.Count(plain, "/") != strings.Count(text, "/") {
			return true
		}
		text = plain
	}
	return true
}

func hasDotSegment(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// unescape cannot fail for what escapedByte matches.
func unescape(escaped string) string {
	plain, _ := url.PathUnescape(escaped)
	return plain
}

// withoutForgedAddress removes the headers that immudb's gateway would hand to
// the database as its own metadata, among them an address that the audit log
// would believe. X-Forwarded-For stays: the gateway appends to it.
func withoutForgedAddress(r *http.Request) *http.Request {
	var header http.Header
	for name := range r.Header {
		if !strings.HasPrefix(name, "Grpc-Metadata-") {
			continue
		}
		if header == nil {
			header = r.Header.Clone()
		}
		header.Del(name)
	}
	if header == nil {
		return r
	}
	cleaned := *r
	cleaned.Header = header
	return &cleaned
}
