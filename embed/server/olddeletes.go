package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/codenotary/immudb/embedded/logger"
	"github.com/codenotary/immudb/embedded/store"
)

// rowPrefix begins the key of every SQL row.
var rowPrefix = []byte("\x02R.\x00\x00\x00\x01")

// oldDeletion is a deleted row as immudb up to 1.5 wrote it: without its cells.
// Later versions read the cells to index the row, and panic where there are none
// (indexEntryMapperFor of embedded/sql/engine.go, up to 1.11.1 at least), at the
// first SQL statement and whoever sends it.
type oldDeletion struct {
	database string
	tx       uint64
}

func (found *oldDeletion) Error() string {
	return fmt.Sprintf("the database %q was written by immudb 1.5 or older, and its transaction %d deletes a row"+
		" in their way. immudb %s in this program would end at the first SQL statement on it. Nothing was changed."+
		" Serve the data with the version that wrote it, and the console in front: webconsole --server URL",
		found.database, found.tx, immudbVersion)
}

// refuseOldDeletions looks for such rows in every database whose folder has the
// index of those versions; others are not opened. It reads keys, no values.
func refuseOldDeletions(dir string, notes io.Writer) error {
	folders, err := filepath.Glob(filepath.Join(dir, "*", "index"))
	if err != nil {
		return err
	}
	for _, index := range folders {
		folder := filepath.Dir(index)
		if _, err := os.Stat(filepath.Join(folder, "tx")); err != nil {
			continue
		}
		tx, err := firstOldDeletion(folder, notes)
		if err != nil {
			// What cannot be opened is for immudb itself to say.
			fmt.Fprintf(notes, "Warning: %s could not be searched for rows that immudb 1.5 or older deleted: %v\n", folder, err)
			continue
		}
		if tx > 0 {
			return &oldDeletion{database: filepath.Base(folder), tx: tx}
		}
	}
	return nil
}

// firstOldDeletion is the number of the first transaction with such a row; 0 for
// none.
func firstOldDeletion(folder string, notes io.Writer) (uint64, error) {
	// With several indexes, none is opened until it is asked for.
	options := store.DefaultOptions().WithReadOnly(true).WithMultiIndexing(true).
		WithLogger(logger.NewSimpleLogger("", io.Discard))
	data, err := store.Open(folder, options)
	if err != nil {
		return 0, err
	}
	defer data.Close()
	tx := store.NewTx(data.MaxTxEntries(), data.MaxKeyLen())
	last := data.LastCommittedTxID()
	said := time.Now()
	for id := uint64(1); id <= last; id++ {
		if err := data.ReadTx(id, true, tx); err != nil {
			return 0, err
		}
		for _, entry := range tx.Entries() {
			if isOldDeletion(entry) {
				return id, nil
			}
		}
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			fmt.Fprintf(notes, "Looking for rows that immudb 1.5 or older deleted in %s: %d of %d transactions\n",
				folder, id, last)
		}
	}
	return 0, nil
}

func isOldDeletion(entry *store.TxEntry) bool {
	metadata := entry.Metadata()
	return metadata != nil && metadata.Deleted() && entry.VLen() == 0 && bytes.HasPrefix(entry.Key(), rowPrefix)
}
