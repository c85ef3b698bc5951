package webconsole_test

import (
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	webconsole "immudb-webconsole/embed"
)

// The console at the root, in front of an immudb that runs elsewhere.
func Example() {
	immudb := startImmudb() // its web port, such as http://127.0.0.1:8080
	defer immudb.Close()

	if !webconsole.Built() {
		log.Print("embed/dist is empty: this program has no console")
	}
	console, err := webconsole.Handler()
	if err != nil {
		log.Fatal(err)
	}
	proxy, err := webconsole.NewProxy(webconsole.Server{URL: immudb.URL, Metrics: immudb.URL})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", console)
	mux.Handle("/api/", proxy.API)
	mux.Handle("/metrics", proxy.Metrics)
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		if err := proxy.Answers(r.Context()); err != nil {
			http.Error(w, "immudb does not answer", http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "well")
	})
	server := &http.Server{
		Addr: "127.0.0.1:8090",
		Handler: webconsole.Guard(mux, webconsole.GuardOptions{
			Hosts:     []string{"db.example"}, // names in addresses that people type
			Outermost: true,
		}),
		ConnContext:       webconsole.ConnContext,
		ReadHeaderTimeout: 10 * time.Second,
	}
	// server.ListenAndServe()
	show(server, "/api/health", "/metrics", "/healthz")
	// Output:
	// /api/health: 200 from immudb
	// /metrics: 200 from immudb
	// /healthz: 200 well
}

// The console below a path, beside pages of the program's own. The guard is
// around everything and gets the whole path of the API.
func Example_belowAPath() {
	immudb := startImmudb()
	defer immudb.Close()

	const prefix = "/ops/immudb"
	console, err := webconsole.Handler()
	if err != nil {
		log.Fatal(err)
	}
	proxy, err := webconsole.NewProxy(webconsole.Server{URL: immudb.URL, Metrics: immudb.URL})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", http.StripPrefix(prefix, console))
	mux.Handle(prefix+"/api/", http.StripPrefix(prefix, proxy.API))
	mux.Handle(prefix+"/metrics", proxy.Metrics)
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "our own page") })
	server := &http.Server{
		Handler:     webconsole.Guard(mux, webconsole.GuardOptions{APIPath: prefix + "/api", Outermost: true}),
		ConnContext: webconsole.ConnContext,
	}
	show(server, "/", "/ops/immudb/api/health", "/ops/immudb/metrics", "/api/health")
	// Output:
	// /: 200 our own page
	// /ops/immudb/api/health: 200 from immudb
	// /ops/immudb/metrics: 200 from immudb
	// /api/health: 404 404 page not found
}

// One console for several servers. The handler passes calls on itself, so the
// mux needs neither /api/ nor /metrics.
func Example_severalServers() {
	eu, us := startImmudb(), startImmudb()
	defer eu.Close()
	defer us.Close()

	servers, err := webconsole.NewServers([]webconsole.Server{{Name: "eu", URL: eu.URL}, {Name: "us", URL: us.URL}})
	if err != nil {
		log.Fatal(err)
	}
	console, err := webconsole.Handler(webconsole.WithServers(servers))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/ops/immudb/", http.StripPrefix("/ops/immudb", console))
	server := &http.Server{
		Handler: webconsole.Guard(mux, webconsole.GuardOptions{
			APIPath: "/ops/immudb/api", Servers: servers, Outermost: true,
		}),
		ConnContext: webconsole.ConnContext,
	}
	show(server, "/ops/immudb/s/eu/api/health", "/ops/immudb/s/us/api/health")
	// Output:
	// /ops/immudb/s/eu/api/health: 200 from immudb
	// /ops/immudb/s/us/api/health: 200 from immudb
}

// A password of the program's own is asked for around the guard, which is not
// Outermost then. Within it, the guard would have removed the password.
func Example_ownPassword() {
	immudb := startImmudb()
	defer immudb.Close()

	console, err := webconsole.Handler()
	if err != nil {
		log.Fatal(err)
	}
	proxy, err := webconsole.NewProxy(webconsole.Server{URL: immudb.URL})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", console)
	mux.Handle("/api/", proxy.API)
	mux.Handle("/metrics", proxy.Metrics)
	guarded := webconsole.Guard(mux, webconsole.GuardOptions{})
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, password, _ := r.BasicAuth()
			if subtle.ConstantTimeCompare([]byte(password), []byte("front door")) != 1 {
				w.Header().Set("WWW-Authenticate", `Basic realm="operators"`)
				http.Error(w, "a password, please", http.StatusUnauthorized)
				return
			}
			guarded.ServeHTTP(w, r)
		}),
		ConnContext: webconsole.ConnContext,
	}
	show(server, "/api/health")
	// Output:
	// /api/health: 401 a password, please
}

// startImmudb stands for a running immudb.
func startImmudb() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "from immudb") }))
}

// show serves on a free port and prints what it answers.
func show(server *http.Server, paths ...string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Close()
	for _, path := range paths {
		answer, err := http.Get("http://" + listener.Addr().String() + path)
		if err != nil {
			log.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		fmt.Printf("%s: %d %s\n", path, answer.StatusCode, strings.TrimSpace(string(text)))
	}
}
