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
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	webconsole "immudb-webconsole/embed"
)

func main() {
	os.Exit(run(withParent(context.Background()), os.Args[1:], os.Stdout, os.Stderr))
}

// The exit codes, as the usage has them.
const (
	exitEnded    = 0 // ended because it was asked to
	exitFailed   = 1 // could not start, or stopped working
	exitSettings = 2 // a flag, a variable or a file that one names is wrong
)

// run is main without the process: it returns the exit code and stops cleanly
// when ctx ends or the process is asked to.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "verify" {
		return runVerify(args[1:], stdout, stderr)
	}
	if len(args) > 0 && args[0] == "audit" {
		return runAudit(ctx, args[1:], stdout, stderr)
	}
	isProbe := len(args) > 0 && args[0] == "healthcheck"
	parse := parseFlags
	if isProbe {
		args, parse = args[1:], parseListening
	}
	settings, err := parse(args, os.Getenv, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitEnded
	}
	if err != nil {
		fmt.Fprintf(stderr, "webconsole: %v\n", err)
		return exitSettings
	}
	if isProbe {
		return healthcheck(ctx, settings, stdout, stderr)
	}
	log := newLog(settings.logFormat, stderr)
	if log != nil {
		// All that is said then goes one way, and every line has the same form.
		stderr = &logLines{log: log}
		stdout = stderr
	}
	err = serve(ctx, settings, log, stdout, stderr)
	switch {
	case err == nil:
		return exitEnded
	case log != nil:
		log.Error(err.Error())
	default:
		fmt.Fprintf(stderr, "webconsole: %v\n", err)
	}
	var wrong *settingsError
	if errors.As(err, &wrong) {
		return exitSettings
	}
	return exitFailed
}

// settingsError is about a file that a setting names.
type settingsError struct{ error }

// Unwrap is for errors.Is.
func (e *settingsError) Unwrap() error { return e.error }

// endWithin bounds the end: it leaves two of the ten seconds that Docker waits
// for closing the databases.
const (
	endWithin  = 8 * time.Second
	lastMoment = 500 * time.Millisecond
)

// serve listens before it opens the database. A port in use is the most common
// mistake and must not start a database or touch the data directory.
func serve(ctx context.Context, settings settings, log *slog.Logger, stdout, stderr io.Writer) error {
	certificate, err := readCertificate(settings, stderr)
	if err != nil {
		return &settingsError{err}
	}
	plain, err := listenConsole(settings)
	if err != nil {
		return err
	}
	listener := certificate.listener(plain)
	defer listener.Close()

	warnAboutReach(settings, stderr)
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
		return &settingsError{err}
	}
	source, err := openSource(ctx, settings, stderr)
	if err != nil {
		return err
	}
	ctx, stop := takeSignals(ctx, reloads(settings, certificate), isDetached, stderr)
	// After the end: else a second signal would cut it short.
	defer stop()
	health := &health{checks: source.checks, notes: stderr}
	server := newHTTPServer(newFront(settings, newHandler(settings, console, source), health, log), settings, log)
	defer func() {
		health.isStopping.Store(true)
		tellSystemd(daemon.SdNotifyStopping)
		end(endWithin, server, source)
	}()

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()

	if settings.demo && settings.replicas == 0 {
		base := ownURL(settings, reachable(plain.Addr()))
		if err := fillWithDemo(ctx, ownClient(settings), base, settings.adminPassword, stdout); err != nil {
			return fmt.Errorf("demo data: %w", err)
		}
	}
	fmt.Fprint(stdout, "Console  "+consoleURL(plain.Addr(), settings)+"\n"+source.lines)
	tellSystemd(daemon.SdNotifyReady)
	go feedWatchdog(ctx, source.isAlive)
	return waitForEnd(ctx, failed, source.stopped)
}

// warnAboutReach says what the address of the settings does and does not allow.
func warnAboutReach(s settings, notes io.Writer) {
	ip := net.ParseIP(s.address)
	if ip == nil || ip.IsLoopback() {
		return
	}
	if s.allowHosts == nil && s.socket == "" {
		fmt.Fprintln(notes, "Answering to IP addresses and localhost only; --allow-host NAME adds a host name.")
	}
	if s.tlsCert != "" && s.server == "" && s.servers == nil && s.replicas == 0 {
		fmt.Fprintln(notes, "--tls-cert is for the console and its API; the ports for gRPC and metrics stay unencrypted.")
	}
}

// reload is something that SIGHUP reads again.
type reload func(notes io.Writer)

func reloads(s settings, certificate *certificate) []reload {
	var list []reload
	if s.serversFile != "" {
		list = append(list, func(notes io.Writer) { reloadServers(s, notes) })
	}
	if certificate != nil {
		list = append(list, certificate.reload)
	}
	return list
}

// isDetached says that a closed terminal should not end this process, as nohup
// asks. It is looked at before the database takes signals.
var isDetached = signal.Ignored(syscall.SIGHUP)

// takeSignals ends the context when the process is asked to stop. The database
// installs its own signal handler, which would stop it during running requests;
// this one replaces it. Where there is something to read again, SIGHUP does that.
func takeSignals(ctx context.Context, list []reload, isDetached bool, notes io.Writer) (context.Context, func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	signal.Reset(append(ends, syscall.SIGHUP)...)
	switch {
	case list == nil && isDetached:
		signal.Ignore(syscall.SIGHUP)
		return signal.NotifyContext(ctx, ends...)
	// A service is no terminal that could hang up: systemd may ask it to reload
	// although there is nothing to read.
	case list == nil && os.Getenv("NOTIFY_SOCKET") == "":
		return signal.NotifyContext(ctx, append(ends, syscall.SIGHUP)...)
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	ctx, stop := signal.NotifyContext(ctx, ends...)
	go func() {
		defer signal.Stop(again)
		for {
			select {
			case <-ctx.Done():
				return
			case <-again:
				over := isReloading()
				for _, read := range list {
					read(notes)
				}
				over()
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
		fmt.Fprintf(notes, "Warning: the list of servers stays as it was: %v\n", err)
		return
	}
	fmt.Fprintf(notes, "Read %s again:\n%s", s.serversFile, serverLines(s.servers))
}

// newHTTPServer limits the headers of a client and how long it may take to send
// them. There is no limit on answers: a query may run for minutes. The guard
// limits bodies, and how long a client may take nothing of an answer.
func newHTTPServer(handler http.Handler, s settings, log *slog.Logger) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	// The connections of a Unix socket are a proxy's and never a browser's own.
	if s.socket == "" {
		server.ConnContext = webconsole.ConnContext
	}
	if log != nil {
		server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	}
	return server
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

// end closes what takes requests and then the database, with what is left of the
// time. Clients that take no answer may have used it up: writes that came another
// way, over gRPC, have a moment of their own.
func end(within time.Duration, server *http.Server, source *source) {
	ending, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	shutDown(ending, server)
	if ending.Err() != nil {
		ending, cancel = context.WithTimeout(context.Background(), lastMoment)
		defer cancel()
	}
	source.close(ending)
}

// shutDown takes no new request and lets running ones finish, but not for ever.
func shutDown(ctx context.Context, server *http.Server) {
	if server.Shutdown(ctx) != nil {
		server.Close()
	}
}

// consoleURL is the address to open, ending in a slash. A wildcard address
// cannot be opened in every browser, so loopback stands for it. A socket is for
// a proxy, and has no address that a browser could open.
func consoleURL(address net.Addr, s settings) string {
	if s.socket != "" {
		return "unix:" + s.socket + ":" + s.prefix + "/"
	}
	return ownURL(s, reachable(address))
}
