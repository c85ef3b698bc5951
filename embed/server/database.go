package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/codenotary/immudb/cmd/version"
	"github.com/codenotary/immudb/embedded/logger"
	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/codenotary/immudb/pkg/server"
	"github.com/codenotary/immudb/pkg/signer"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

// immudbVersion is what /health and /serverinfo answer. immudb's release build
// stamps it through the linker; without that they answer "-". A test compares
// it with go.mod.
const immudbVersion = "1.11.1"

// logRotation is the size at which immudb begins a new log file.
const logRotation = 16 << 20

// database is an immudb in this process, with its gRPC port open to clients
// and to our own gateway.
type database struct {
	dir            string
	server         *server.ImmuServer
	connection     *grpc.ClientConn
	gateway        http.Handler
	log            logger.Logger
	unlock         func()
	grpcAddress    string
	metricsAddress string
	writes         *writeWatch
	started        bool
	stopped        chan error
	released       chan struct{} // closed when the directory is no longer used
}

// startDatabase opens the data directory and returns once the database answers.
func startDatabase(ctx context.Context, s settings, notes io.Writer) (_ *database, err error) {
	if s.signingKey != "" {
		if _, err := signer.NewSigner(s.signingKey); err != nil {
			return nil, &settingsError{fmt.Errorf("--signing-key: %s is no EC P-256 key in PEM form: %w", s.signingKey, err)}
		}
	}
	db := &database{dir: s.dir, stopped: make(chan error, 1), released: make(chan struct{}), unlock: func() {}}
	defer func() {
		if err != nil {
			db.release(ctx)
		}
	}()
	keepFilesPrivate()
	if db.unlock, err = lockDirectory(s.dir); err != nil {
		return nil, err
	}
	if err = refuseHeld(s.dir, notes); err != nil {
		return nil, err
	}
	if err = refuseOldDeletions(s.dir, notes); err != nil {
		return nil, err
	}
	if isOpenToOthers(s.dir) {
		fmt.Fprintf(notes, "Warning: other users of this machine can read the data directory %s."+
			" Close it with: chmod -R o= %s\n", s.dir, s.dir)
	}
	if db.log, err = openLog(s.dir); err != nil {
		return nil, err
	}
	listener, err := listenWish(s.address, s.grpcPort, "gRPC", notes)
	if err != nil {
		return nil, err
	}
	db.grpcAddress = reachable(listener.Addr())
	metrics, err := freeMetricsPort(s, notes)
	if err != nil {
		listener.Close()
		return nil, err
	}
	db.metricsAddress = reachable(metrics)
	if err = db.boot(s, listener, portOf(metrics)); err != nil {
		listener.Close()
		return nil, err
	}
	if err = db.connect(ctx); err != nil {
		return nil, err
	}
	db.warnAboutLogin(ctx, s, listener.Addr(), notes)
	counter, err := newWriteCounter()
	if err != nil {
		return nil, err
	}
	db.writes = &writeWatch{counter: counter}
	go db.writes.run(db.released)
	go watchDirectory(s.dir, db.released, dropDirectory(s.dir, notes))
	return db, nil
}

func (db *database) boot(s settings, grpc net.Listener, metricsPort int) (err error) {
	stampVersion()
	if db.server, err = newServer(s.dir); err != nil {
		return err
	}
	db.server.WithOptions(immudbOptions(s, grpc, metricsPort))
	db.server.WithLogger(db.log)
	if err = db.server.Initialize(); err != nil {
		return fmt.Errorf("immudb does not start: %w (its log is in %s)", err, logDirectory(s.dir))
	}
	db.started = true
	go func() { db.stopped <- db.server.Start() }()
	return nil
}

// newServer keeps immudb's list of databases from writing to our standard
// error. The list takes its logger from there before one can be set, and
// reports at every shutdown that it closes each database twice.
func newServer(dir string) (*server.ImmuServer, error) {
	if err := os.MkdirAll(logDirectory(dir), 0o700); err != nil {
		return nil, err
	}
	name := filepath.Join(logDirectory(dir), "databases.log")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	os.Stderr = file
	return server.DefaultServer(), nil
}

