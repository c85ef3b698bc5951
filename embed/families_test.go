package webconsole

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
)

const exposition = `# HELP immudb_uptime_hours hours
# TYPE immudb_uptime_hours counter
immudb_uptime_hours{server_id="a"} 1.5
# HELP go_gc_seconds x
# TYPE go_gc_seconds summary
go_gc_seconds{quantile="0"} 1e-05
immudb_uptime_hours_more 7
immudb_db_size_bytes{db="a{b \"} \n immudb_uptime_hours 9"} 12
immudb_uptime_hours 2`

const wantedExposition = `# HELP immudb_uptime_hours hours
# TYPE immudb_uptime_hours counter
immudb_uptime_hours{server_id="a"} 1.5
immudb_db_size_bytes{db="a{b \"} \n immudb_uptime_hours 9"} 12
immudb_uptime_hours 2
`

func askMetrics(handler http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "localhost"
	for at := 0; at+1 < len(header); at += 2 {
		r.Header.Set(header[at], header[at+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// Only the named families are passed on, however the text arrives.
func TestMetricsOfNamedFamilies(t *testing.T) {
	const names = "?name[]=immudb_uptime_hours&name%5B%5D=immudb_db_size_bytes"
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"at once":      func(r io.Reader) io.Reader { return r },
		"byte by byte": iotest.OneByteReader,
		"in halves":    iotest.HalfReader,
	} {
		t.Run(name, func(t *testing.T) {
			var encodings string
			metrics := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				encodings = r.Header.Get("Accept-Encoding")
				w.Header().Set("Content-Type", "text/plain; version=0.0.4")
				w.Header().Set("Content-Length", "999")
				buffer := make([]byte, 64)
				for text := reader(strings.NewReader(exposition + "\n")); ; {
					n, err := text.Read(buffer)
					w.Write(buffer[:n])
					if err != nil {
						return
					}
				}
			})
			mountedWith(t, GuardOptions{}, metrics, func(t *testing.T, handler http.Handler, prefix string) {
				w := askMetrics(handler, prefix+"/metrics"+names)
				if w.Body.String() != wantedExposition || w.Header().Get("Content-Length") != "" || encodings != "" {
					t.Errorf("%q, %v, asked for %q", w.Body, w.Header(), encodings)
				}
				w = askMetrics(handler, prefix+"/metrics"+names, "Accept-Encoding", "gzip, br")
				unzipped, err := gzip.NewReader(w.Body)
				if err != nil || w.Header().Get("Content-Encoding") != "gzip" {
					t.Fatalf("compressed: %v, %v", err, w.Header())
				}
				if text, err := io.ReadAll(unzipped); string(text) != wantedExposition || err != nil || encodings != "" {
					t.Errorf("compressed: %q, %v, asked for %q", text, err, encodings)
				}
				w = askMetrics(handler, prefix+"/metrics", "Accept-Encoding", "gzip")
				if w.Body.String() != exposition+"\n" || encodings != "gzip" {
					t.Errorf("all: %q, asked for %q", w.Body, encodings)
				}
			})
		})
	}
}

// What is no text of metrics goes through as it is, errors above all.
func TestOtherAnswersAreNotFiltered(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"an error": func(w http.ResponseWriter, _ *http.Request) { plainText(w, http.StatusBadGateway, exposition) },
		"a page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, exposition)
		},
		"a compressed text": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, exposition)
		},
	} {
		w := askMetrics(Guard(answer, GuardOptions{}), "/metrics?name[]=immudb_uptime_hours")
		if strings.TrimSuffix(w.Body.String(), "\n") != exposition {
			t.Errorf("%s: %q", name, w.Body)
		}
	}
}

// A line without an end takes no memory.
func TestLongLinesOfMetrics(t *testing.T) {
	filter := &familyFilter{ResponseWriter: httptest.NewRecorder(), wanted: map[string]bool{"a": true}}
	filter.Header().Set("Content-Type", "text/plain")
	for range 1000 {
		filter.Write([]byte(strings.Repeat("x", 1000)))
	}
	if len(filter.begin) > 2000 {
		t.Errorf("%d bytes are kept", len(filter.begin))
	}
	if many := wantedFamilies(&url.URL{RawQuery: strings.Repeat("name[]=a&", 101)}); many != nil {
		t.Errorf("%d names", len(many))
	}
}
