//go:build unix

package main

import (
	"fmt"
	"net"

	"github.com/codenotary/immudb/pkg/server"
)

// asImmudb makes the test program behave as a plain immudb on the directory that
// the variable names.
const asImmudb = "WEBCONSOLE_TEST_AS_IMMUDB"

func runImmudb(dir string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	plain := server.DefaultServer()
	plain.WithOptions(server.DefaultOptions().WithDir(dir).WithListener(listener).
		WithWebServer(false).WithMetricsServer(false).WithPgsqlServer(false))
	if err := plain.Initialize(); err != nil {
		return err
	}
	fmt.Println("immudb is ready")
	return plain.Start()
}
