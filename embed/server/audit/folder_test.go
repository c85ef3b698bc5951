package audit

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"immudb-webconsole/embed/verify"
)

func someKept(tx uint64) *kept {
	hash := sha256.Sum256(fmt.Append(nil, tx))
	at := point{tx, hash[:]}
	return &kept{
		Format: keptFormat, Version: keptVersion, UUID: "c0ffee", Database: "defaultdb",
		Trusted: at, FirstContact: at, FirstAt: time.Now(), ProvenAt: time.Now(), Walk: verify.NewWalk(),
	}
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	f := &folder{dir: t.TempDir()}
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStateIsNeverMovedBack(t *testing.T) {
	f := newFolder(t)
	for _, tx := range []uint64{7, 7, 9} {
		// The same transaction has the same hash, so it may be kept again.
		if err := f.save(someKept(tx)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.save(someKept(8)); err == nil || !strings.Contains(err.Error(), "does not go back to 8") {
		t.Errorf("moved back: %v", err)
	}
	other := someKept(9)
	other.Trusted.TxHash = bytes.Repeat([]byte{1}, 32)
	if f.save(other) == nil {
		t.Error("another hash for transaction 9 was kept")
	}
	if k, err := f.load("", "defaultdb"); err != nil || k.Trusted.TxID != 9 {
		t.Errorf("%+v %v", k, err)
	}
}

func TestAChangedByteOfAStateIsNoticed(t *testing.T) {
	f := newFolder(t)
	if err := f.save(someKept(7)); err != nil {
		t.Fatal(err)
	}
	path := f.stateFile("", "defaultdb")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var damages [][]byte
	for i := 0; i < len(text); i += 3 {
		damages = append(damages, append(append(bytes.Clone(text[:i]), text[i]^1), text[i+1:]...), text[:i])
	}
	damages = append(damages, append(bytes.Clone(text), ' '), bytes.Repeat([]byte{0}, len(text)), []byte("{}"), []byte("null"))
	for _, damaged := range damages {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if k, err := f.load("", "defaultdb"); err == nil {
			t.Fatalf("taken: %+v from %s", k, damaged)
		}
	}
}

func TestAFullDiskLeavesTheOldStateOrTheNewOne(t *testing.T) {
	for _, operation := range []string{"create", "write", "sync", "rename"} {
		t.Run(operation, func(t *testing.T) {
			f := newFolder(t)
			if err := f.save(someKept(7)); err != nil {
				t.Fatal(err)
			}
			f.fault = func(op, _ string) error {
				if op == operation {
					return syscall.ENOSPC
				}
				return nil
			}
			if err := f.save(someKept(8)); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("no error: %v", err)
			}
			f.fault = nil
			k, err := f.load("", "defaultdb")
			if err != nil || (k.Trusted.TxID != 7 && k.Trusted.TxID != 8) {
				t.Errorf("%+v %v", k, err)
			}
			if left, _ := filepath.Glob(f.path(statesDir, "*"+unfinished)); left != nil {
				t.Errorf("left: %v", left)
			}
			if err := f.save(someKept(9)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAFindingIsNeverOverwritten(t *testing.T) {
	f := newFolder(t)
	at := time.Now()
	names := map[string]bool{}
	for i := range 3 {
		found := &finding{servers: []string{"eu"}, database: "defaultdb", content: []byte(fmt.Sprintf(`{"what":"%d"}`, i))}
		// The clock stands still, and goes back.
		if err := f.keep(found, at.Add(-time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		names[found.name] = true
	}
	list, err := f.findings()
	if err != nil || len(list) != 3 || len(names) != 3 {
		t.Fatalf("%d findings, %d names: %v", len(list), len(names), err)
	}
	if err := f.writeNew(f.findingFile(list[0].name), []byte("other")); !errors.Is(err, os.ErrExist) {
		t.Errorf("overwritten: %v", err)
	}
	// One that is accepted keeps its number.
	for _, each := range list {
		if _, err := f.accept(each.name, at); err != nil {
			t.Fatal(err)
		}
	}
	again := &finding{servers: []string{"eu"}, database: "defaultdb", content: []byte("{}")}
	if err := f.keep(again, at); err != nil || !strings.Contains(again.name, "-000004-") {
		t.Errorf("%s %v", again.name, err)
	}
}

func TestAnUnfinishedFindingIsNone(t *testing.T) {
	f := newFolder(t)
	for _, name := range []string{"20260101T000000Z-000001--defaultdb.json", "20260101T000000Z-000001--defaultdb.json" + unfinished} {
		content := ""
		if strings.HasSuffix(name, unfinished) {
			content = "half of"
		}
		if err := os.WriteFile(f.path(findingsDir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	if list, err := f.findings(); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
	if left, _ := os.ReadDir(f.path(findingsDir)); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

// The folder may be one that holds other things.
func TestFilesOfOthersInTheFolderStay(t *testing.T) {
	f := &folder{dir: t.TempDir()}
	for _, name := range []string{"notes.tmp", "empty.json", "notes" + unfinished, "below/notes" + unfinished} {
		if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes.tmp", "empty.json", "notes" + unfinished, "below/notes" + unfinished} {
		if _, err := os.Stat(f.path(name)); err != nil {
			t.Error(err)
		}
	}
}

func withKey(t *testing.T, f *folder) (*signer, string) {
	t.Helper()
	key, err := NewKey(f.dir, "audit.example.org/immudb")
	if err != nil {
		t.Fatal(err)
	}
	by, err := f.signer()
	if err != nil {
		t.Fatal(err)
	}
	return by, key
}

func TestCheckpointsAreSignedNotes(t *testing.T) {
	f := newFolder(t)
	by, key := withKey(t, f)
	if by.key != key {
		t.Errorf("the key that is printed is %s and not %s", key, by.key)
	}
	if about, err := os.Stat(f.path(keyFile)); err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", about.Mode(), err)
	}
	for _, tx := range []uint64{0, 5, 5, 9} {
		if err := f.addCheckpoint(someKept(tx), by); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(f.checkpointFile("", "defaultdb"))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.SplitAfter(string(text), "=\n\n")
	var read []string
	for i := 0; i+1 < len(notes); i += 2 {
		read = append(read, notes[i]+strings.TrimSuffix(notes[i+1], "\n"))
	}
	hash := sha256.Sum256([]byte("5"))
	want := "immudb/c0ffee/defaultdb\n5\n" + inBase64(hash[:]) + "\n"
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(text), "\n\nimmudb/")
	opened, err := note.Open([]byte(first+"\n"), note.VerifierList(verifier))
	if err != nil || opened.Text != want {
		t.Errorf("%v %+v in %s", err, opened, text)
	}
	if opened, err := note.Open([]byte("immudb/"+rest), note.VerifierList(verifier)); err != nil || !strings.Contains(opened.Text, "\n9\n") {
		t.Errorf("%v %+v in %s", err, opened, text)
	}
	if strings.Count(string(text), "\nimmudb/")+1 != 2 {
		t.Errorf("not two notes: %s", text)
	}
	// A key that is there stays.
	if _, err := NewKey(f.dir, "other"); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("%v", err)
	}
}

func TestNamesOfKeysThatNoVerifierTakesAreRefused(t *testing.T) {
	for _, name := range []string{"", "a b", "a+b", "a\nb", "a\x01"} {
		dir := t.TempDir()
		if _, err := NewKey(dir, name); err == nil {
			t.Errorf("%q was taken", name)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%q left %v", name, files)
		}
	}
}

// A crash may cut a note at any byte, or leave zeros where it should be.
func TestATornCheckpointIsMended(t *testing.T) {
	f := newFolder(t)
	by, key := withKey(t, f)
	path := f.checkpointFile("", "defaultdb")
	whole := map[int][]byte{}
	for i, tx := range []uint64{5, 9} {
		if err := f.addCheckpoint(someKept(tx), by); err != nil {
			t.Fatal(err)
		}
		whole[i], _ = os.ReadFile(path)
	}
	verifier, _ := note.NewVerifier(key)
	for cut := 0; cut < len(whole[1]); cut += 3 {
		for _, tail := range []string{"", "\x00\x00\x00"} {
			if err := os.WriteFile(path, append(bytes.Clone(whole[1][:cut]), tail...), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := f.addCheckpoint(someKept(12), by); err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			text, _ := os.ReadFile(path)
			count := 0
			for _, each := range strings.Split(string(text), "\n\nimmudb/") {
				each = "immudb/" + strings.TrimSuffix(strings.TrimPrefix(each, "immudb/"), "\n") + "\n"
				if _, err := note.Open([]byte(each), note.VerifierList(verifier)); err != nil {
					t.Fatalf("cut at %d: %v in %q", cut, err, text)
				}
				count++
			}
			if wanted := bytes.Count(whole[1][:cut], []byte("=\n\n—")) + 1; count > wanted+1 {
				t.Fatalf("cut at %d: %d notes", cut, count)
			}
			last, _, err := f.lastCheckpoint(path, by)
			if err != nil || last.TxID != 12 {
				t.Fatalf("cut at %d: %+v %v", cut, last, err)
			}
		}
	}
}

func TestAFileOfCheckpointsStaysReadable(t *testing.T) {
	defer func(before int64) { mostNotes = before }(mostNotes)
	mostNotes = 500
	f := newFolder(t)
	by, _ := withKey(t, f)
	for tx := range uint64(10) {
		if err := f.addCheckpoint(someKept(tx+1), by); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(f.checkpointFile("", "defaultdb") + "*")
	notes := 0
	for _, file := range files {
		text, _ := os.ReadFile(file)
		notes += len(wholeNote.FindAll(text, -1))
	}
	if notes != 10 || len(files) < 3 {
		t.Errorf("%d notes in %v", notes, files)
	}
}

func TestADamagedFileOfCheckpointsIsNotCut(t *testing.T) {
	f := newFolder(t)
	by, _ := withKey(t, f)
	path := f.checkpointFile("", "defaultdb")
	if err := f.addCheckpoint(someKept(5), by); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	for name, damaged := range map[string][]byte{
		"much behind the last": append(bytes.Clone(text), bytes.Repeat([]byte("x"), 3*longestNote)...),
		"another signature":    bytes.Replace(text, []byte("\n5\n"), []byte("\n6\n"), 1),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := f.addCheckpoint(someKept(12), by); err == nil {
				t.Error("it was added to")
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(now, damaged) {
				t.Error("it was changed")
			}
		})
	}
}
