// Package webconsole serves the built browser console for immudb from memory.
//
// It needs nothing but the standard library and the files of an earlier
// JavaScript build. A checkout without that build still compiles: the handler
// then answers with a page that says how to build.
//
//	console, err := webconsole.Handler()
//	mux.Handle("/", console)
//	server := &http.Server{
//		Addr:        addr,
//		Handler:     webconsole.Guard(mux, webconsole.GuardOptions{}),
//		ConnContext: webconsole.ConnContext,
//	}
//	server.ListenAndServe()
//
// The console calls the REST API relative to its own address, so the mux must
// serve it at /api beside the console. To mount both below a path, wrap them
// in http.StripPrefix; nothing has to be rebuilt.
//
// For several servers, give a list to both. The handler then passes calls on to
// them, and needs no /api:
//
//	servers, err := webconsole.NewServers([]webconsole.Server{{Name: "eu", URL: "https://db1:8080"}})
//	console, err := webconsole.Handler(webconsole.WithServers(servers))
//	handler := webconsole.Guard(console, webconsole.GuardOptions{Servers: servers})
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
