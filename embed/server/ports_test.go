package main

import (
	"bytes"
	"net"
	"strings"
	"testing"
)

func occupied(t *testing.T) int {
	t.Helper()
	listener, err := listen("127.0.0.1", 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return portOf(listener.Addr())
}

func TestTakenConsolePortGivesAdvice(t *testing.T) {
	_, err := listenConsole(settings{address: "127.0.0.1", port: occupied(t)})
	if err == nil || !strings.Contains(err.Error(), "--port 0") {
		t.Errorf("error %v", err)
	}
}

func TestTakenUsualPortIsReplaced(t *testing.T) {
	var notes bytes.Buffer
	taken := occupied(t)
	listener, err := listenWish("127.0.0.1", portWish{number: taken}, "gRPC", &notes)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if portOf(listener.Addr()) == taken || !strings.Contains(notes.String(), "gRPC port") {
		t.Errorf("port %d, note %q", portOf(listener.Addr()), notes.String())
	}
}

func TestTakenWishedPortIsAnError(t *testing.T) {
	var notes bytes.Buffer
	wish := portWish{number: occupied(t), asked: true}
	if listener, err := listenWish("127.0.0.1", wish, "gRPC", &notes); err == nil {
		listener.Close()
		t.Error("another port was taken silently")
	}
}

func TestReachable(t *testing.T) {
	for from, want := range map[string]string{
		"0.0.0.0:80":      "127.0.0.1:80",
		"[::]:80":         "127.0.0.1:80",
		"[::1]:80":        "[::1]:80",
		"192.168.1.20:80": "192.168.1.20:80",
	} {
		address, err := net.ResolveTCPAddr("tcp", from)
		if err != nil {
			t.Fatal(err)
		}
		if got := reachable(address); got != want {
			t.Errorf("%s: %s, want %s", from, got, want)
		}
	}
}
