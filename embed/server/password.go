package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/codenotary/immudb/pkg/auth"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/emptypb"
)

// warnAboutLogin warns early about two mistakes: the given password is not the
// one in use, or other machines can reach a server with the default password.
// Only a login shows either for certain, so it tries one and logs out again.
func (db *database) warnAboutLogin(ctx context.Context, s settings, address net.Addr, notes io.Writer) {
	isPublic := !isLoopback(address)
	if !s.auth {
		if isPublic {
			fmt.Fprintln(notes, "Warning: login is off and other machines can reach this address."+
				" Anyone there can read and write.")
		}
		return
	}
	if s.adminPassword != "" && db.refusesPassword(ctx, s.adminPassword) {
		fmt.Fprintf(notes, "Warning: the password from %s was not used. The data directory %s is not new,"+
			" and its user immudb keeps the password it has. Change it in the console.\n", s.passwordFrom, s.dir)
	}
	if isPublic && db.acceptsPassword(ctx, auth.SysAdminPassword) {
		fmt.Fprintln(notes, "Warning: user immudb has the default password and other machines can reach this address."+
			" Change it in the console.")
	}
}

func isLoopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func (db *database) acceptsPassword(ctx context.Context, password string) bool {
	return db.tryLogin(ctx, password) == nil
}

// refusesPassword is false when the login fails for another reason, which says
// nothing about the password.
func (db *database) refusesPassword(ctx context.Context, password string) bool {
	plain, err := auth.DecodeBase64Password(password)
	if err != nil {
		return false
	}
	err = db.tryLogin(ctx, plain)
	return err != nil && strings.Contains(err.Error(), "invalid user name or password")
}

func (db *database) tryLogin(ctx context.Context, password string) error {
	client := schema.NewImmuServiceClient(db.connection)
	login, err := client.Login(ctx, &schema.LoginRequest{User: []byte(auth.SysAdminUsername), Password: []byte(password)})
	if err != nil {
		return err
	}
	_, err = client.Logout(metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+login.Token), &emptypb.Empty{})
	if err != nil {
		db.log.Warningf("ending the login that tried the password: %v", err)
	}
	return nil
}
