package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
)

// portWish is a port flag that remembers whether the operator set it. If a
// usual port is in use, a free one replaces it. A port that the operator set is
// never replaced.
type portWish struct {
	number int
	asked  bool
}

// String is part of flag.Value.
func (w *portWish) String() string { return strconv.Itoa(w.number) }

// Set is part of flag.Value.
func (w *portWish) Set(text string) error {
	number, err := strconv.Atoi(text)
	if err != nil || number < 0 || number > 65535 {
		return errors.New("not a port number")
	}
	*w = portWish{number: number, asked: true}
	return nil
}

// listenConsole turns the most common error into advice.
func listenConsole(s settings) (net.Listener, error) {
	if s.socket != "" {
		return listenSocket(s.socket)
	}
	address, port := s.address, s.port
	listener, err := listen(address, port)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d on %s is in use: stop the program that listens there,"+
			" or choose another port with --port (--port 0 takes any free one)", port, address)
	}
	return listener, err
}

// listenWish opens the port for name. If a usual port is in use, it opens a
// free one and says so.
func listenWish(address string, wish portWish, name string, notes io.Writer) (net.Listener, error) {
	listener, err := listen(address, wish.number)
	if err == nil {
		return listener, nil
	}
	if wish.asked || !errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s port: %w", name, err)
	}
	listener, err = listen(address, 0)
	if err != nil {
		return nil, fmt.Errorf("%s port: %w", name, err)
	}
	fmt.Fprintf(notes, "The usual %s port %d is in use, so this server uses %d.\n", name, wish.number, portOf(listener.Addr()))
	return listener, nil
}

func listen(address string, port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
}

func portOf(address net.Addr) int {
	if tcp, ok := address.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}

// bracketed is an address to which ":port" can be appended, as immudb does.
func bracketed(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]"
	}
	return address
}

// reachable is host:port for a client on this machine, because clients cannot
// call a wildcard address.
func reachable(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
