package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codenotary/immudb/embedded/logger"
	"github.com/codenotary/immudb/embedded/store"
)

// entry is one of a transaction, as a version of immudb writes it.
type entry struct {
	key     string
	value   string
	deleted bool
}

const oldRow = "\x02R.\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x80\x80\x00\x00\x00\x00\x00\x00\x04"

// writeDatabase makes a database of a data directory, a transaction for each
// entry; isOld gives it the one index that immudb up to 1.5 has.
func writeDatabase(t *testing.T, dir string, isOld bool, entries ...entry) {
	t.Helper()
	folder := filepath.Join(dir, "defaultdb")
	options := store.DefaultOptions().WithMultiIndexing(!isOld).WithLogger(logger.NewSimpleLogger("", io.Discard))
	data, err := store.Open(folder, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range entries {
		tx, err := data.NewWriteOnlyTx(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		metadata := store.NewKVMetadata()
		if err := metadata.AsDeleted(one.deleted); err != nil {
			t.Fatal(err)
		}
		if err := tx.Set([]byte(one.key), metadata, []byte(one.value)); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Commit(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := data.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRowsThatOldVersionsDeletedAreRefusedBeforeTheyEndTheProgram(t *testing.T) {
	kept := entry{key: oldRow, value: "\x00\x00\x00\x00"}
	gone := entry{key: oldRow, deleted: true}
	tests := []struct {
		name    string
		isOld   bool
		entries []entry
		tx      uint64
	}{
		{"a row that was deleted without its cells", true, []entry{kept, kept, gone}, 3},
		{"rows that are all there", true, []entry{kept, kept}, 0},
		{"a row that was deleted with its cells", true, []entry{{oldRow, "\x00\x00\x00\x00", true}}, 0},
		{"a key that was deleted", true, []entry{{"\x00key", "", true}}, 0},
		{"a database of a later version, which is not searched", false, []entry{gone}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			writeDatabase(t, dir, test.isOld, test.entries...)
			var notes bytes.Buffer
			err := refuseOldDeletions(dir, &notes)
			var found *oldDeletion
			if errors.As(err, &found) {
				if found.tx != test.tx || found.database != "defaultdb" {
					t.Errorf("found transaction %d of %s, want %d", found.tx, found.database, test.tx)
				}
				if !strings.Contains(err.Error(), "Nothing was changed") {
					t.Errorf("says %q", err)
				}
			} else if err != nil || test.tx > 0 {
				t.Errorf("got %v, want transaction %d", err, test.tx)
			}
			if notes.Len() > 0 {
				t.Errorf("noted %q", notes.String())
			}
		})
	}
}

func TestWhatCannotBeSearchedForOldDeletionsIsSaidAndLeftToImmudb(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"index", "tx"} {
		if err := os.MkdirAll(filepath.Join(dir, "broken", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var notes bytes.Buffer
	if err := refuseOldDeletions(dir, &notes); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(notes.String(), "could not be searched") {
		t.Errorf("noted %q", notes.String())
	}
}
