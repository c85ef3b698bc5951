package webconsole

import (
	"net/http"
	"strings"
)

// TokenHeader holds the token of a call, in place of “Authorization: Bearer …”.
// A proxy in front of the console that asks for a password of its own (Basic)
// needs Authorization for that: a token there would take its place, and the
// browser would ask for the password again and again.
//
// In an answer of the API it is "taken" when the call had the header, and
// "known" when it had none. A caller that sent it and reads "known" learns that
// something in between drops it.
const TokenHeader = "Webconsole-Token"

// takeToken puts a token of our own header where the server behind looks for it.
// A password of a proxy in front is none of that server's business, nor of its
// log.
func takeToken(r *http.Request, w http.ResponseWriter) {
	token := r.Header.Get(TokenHeader)
	r.Header.Del(TokenHeader)
	switch {
	case token != "":
		w.Header().Set(TokenHeader, "taken")
		r.Header.Set("Authorization", "Bearer "+token)
		return
	case isPassword(r.Header.Get("Authorization")):
		r.Header.Del("Authorization")
	}
	w.Header().Set(TokenHeader, "known")
}

func isPassword(authorization string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(authorization), " ")
	return strings.EqualFold(scheme, "Basic") || strings.EqualFold(scheme, "Digest")
}
