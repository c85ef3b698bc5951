// Package webconsole serves the built browser console for immudb from memory.
//
// It needs nothing but the standard library and the files of an earlier
// JavaScript build. A checkout without that build still compiles: the handler
// then answers with a page that says how to build. Built tells the two apart.
//
// The console calls the REST API relative to its own address, so the mux must
// serve it at /api/ beside the console: that of a server in the same process, or
// a Proxy to one that runs elsewhere. Metrics are at /metrics beside it.
//
//	console, err := webconsole.Handler()
//	proxy, err := webconsole.NewProxy(webconsole.Server{URL: "http://127.0.0.1:8080"})
//	mux.Handle("/", console)
//	mux.Handle("/api/", proxy.API)
//	mux.Handle("/metrics", proxy.Metrics)
//	server := &http.Server{
//		Addr:              "127.0.0.1:8090",
//		Handler:           webconsole.Guard(mux, webconsole.GuardOptions{Outermost: true}),
//		ConnContext:       webconsole.ConnContext,
//		ReadHeaderTimeout: 10 * time.Second, // and no WriteTimeout, which would end long queries
//	}
//	err = server.ListenAndServe()
//
// The guard is around everything that the server answers, pages of your own too,
// because it counts the requests of each connection. People who reach the server
// by a host name need that name in GuardOptions.Hosts. A login of your own goes
// around the guard, never within it, and then Outermost stays false. What wraps
// the http.ResponseWriter around the guard needs an Unwrap method, or the guard
// cannot end a request that stalls.
//
// Below a path, take it off what goes to the console and the API, and tell the
// guard the whole path. Nothing has to be rebuilt:
//
//	mux.Handle("/ops/immudb/", http.StripPrefix("/ops/immudb", console))
//	mux.Handle("/ops/immudb/api/", http.StripPrefix("/ops/immudb", proxy.API))
//	mux.Handle("/ops/immudb/metrics", proxy.Metrics)
//	handler := webconsole.Guard(mux, webconsole.GuardOptions{APIPath: "/ops/immudb/api", Outermost: true})
//
// For several servers, give a list to both. The handler then passes calls on to
// them, and needs no /api/ and no /metrics:
//
//	servers, err := webconsole.NewServers([]webconsole.Server{{Name: "eu", URL: "https://db1:8080"}})
//	console, err := webconsole.Handler(webconsole.WithServers(servers))
//	mux.Handle("/", console)
//	handler := webconsole.Guard(mux, webconsole.GuardOptions{Servers: servers, Outermost: true})
//
// What is forgotten is said: a proxy refuses calls that no guard has checked, and
// the log of the server has a line for a missing guard or ConnContext. Whole
// programs, which the tests run, are in example_test.go.
package webconsole

import (
	"embed"
	"io/fs"
	"net/http"
)

// built holds the console as plain files. The tracked .gitkeep lets a fresh
// clone compile, and "all:" makes the embed pattern see it.
//
//go:embed all:dist
var built embed.FS

// encoded holds compressed copies of the same files, which the plain file
// server of immudb must not carry.
//
//go:embed all:encoded
var encoded embed.FS

// Handler returns the console. It answers GET and HEAD for every path, never
// reads the disk and stores nothing per request. An error means that the
// embedded build is damaged or an option is invalid.
func Handler(options ...Option) (http.Handler, error) {
	var s settings
	for _, option := range options {
		if err := option(&s); err != nil {
			return nil, err
		}
	}
	console, err := consoleOf(s)
	if err != nil {
		return nil, err
	}
	return noticing(console), nil
}

func consoleOf(s settings) (http.Handler, error) {
	if s.servers == nil {
		return pages(s)
	}
	return newServersHandler(s.servers, func(list *serverList) (http.Handler, error) {
		s := s
		s.list = list
		return pages(s)
	})
}

func pages(s settings) (http.Handler, error) {
	if s.devServer != nil {
		return devProxy(s.devServer), nil
	}
	if !Built() {
		return notBuiltHandler(), nil
	}
	return newSite(sub(built, "dist"), sub(encoded, "encoded"), s)
}

// Built reports whether this program was compiled after a JavaScript build. A
// release should check it, because an empty console compiles too.
func Built() bool {
	_, err := fs.Stat(built, "dist/"+manifestName)
	return err == nil
}

// Version is that of the embedded console and its commit, "dev" outside a
// checkout. Both are "" without a JavaScript build.
func Version() (version, commit string) {
	m, err := readManifest(sub(built, "dist"))
	if err != nil {
		return "", ""
	}
	return m.Version, m.Commit
}

// sub cannot fail for the constant names used here.
func sub(files fs.FS, folder string) fs.FS {
	inner, err := fs.Sub(files, folder)
	if err != nil {
		panic(err)
	}
	return inner
}
