package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/codenotary/immudb/pkg/api/protomodel"
	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/grpc-ecosystem/grpc-gateway/runtime"
	"google.golang.org/grpc"
)

// newGateway translates REST calls into gRPC calls to the database, with the
// registrations, the two mount points and the header rule of immudb's own web
// server (pkg/server/webserver.go, v1.11.1).
func newGateway(connection *grpc.ClientConn) (http.Handler, error) {
	table := runtime.NewServeMux(runtime.WithIncomingHeaderMatcher(incomingHeader))
	for _, register := range []func(context.Context, *runtime.ServeMux, *grpc.ClientConn) error{
		schema.RegisterImmuServiceHandler,
		protomodel.RegisterAuthorizationServiceHandler,
		protomodel.RegisterDocumentServiceHandler,
	} {
		if err := register(context.Background(), table, connection); err != nil {
			return nil, err
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", table))
	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", table))
	return mux, nil
}

// incomingHeader lets the session header through beside the usual ones.
func incomingHeader(name string) (string, bool) {
	if strings.EqualFold(name, "sessionid") {
		return "Sessionid", true
	}
	return runtime.DefaultHeaderMatcher(name)
}
