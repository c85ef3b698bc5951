// Command webconsole runs the browser console for immudb.
//
// Without --server it holds a whole immudb in the same process, so that one
// binary and one port are enough to look at a database. With --server or
// --servers it puts the console in front of one or more that run elsewhere.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	webconsole "immudb-webconsole/embed"
)

func main() {
	os.Exit(run(withParent(context.Background()), os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit code and stops cleanly
// when ctx ends or the process is asked to.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	settings, err := parseFlags(args, os.Getenv, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = serve(ctx, settings, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintf(stderr, "webconsole: %v\n", err)
		return 1
	}
	return 0
}

// serve listens before it opens the database. A port in use is the most common
// mistake and must not start a database or touch the data directory.
func serve(ctx context.Context, settings settings, stdout, stderr io.Writer) error {
	listener, err := listenConsole(settings.address, settings.port)
	if err != nil {
		return err
	}
	defer listener.Close()

	if ip := net.ParseIP(settings.address); ip != nil && !ip.IsLoopback() && settings.allowHosts == nil {
		fmt.Fprintln(stderr, "Answering to IP addresses and localhost only; --allow-host NAME adds a host name.")
	}
	if settings.replicas > 0 {
		demo, err := startDemoServers(ctx, settings, stdout, stderr)
		if err != nil {
			return err
		}
		defer demo.stop()
		settings.servers = demo.servers
	}
	console, err := newConsole(settings, stderr)
	if err != nil {
		return err
	}
	source, err := openSource(ctx, settings, stderr)
	if err != nil {
		return err
	}
	defer source.close()

	ctx, stop := takeSignals(ctx, settings, stderr)
	defer stop()

	server := newHTTPServer(newHandler(settings, console, source))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	defer shutDown(server)

	base := consoleURL(listener.Addr(), settings)
	if settings.demo && settings.replicas == 0 {
		if err := fillWithDemo(ctx, base, settings.adminPassword, stdout); err != nil {
			return fmt.Errorf("demo data: %w", err)
		}
	}
	fmt.Fprint(stdout, "Console  "+base+"\n"+source.lines)
	return waitForEnd(ctx, failed, source.stopped)
}

// takeSignals ends the context when the process is asked to stop. The database
// installs its own signal handler, which would stop it during running requests;
// this one replaces it. With a file of servers, SIGHUP reads the file again.
func takeSignals(ctx context.Context, s settings, notes io.Writer) (context.Context, func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	signal.Reset(signals...)
	if s.serversFile == "" {
		return signal.NotifyContext(ctx, signals...)
	}
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(reload)
		for {
			select {
			case <-ctx.Done():
				return
			case <-reload:
				reloadServers(s, notes)
			}
		}
	}()
	return ctx, stop
}

// reloadServers keeps the old list when the new one is bad.
func reloadServers(s settings, notes io.Writer) {
	list, err := webconsole.ReadServers(s.serversFile)
	if err == nil {
		err = s.servers.Set(list)
	}
	if err != nil {
		fmt.Fprintf(notes, "The list of servers stays as it was: %v\n", err)
		return
	}
	fmt.Fprintf(notes, "Read %s again:\n%s", s.serversFile, serverLines(s.servers))
}

// newHTTPServer limits the headers of a client and how long it may take to send
// them. There is no limit on answers: a query may run for minutes. The guard
// limits bodies, and how long a client may take nothing of an answer.
func newHTTPServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       webconsole.ConnContext,
	}
}

func waitForEnd(ctx context.Context, failed <-chan error, stopped <-chan error) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	case err := <-stopped:
		return fmt.Errorf("the database stopped: %w", err)
	}
}

// shutDown lets running requests finish, but not for ever.
func shutDown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
}

// consoleURL is the address to open, ending in a slash. A wildcard address
// cannot be opened in every browser, so loopback stands for it.
func consoleURL(address net.Addr, settings settings) string {
	return "http://" + reachable(address) + settings.prefix + "/"
}