// immudbOptions starts from immudb's own defaults so that limits and answers
// stay those of a stock server (32 MiB messages, 2,500 rows). The JSON log
// format only keeps its banner off our standard output; the logger is ours.
func immudbOptions(s settings, grpc net.Listener, metricsPort int) *server.Options {
	options := server.DefaultOptions().
		WithDir(s.dir).
		WithConfig("").
		WithAddress(bracketed(s.address)).
		WithPort(portOf(grpc.Addr())).
		WithListener(grpc).
		WithMetricsServerPort(metricsPort).
		WithWebServer(false).
		WithSwaggerUIEnabled(false).
		WithAuth(s.auth).
		WithMaintenance(s.maintenance).
		WithSigningKey(s.signingKey).
		WithTokenExpiryTime(s.tokenMinutes).
		WithAuditLog(s.auditLog).
		WithAuditLogEvents(s.auditEvents).
		WithLogFormat(logger.LogFormatJSON)
	if s.adminPassword != "" {
		options.WithAdminPassword(s.adminPassword)
	}
	return options
}

func stampVersion() {
	version.App, version.Version = "immudb", immudbVersion
	server.Version = server.VersionResponse{Component: "immudb", Version: immudbVersion}
}

// freeMetricsPort finds the port but cannot keep it: immudb opens the metrics
// port itself and takes only a number.
func freeMetricsPort(s settings, notes io.Writer) (net.Addr, error) {
	listener, err := listenWish(s.address, s.metricsPort, "metrics", notes)
	if err != nil {
		return nil, err
	}
	return listener.Addr(), listener.Close()
}

func logDirectory(dir string) string { return filepath.Join(dir, server.DefaultOptions().LogDir) }

func openLog(dir string) (logger.Logger, error) {
	return logger.NewLogger(&logger.Options{
		Name:              "immudb",
		Level:             logger.LogLevelFromEnvironment(),
		LogFormat:         logger.LogFormatText,
		LogDir:            logDirectory(dir),
		LogFile:           "immudb.log",
		LogFileTimeFormat: logger.LogFileFormat,
		LogRotationSize:   logRotation,
		LogRotationAge:    24 * time.Hour,
	})
}

// connect opens the gateway's own connection and waits until the database
// answers on it. The limits of the connection are left at gRPC's defaults as
// in immudb: an answer over 4 MiB is refused.
func (db *database) connect(ctx context.Context) error {
	connection, err := grpc.NewClient(db.grpcAddress,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithNoProxy())
	if err != nil {
		return err
	}
	db.connection = connection
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err = schema.NewImmuServiceClient(connection).Health(ctx, &emptypb.Empty{}, grpc.WaitForReady(true))
	if err != nil {
		return fmt.Errorf("immudb does not answer: %w", err)
	}
	if db.gateway, err = newGateway(connection); err != nil {
		return err
	}
	return db.waitForMetrics(ctx)
}

// waitForMetrics returns when the metrics port is open. immudb opens the port
// in the background and only logs a failure.
func (db *database) waitForMetrics(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	for {
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", db.metricsAddress)
		if err == nil {
			return connection.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the metrics port does not open: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (db *database) source() *source {
	hide := showStanding(db.dir, db.writes)
	return &source{
		api:     db.gateway,
		metrics: promhttp.Handler(),
		stopped: db.stopped,
		lines:   databaseLines("http://"+db.metricsAddress+"/metrics", db.grpcAddress),
		checks:  []check{answering("database", db.answers), diskCheck(db.dir), db.writes.check()},
		isAlive: db.answers,
		close: func(ctx context.Context) {
			hide()
			db.release(ctx)
		},
	}
}

// answers asks the database for its health, which needs no login.
func (db *database) answers(ctx context.Context) bool {
	answer, err := schema.NewImmuServiceClient(db.connection).Health(ctx, &emptypb.Empty{})
	return err == nil && answer.Status
}

// release stops what was started, in the reverse order.
func (db *database) release(ctx context.Context) {
	close(db.released)
	if db.connection != nil {
		db.connection.Close()
	}
	if db.started {
		db.stop(ctx)
	}
	if db.log != nil {
		db.log.Close()
	}
	db.unlock()
}

// stop ends a running immudb. When the listener is ours, immudb leaves the gRPC
// server running, so stop ends that first. Stop then waits for Start to return
// and would hang if it already had.
func (db *database) stop(ctx context.Context) {
	select {
	case <-db.stopped:
		return
	default:
	}
	// From here on no call is taken. Those of replicas never end, so only writes are
	// waited for.
	go db.server.GrpcServer.GracefulStop()
	db.awaitWrites(ctx)
	db.server.GrpcServer.Stop()
	if err := db.server.Stop(); err != nil {
		db.log.Errorf("stopping immudb: %v", err)
	}
	<-db.stopped
}

// awaitWrites returns when no write is under way, or with the context.
func (db *database) awaitWrites(ctx context.Context) {
	for db.writes != nil {
		if _, underWay := db.writes.counter.count(); underWay <= 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
