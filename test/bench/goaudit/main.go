// Command goaudit does in Go what the deep audit of the console does in the browser, as the floor
// of its benchmark: pages of transactions by TxScan over gRPC, each checked with immudb's own
// embedded/htree and embedded/ahtree. With -fill it makes a database of so many transactions instead,
// with -load it inserts the rows of a file.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/codenotary/immudb/embedded/ahtree"
	"github.com/codenotary/immudb/embedded/htree"
	"github.com/codenotary/immudb/embedded/store"
	"github.com/codenotary/immudb/pkg/api/schema"
	immudb "github.com/codenotary/immudb/pkg/client"
)

const pageSize = 1000

type result struct {
	Transactions uint64  `json:"transactions"`
	Seconds      float64 `json:"seconds"`
	HeapBytes    uint64  `json:"heapBytes"`
}

func main() {
	port := flag.Int("port", 3322, "gRPC port of the server")
	database := flag.String("database", "defaultdb", "database to audit")
	values := flag.Bool("values", true, "read the values, too")
	dir := flag.String("dir", "", "where to make a database")
	var wanted history
	flag.IntVar(&wanted.transactions, "fill", 0, "make a database of so many transactions below -dir")
	flag.IntVar(&wanted.revisions, "revisions", 0, "with so many revisions of a row, a key and a document")
	flag.IntVar(&wanted.wide, "wide", 0, "and a transaction of so many entries")
	file := flag.String("load", "", "insert the rows of this CSV file instead of an audit")
	table := flag.String("table", "loaded", "into this new table")
	rowsEach := flag.Int("each", 1024, "so many in each transaction")
	rest := flag.String("rest", "", "over this address of the REST interface instead of gRPC")
	token := flag.String("token", "", "with this token for it")
	flag.Parse()
	ctx := context.Background()
	if wanted.transactions > 0 {
		must(fill(ctx, *dir, wanted))
		return
	}
	if *rest != "" {
		must(load(overREST(*rest, *token), *file, *table, *rowsEach))
		return
	}
	options := immudb.DefaultOptions().WithPort(*port).WithDir(temporary())
	client := immudb.NewClient().WithOptions(options)
	must(client.OpenSession(ctx, []byte("immudb"), []byte("immudb"), *database))
	defer client.CloseSession(ctx)
	if *file != "" {
		must(load(overGRPC(ctx, client), *file, *table, *rowsEach))
		return
	}
	found, err := audit(ctx, client, *values)
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(found))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func temporary() string {
	dir, err := os.MkdirTemp("", "goaudit-")
	must(err)
	return dir
}

// walk is how far the history was checked.
type walk struct {
	id   uint64
	alh  [sha256.Size]byte
	tree *ahtree.AHtree
}

func audit(ctx context.Context, client immudb.ImmuClient, values bool) (*result, error) {
	state, err := client.CurrentState(ctx)
	if err != nil {
		return nil, err
	}
	dir := temporary()
	defer os.RemoveAll(dir)
	tree, err := ahtree.Open(filepath.Join(dir, "tree"), ahtree.DefaultOptions().WithSyncThld(1<<20))
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	started := time.Now()
	at := &walk{alh: sha256.Sum256(nil), tree: tree}
	for at.id < state.TxId {
		request := &schema.TxScanRequest{InitialTx: at.id + 1, Limit: pageSize}
		if values {
			request.EntriesSpec = rawValues()
		}
		page, err := client.TxScan(ctx, request)
		if err != nil {
			return nil, err
		}
		if len(page.Txs) == 0 {
			return nil, errors.New("the history is too short")
		}
		for _, tx := range page.Txs {
			if at.id == state.TxId {
				break
			}
			if err := at.take(tx); err != nil {
				return nil, fmt.Errorf("transaction %d: %w", at.id+1, err)
			}
		}
	}
	if at.alh != schema.DigestFromProto(state.TxHash) {
		return nil, errors.New("the history ends elsewhere")
	}
	seconds := time.Since(started).Seconds()
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return &result{Transactions: at.id, Seconds: seconds, HeapBytes: memory.HeapAlloc}, nil
}

func rawValues() *schema.EntriesSpec {
	raw := &schema.EntryTypeSpec{Action: schema.EntryTypeAction_RAW_VALUE}
	return &schema.EntriesSpec{KvEntriesSpec: raw, ZEntriesSpec: raw, SqlEntriesSpec: raw}
}

// take checks the next transaction, as src/proof/kernel/audit.ts does.
func (w *walk) take(tx *schema.Tx) error {
	header := schema.TxHeaderFromProto(tx.Header)
	if header.ID != w.id+1 || header.PrevAlh != w.alh || header.BlTxID >= header.ID {
		return errors.New("it does not follow")
	}
	if header.BlTxID > 0 {
		root, err := w.tree.RootAt(header.BlTxID)
		if err != nil {
			return err
		}
		if root != header.BlRoot {
			return errors.New("it has another tree")
		}
	}
	if err := checkEntries(header, tx.Entries); err != nil {
		return err
	}
	w.id, w.alh = header.ID, header.Alh()
	_, _, err := w.tree.Append(w.alh[:])
	return err
}

func checkEntries(header *store.TxHeader, entries []*schema.TxEntry) error {
	digestOf, err := header.TxEntryDigest()
	if err != nil {
		return err
	}
	if len(entries) != header.NEntries {
		return errors.New("it lacks entries")
	}
	digests := make([][sha256.Size]byte, len(entries))
	for i, entry := range entries {
		hash := schema.DigestFromProto(entry.HValue)
		if len(entry.Value) > 0 && sha256.Sum256(entry.Value) != hash {
			return errors.New("it has another value")
		}
		metadata := schema.KVMetadataFromProto(entry.Metadata)
		digests[i], err = digestOf(store.NewTxEntry(entry.Key, metadata, int(entry.VLen), hash, 0))
		if err != nil {
			return err
		}
	}
	tree, err := htree.New(len(digests))
	if err != nil {
		return err
	}
	if err := tree.BuildWith(digests); err != nil {
		return err
	}
	if tree.Root() != header.Eh {
		return errors.New("it has other entries")
	}
	return nil
}
