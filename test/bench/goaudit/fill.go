package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/codenotary/immudb/embedded/logger"
	"github.com/codenotary/immudb/embedded/store"
	"github.com/codenotary/immudb/pkg/api/protomodel"
	"github.com/codenotary/immudb/pkg/api/schema"
	"github.com/codenotary/immudb/pkg/database"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/structpb"
)

// history says what a filled database has.
type history struct {
	// transactions in all.
	transactions int
	// revisions of one row, one key and one document, evenly spread; 0 for none of them.
	revisions int
	// wide is the number of entries of one transaction near the start; 0 for none.
	wide int
}

// Writers at once. Transactions that wait are committed together.
const writers = 24

// Every so many transactions are one of SQL, when there are revisions.
const sqlEvery = 100

// fill makes the database “defaultdb” below a directory, as a server with default settings would.
// Nothing is synchronised to the disk before the end, so it is much quicker than a server.
func fill(ctx context.Context, dir string, wanted history) (err error) {
	// With a larger bulk, keys of the first transactions are missing from the index (immudb 1.11.1).
	index := store.DefaultIndexOptions().WithMaxBulkSize(1).WithBulkPreparationTimeout(time.Millisecond)
	stored := store.DefaultOptions().
		WithSynced(false).
		WithFileSize(1 << 29).
		WithMaxValueLen(1 << 25).
		WithIndexOptions(index)
	options := database.DefaultOptions().WithDBRootPath(dir).WithStoreOptions(stored)
	log := logger.NewSimpleLoggerWithLevel("fill", os.Stderr, logger.LogError)
	db, err := database.NewDB("defaultdb", nil, options, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	w := &filler{db: db}
	if wanted.wide > 0 {
		if err := w.setWide(ctx, wanted.wide); err != nil {
			return err
		}
	}
	if wanted.revisions > 0 {
		if err := w.prepare(ctx); err != nil {
			return err
		}
	}
	for revision := 1; revision <= wanted.revisions; revision++ {
		if err := w.revise(ctx, revision); err != nil {
			return err
		}
		if err := w.upTo(ctx, wanted.transactions*revision/wanted.revisions, true); err != nil {
			return err
		}
	}
	if err := w.upTo(ctx, wanted.transactions, false); err != nil {
		return err
	}
	if err := db.WaitForIndexingUpto(ctx, uint64(w.written)); err != nil {
		return err
	}
	return db.FlushIndex(&schema.FlushIndexRequest{Synced: true})
}

type filler struct {
	db database.DB
	// written is the number of transactions so far.
	written  int
	document string
}

func (w *filler) sql(ctx context.Context, text string) error {
	_, _, err := w.db.SQLExec(ctx, nil, &schema.SQLExecRequest{Sql: text})
	if err == nil {
		w.written++
	}
	return err
}

func (w *filler) setWide(ctx context.Context, entries int) error {
	request := &schema.SetRequest{NoWait: true}
	for at := 0; at < entries; at++ {
		request.KVs = append(request.KVs, &schema.KeyValue{
			Key:   []byte(fmt.Sprintf("wide:%04d", at)),
			Value: []byte(fmt.Sprintf(`{"number":%d,"text":"a value as values are"}`, at)),
		})
	}
	w.written++
	_, err := w.db.Set(ctx, request)
	return err
}

func (w *filler) prepare(ctx context.Context) error {
	tables := []string{"ledger", "mixed"}
	for _, name := range tables {
		text := fmt.Sprintf("CREATE TABLE %s (id INTEGER, note VARCHAR[64], PRIMARY KEY id);", name)
		if err := w.sql(ctx, text); err != nil {
			return err
		}
	}
	_, err := w.db.CreateCollection(ctx, "immudb", &protomodel.CreateCollectionRequest{
		Name:   "papers",
		Fields: []*protomodel.Field{{Name: "title", Type: protomodel.FieldType_STRING}},
	})
	if err != nil {
		return err
	}
	w.written++
	inserted, err := w.db.InsertDocuments(ctx, "immudb", &protomodel.InsertDocumentsRequest{
		CollectionName: "papers",
		Documents:      []*structpb.Struct{paper(0)},
	})
	if err != nil {
		return err
	}
	w.written++
	w.document = inserted.DocumentIds[0]
	return nil
}

func paper(revision int) *structpb.Struct {
	return &structpb.Struct{Fields: map[string]*structpb.Value{
		"title": structpb.NewStringValue("paper"),
		"note":  structpb.NewStringValue(fmt.Sprintf("revision %d", revision)),
	}}
}

// revise writes the row, the key and the document; the document was inserted before.
func (w *filler) revise(ctx context.Context, revision int) error {
	text := fmt.Sprintf("UPSERT INTO ledger (id, note) VALUES (1, 'revision %d');", revision)
	if err := w.sql(ctx, text); err != nil {
		return err
	}
	if _, err := w.db.Set(ctx, set("many", fmt.Sprintf("revision %d", revision))); err != nil {
		return err
	}
	w.written++
	if revision == 1 {
		return nil
	}
	changed := paper(revision)
	changed.Fields["_id"] = structpb.NewStringValue(w.document)
	_, err := w.db.ReplaceDocuments(ctx, "immudb", &protomodel.ReplaceDocumentsRequest{
		Query: &protomodel.Query{
			CollectionName: "papers",
			Expressions: []*protomodel.QueryExpression{{
				FieldComparisons: []*protomodel.FieldComparison{{
					Field:    "_id",
					Operator: protomodel.ComparisonOperator_EQ,
					Value:    structpb.NewStringValue(w.document),
				}},
			}},
		},
		Document: changed,
	})
	if err == nil {
		w.written++
	}
	return err
}

func set(key, value string) *schema.SetRequest {
	pair := &schema.KeyValue{Key: []byte(key), Value: []byte(value)}
	return &schema.SetRequest{KVs: []*schema.KeyValue{pair}, NoWait: true}
}

// upTo writes transactions of one key each, or of one row, until there are so many.
func (w *filler) upTo(ctx context.Context, count int, withSQL bool) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	for tx := w.written + 1; tx <= count; tx++ {
		if withSQL && tx%sqlEvery == 0 {
			group.Go(func() error { return w.mixed(within, tx) })
			continue
		}
		group.Go(func() error {
			value := fmt.Sprintf(`{"number":%d,"text":"a value as values are"}`, tx)
			_, err := w.db.Set(within, set(fmt.Sprintf("key:%08d", tx), value))
			return err
		})
	}
	w.written = max(w.written, count)
	return group.Wait()
}

func (w *filler) mixed(ctx context.Context, id int) error {
	text := fmt.Sprintf("UPSERT INTO mixed (id, note) VALUES (%d, 'row %d');", id, id)
	for {
		_, _, err := w.db.SQLExec(ctx, nil, &schema.SQLExecRequest{Sql: text})
		// Another row was written at the same time.
		if !errors.Is(err, store.ErrTxReadConflict) {
			return err
		}
	}
}
