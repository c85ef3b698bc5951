package webconsole

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// forwardedUser tells a server elsewhere whom the gateway in front named. What a
// client sends under this name is never passed on.
const forwardedUser = "X-Forwarded-User"

// longestUser is ample for names, mail addresses and distinguished names.
const longestUser = 256

// UserOf is the name in a header that a trusted gateway sets; "" for none. Two
// values mean that the gateway adds its own to what a client sent, so neither
// is believed.
func UserOf(header http.Header, name string) string {
	if name == "" || len(header.Values(name)) != 1 {
		return ""
	}
	user := strings.TrimSpace(header.Get(name))
	isOdd := func(r rune) bool { return !unicode.IsGraphic(r) }
	if len(user) > longestUser || !utf8.ValidString(user) || strings.ContainsFunc(user, isOdd) {
		return ""
	}
	return user
}
