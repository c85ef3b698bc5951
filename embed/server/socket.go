package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// listenSocket opens a Unix socket for a proxy on this machine. A socket that a
// dead process left behind is replaced; nothing else is.
func listenSocket(path string) (net.Listener, error) {
	if about, err := os.Lstat(path); err == nil {
		if about.Mode().Type() != fs.ModeSocket {
			return nil, fmt.Errorf("--socket: %s is there and is no socket", path)
		}
		if connection, err := net.DialTimeout("unix", path, time.Second); err == nil {
			connection.Close()
			return nil, fmt.Errorf("--socket: another program listens at %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("--socket: %w", err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--socket: %w", err)
	}
	listener, err := net.Listen("unix", path)
	switch {
	case errors.Is(err, syscall.EINVAL):
		// The path has no room in what the system takes.
		return nil, &settingsError{fmt.Errorf("--socket: the path has %d characters, and this system takes about 100", len(path))}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &settingsError{fmt.Errorf("--socket: there is no folder %s", filepath.Dir(path))}
	case err != nil:
		return nil, fmt.Errorf("--socket: %w", err)
	}
	// To connect one needs the right to write. The group is for the proxy.
	if err := os.Chmod(path, 0o660); err != nil {
		listener.Close()
		return nil, fmt.Errorf("--socket: %w", err)
	}
	return listener, nil
}

// namedByProxy gives a request from a Unix socket the address of its caller. Such
// a connection has none, so the audit log would show nothing. What stands last in
// X-Forwarded-For is what the proxy at the other end has seen itself.
func namedByProxy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := *r
		seen.Header = r.Header.Clone()
		seen.RemoteAddr = net.JoinHostPort("127.0.0.1", "0")
		addresses := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		last := strings.TrimSpace(addresses[len(addresses)-1])
		if net.ParseIP(last) != nil {
			seen.RemoteAddr = net.JoinHostPort(last, "0")
			addresses = addresses[:len(addresses)-1]
			seen.Header.Del("X-Forwarded-For")
			if len(addresses) > 0 {
				seen.Header.Set("X-Forwarded-For", strings.Join(addresses, ","))
			}
		}
		next.ServeHTTP(w, &seen)
	})
}
