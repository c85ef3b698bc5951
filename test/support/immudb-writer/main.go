// Command immudb-writer fills a running immudb by the Go client of its own version, so that tests
// meet data as applications of that time wrote it. It is built anew for each version and uses only
// what the clients of 1.3.2 to 1.11.1 have in common; what it writes is listed in
// test/support/old-data.ts.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/codenotary/immudb/pkg/api/schema"
	immudb "github.com/codenotary/immudb/pkg/client"
)

const (
	readOnly  = 1
	readWrite = 2
)

// Each text is a request and so a transaction.
var statements = []string{
	`CREATE TABLE customers (
		id INTEGER,
		name VARCHAR[60],
		active BOOLEAN,
		photo BLOB[16],
		seen TIMESTAMP,
		PRIMARY KEY id
	)`,
	`CREATE INDEX ON customers (name)`,
	`INSERT INTO customers (id, name, active, photo, seen) VALUES
		(1, 'Ada', true, x'CAFE', CAST('2022-10-01 12:30:00' AS TIMESTAMP)),
		(2, 'Bert', false, NULL, NULL),
		(3, 'Cleo', true, x'00FF', NULL),
		(4, 'Dora', NULL, NULL, NULL)`,
	`UPDATE customers SET name = 'Bertram' WHERE id = 2`,
	`UPSERT INTO customers (id, name, active) VALUES (3, 'Cleopatra', false)`,
	`CREATE TABLE lines (
		code VARCHAR[20],
		line INTEGER,
		amount INTEGER,
		PRIMARY KEY (code, line)
	)`,
	`INSERT INTO lines (code, line, amount) VALUES ('A-1', 1, 10), ('A-1', 2, 20), ('B-7', 1, -5)`,
}

// Where there is a DELETE, which not every upgrade survives.
var deletions = []string{
	`DELETE FROM customers WHERE id = 4`,
	`DELETE FROM lines WHERE code = 'B-7' AND line = 1`,
}

func main() {
	port := flag.Int("port", 3322, "gRPC port of the server")
	keys := flag.Int("keys", 30, "so many plain keys")
	deletes := flag.Bool("deletes", true, "delete rows")
	flag.Parse()
	dir, err := os.MkdirTemp("", "immudb-writer")
	if err != nil {
		log.Fatal(err)
	}
	err = write(context.Background(), server{*port, dir}, *keys, *deletes)
	os.RemoveAll(dir)
	if err != nil {
		log.Fatal(err)
	}
}

// server is where it writes, and a folder in which the client keeps states.
type server struct {
	port int
	dir  string
}

func write(ctx context.Context, at server, keys int, deletes bool) error {
	first, err := at.open(ctx, "defaultdb")
	if err != nil {
		return err
	}
	defer first.CloseSession(ctx)
	if _, err := first.CreateDatabaseV2(ctx, "archive", &schema.DatabaseNullableSettings{}); err != nil {
		return err
	}
	users := []struct {
		name       string
		permission uint32
		database   string
	}{{"reader", readOnly, "defaultdb"}, {"writer", readWrite, "archive"}}
	for _, user := range users {
		err := first.CreateUser(ctx, []byte(user.name), []byte("Old-Data-1"), user.permission, user.database)
		if err != nil {
			return fmt.Errorf("user %s: %w", user.name, err)
		}
	}
	if err := writeRows(ctx, first, deletes); err != nil {
		return err
	}
	if err := writeKeys(ctx, first, keys); err != nil {
		return err
	}
	archive, err := at.open(ctx, "archive")
	if err != nil {
		return err
	}
	defer archive.CloseSession(ctx)
	_, err = archive.VerifiedSet(ctx, []byte("archived"), []byte("in 2022"))
	return err
}

func (at server) open(ctx context.Context, database string) (immudb.ImmuClient, error) {
	options := immudb.DefaultOptions().WithAddress("127.0.0.1").WithPort(at.port).WithDir(at.dir)
	client := immudb.NewClient().WithOptions(options)
	return client, client.OpenSession(ctx, []byte("immudb"), []byte("immudb"), database)
}

func writeRows(ctx context.Context, client immudb.ImmuClient, deletes bool) error {
	all := statements
	if deletes {
		all = append(all, deletions...)
	}
	for _, sql := range all {
		if _, err := client.SQLExec(ctx, sql, nil); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func writeKeys(ctx context.Context, client immudb.ImmuClient, keys int) error {
	set := func(key, value string) error {
		_, err := client.Set(ctx, []byte(key), []byte(value))
		return err
	}
	for i := 0; i < keys; i++ {
		if err := set(fmt.Sprintf("plain:%04d", i), fmt.Sprintf("value %d", i)); err != nil {
			return err
		}
	}
	for i := 1; i <= 3; i++ {
		if err := set("revised", fmt.Sprintf("revision %d", i)); err != nil {
			return err
		}
	}
	if err := set("gone", "not for long"); err != nil {
		return err
	}
	if _, err := client.Delete(ctx, &schema.DeleteKeysRequest{Keys: [][]byte{[]byte("gone")}}); err != nil {
		return err
	}
	later := time.Date(2099, time.January, 1, 0, 0, 0, 0, time.UTC)
	if _, err := client.ExpirableSet(ctx, []byte("expires"), []byte("in 2099"), later); err != nil {
		return err
	}
	if _, err := client.SetReference(ctx, []byte("pointer"), []byte("revised")); err != nil {
		return err
	}
	for i, key := range []string{"plain:0000", "plain:0001", "revised"} {
		if _, err := client.ZAdd(ctx, []byte("ranking"), float64(i)+0.5, []byte(key)); err != nil {
			return err
		}
	}
	_, err := client.ExecAll(ctx, &schema.ExecAllRequest{Operations: []*schema.Op{
		{Operation: &schema.Op_Kv{Kv: &schema.KeyValue{Key: []byte("both:1"), Value: []byte("one")}}},
		{Operation: &schema.Op_Kv{Kv: &schema.KeyValue{Key: []byte("both:2"), Value: []byte("two")}}},
	}})
	return err
}
