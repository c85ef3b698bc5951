package webconsole

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestNothingClimbsOutOfTheAPI(t *testing.T) {
	mounted(t, answering("passed on"), func(t *testing.T, handler http.Handler, prefix string) {
		for path, isPassed := range map[string]bool{
			"/api/health":                       true,
			"/api/":                             true,
			"/api/db/get/_-8A_w==":              true,
			"/api/db/get/_-8A_w%3D%3D":          true,
			"/api/db/use/caf%C3%A9":             true,
			"/api/db/use/50%25":                 true,
			"/api/db/use/a..b":                  true,
			"/api/db/use/...":                   true,
			"/api/v2/collection/a?x=../..%2f":   true,
			"/api/%68ealth":                     true,
			"/api/a%2Fb":                        false,
			"/api/a%2fb":                        false,
			"/api/a%5Cb":                        false,
			`/api/a\b`:                          false,
			"/api/..%2f..%2fetc":                false,
			"/api/%2e%2e/metrics":               false,
			"/api/%2E%2e/metrics":               false,
			"/api/.%2e/metrics":                 false,
			"/api/../metrics":                   false,
			"/api/./health":                     false,
			"/api/..":                           false,
			"/api/%252e%252e/metrics":           false,
			"/api/%25252e%25252e/metrics":       false,
			"/api/a%252fb":                      false,
			"/api/a%255cb":                      false,
			"/api/%252e%252e%255c%25zz":         false,
			"/api/%2525252525252525252525":      false,
			"/api%2fhealth":                     false,
			"/api/v2/%2e%2e/%2e%2e/debug/pprof": false,
		} {
			answer := ask(handler, "GET", "http://localhost"+prefix+path)
			if isPassed && answer.Body.String() == "passed on" {
				continue
			}
			var body struct {
				Error, Message string
				Code           int
			}
			if isPassed || answer.Code != 400 || json.Unmarshal(answer.Body.Bytes(), &body) != nil ||
				body.Code != 3 || body.Message != body.Error || !strings.Contains(body.Error, "nothing was executed") {
				t.Errorf("%s: passed on should be %t, answer %d %s", path, isPassed, answer.Code, answer.Body)
			}
		}
	})
}

// immudb's audit log takes the first address it is told for the caller's.
func TestCallersAddressCannotBeForged(t *testing.T) {
	var seen http.Header
	next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
	mounted(t, next, func(t *testing.T, handler http.Handler, prefix string) {
		ask(handler, "GET", "http://localhost"+prefix+"/api/health",
			"grpc-metadata-x-forwarded-for", "10.9.8.7", "Grpc-Metadata-X-Real-Ip", "10.9.8.7",
			"GRPC-METADATA-Tenant", "a", "X-Forwarded-For", "10.1.1.1", "Authorization", "Bearer x")
		want := http.Header{"X-Forwarded-For": {"10.1.1.1"}, "Authorization": {"Bearer x"}}
		if !reflect.DeepEqual(seen, want) {
			t.Errorf("%v is passed on, want %v", seen, want)
		}
	})
}
