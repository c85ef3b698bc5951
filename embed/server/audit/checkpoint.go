package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// NewKey makes the key that signs checkpoints, and returns what others need to
// check them. A key that is there stays.
func NewKey(dir, name string) (verifier string, err error) {
	secret, verifier, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return "", err
	}
	// A name that no verifier takes would only show when a note is checked.
	if _, err := note.NewVerifier(verifier); err != nil || strings.ContainsFunc(name, isOddInName) {
		return "", fmt.Errorf("the name %q does not fit: take one such as audit.example.org/immudb,"+
			" without spaces and plus signs", name)
	}
	f := &folder{dir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	err = f.writeNew(f.path(keyFile), []byte(secret+"\n"))
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already, and others may rely on it; nothing was changed."+
			" To begin with another key, move it away", f.path(keyFile))
	}
	return verifier, err
}

func isOddInName(r rune) bool { return r < '!' || r == 0x7f }

// signer signs checkpoints, and knows its own.
type signer struct {
	note.Signer
	verifier note.Verifier
	key      string // the verifier's key as text
}

// signer returns nil where there is no key.
func (f *folder) signer() (*signer, error) {
	path := f.path(keyFile)
	text, err := f.read(path)
	if err != nil || text == nil {
		return nil, err
	}
	secret := strings.TrimSpace(string(text))
	made, err := note.NewSigner(secret)
	if err != nil {
		// The library's error could quote the key.
		return nil, fmt.Errorf("%s is not a key that webconsole audit --new-key has made", path)
	}
	parts := strings.SplitN(secret, "+", 5)
	seed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, fmt.Errorf("%s is not a key that webconsole audit --new-key has made", path)
	}
	public := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	key, err := note.NewEd25519VerifierKey(made.Name(), public)
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return nil, err
	}
	return &signer{made, verifier, key}, nil
}

// origin is the first line of a checkpoint: which history it is of.
func origin(uuid, database string) string {
	if uuid == "" {
		uuid = "-"
	}
	return "immudb/" + uuid + "/" + database
}

func (s *signer) checkpoint(uuid, database string, at point) ([]byte, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", origin(uuid, database), at.TxID, inBase64(at.TxHash))
	return note.Sign(&note.Note{Text: text}, s.Signer)
}

func (f *folder) checkpointFile(server, database string) string {
	return f.path(checkpointsDir, server, database)
}

// checkpoint is one of ours, as it stands in a file.
type checkpoint struct {
	point
	uuid string // "" where the server gave none
}

// wholeNote is a checkpoint with its signatures, as it stands in a file.
var wholeNote = regexp.MustCompile(`(?m)^immudb/([^/\n]+)/[^\n]*\n(\d{1,20})\n([A-Za-z0-9+/]{43}=)\n\n(?:— [^\n ]+ [A-Za-z0-9+/=]+\n)+`)

// mostNotes is where a new file begins, in some months of a note each minute.
// Tests make it smaller.
var mostNotes int64 = 48 << 20

// longestNote is more than any note has: a torn one is shorter.
const longestNote = 2 << 10

// lastCheckpoint returns the last whole checkpoint of a file, nil without one,
// and how many bytes of the file are whole.
func (f *folder) lastCheckpoint(path string, by *signer) (*checkpoint, int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	from := max(0, about.Size()-2*longestNote)
	tail, err := io.ReadAll(io.NewSectionReader(file, from, about.Size()-from))
	if err != nil {
		return nil, 0, err
	}
	damaged := fmt.Errorf("%s %w: its end is no signed checkpoint", path, errDamaged)
	found := wholeNote.FindAllSubmatchIndex(tail, -1)
	if found == nil {
		if about.Size() > longestNote {
			return nil, 0, damaged
		}
		return nil, 0, nil
	}
	last := found[len(found)-1]
	end := from + int64(last[1])
	if about.Size()-end > longestNote {
		return nil, 0, damaged
	}
	if _, err := note.Open(tail[last[0]:last[1]], note.VerifierList(by.verifier)); err != nil {
		return nil, 0, fmt.Errorf("%s ends with a checkpoint that %s of %s did not sign", path, by.Name(), keyFile)
	}
	tx, err := strconv.ParseUint(string(tail[last[4]:last[5]]), 10, 64)
	if err != nil {
		return nil, 0, damaged
	}
	hash, err := base64.StdEncoding.DecodeString(string(tail[last[6]:last[7]]))
	if err != nil || len(hash) != 32 {
		return nil, 0, damaged
	}
	uuid := string(tail[last[2]:last[3]])
	if uuid == "-" {
		uuid = ""
	}
	return &checkpoint{point{tx, bytes.Clone(hash)}, uuid}, end, nil
}

// addCheckpoint signs where a database is and adds it to its file, unless it is
// there. Without a key it does nothing.
func (f *folder) addCheckpoint(k *kept, by *signer) error {
	if by == nil || k.Trusted.TxID == 0 {
		return nil
	}
	path := f.checkpointFile(k.Server, k.Database)
	last, whole, err := f.lastCheckpoint(path, by)
	if err != nil || (last != nil && last.TxID >= k.Trusted.TxID) {
		return err
	}
	if about, err := os.Stat(path); err == nil && about.Size() > whole {
		if err := f.cut(path, whole); err != nil {
			return err
		}
	}
	if whole > mostNotes {
		// A file above 64 MiB is none that a reader takes.
		if err := f.move(path, fmt.Sprintf("%s.to-%d", path, last.TxID)); err != nil {
			return err
		}
		whole = 0
	}
	signed, err := by.checkpoint(k.UUID, k.Database, k.Trusted)
	if err != nil {
		return err
	}
	if whole > 0 {
		signed = append([]byte("\n"), signed...)
	}
	return f.appendWhole(path, signed)
}
