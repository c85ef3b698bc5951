package webconsole

import (
	"net/http"
	"strings"
)

// plainCall is the path of a call below the API as the gateway reads it, such
// as "/db/flushindex". Whatever judges a call by its path judges this one.
//
// grpc-gateway takes what follows the last colon of the last segment for a verb,
// and an empty verb for none: "/db/flushindex:" is executed. Both prefixes, with
// and without /v2, lead to the same calls. The rest makes more paths the same
// than the gateway does, because a server in front of it may be less strict:
// escapes of escapes, case, and slashes that are doubled or at the end.
func plainCall(path string) string {
	for range nesting {
		plain := escapedByte.ReplaceAllStringFunc(path, unescape)
		if plain == path {
			break
		}
		path = plain
	}
	segments := strings.FieldsFunc(strings.ToLower(path), func(r rune) bool { return r == '/' })
	for len(segments) > 0 {
		last := len(segments) - 1
		segments[last], _, _ = strings.Cut(segments[last], ":")
		if segments[last] != "" {
			break
		}
		segments = segments[:last]
	}
	if len(segments) > 0 && segments[0] == "v2" {
		segments = segments[1:]
	}
	if len(segments) == 0 {
		return ""
	}
	return "/" + strings.Join(segments, "/")
}

// withoutForm takes from a call what lets grpc-gateway read it as another one:
// a header that names the method of a form, and the form itself, whose fields
// it would collect without our limits. It reads every other content type, or
// none, as JSON, and so curl's usual one is no reason to refuse a call.
func withoutForm(header http.Header) {
	header.Del("X-Http-Method-Override")
	for _, kind := range header["Content-Type"] {
		if strings.Contains(strings.ToLower(kind), "x-www-form-urlencoded") {
			header.Set("Content-Type", "application/json")
			return
		}
	}
}
