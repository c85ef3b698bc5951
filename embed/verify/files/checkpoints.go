package files

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"immudb-webconsole/embed/verify"
)

// Witness is the public key of an auditor (6).
type Witness struct {
	Name string
	hash uint32
	key  ed25519.PublicKey
}

// algorithm is Ed25519 in keys of signed notes.
const algorithm = 1

// ReadWitness reads name+hash+base64, one line.
func ReadWitness(line string) (Witness, error) {
	wrong := errors.New("This is no public key of an auditor: it has the form name+hash+key.")
	name, rest, _ := strings.Cut(strings.TrimSpace(line), "+")
	digits, text, _ := strings.Cut(rest, "+")
	hash, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 8 || strings.ToLower(digits) != digits || !isKeyName(name) {
		return Witness{}, wrong
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	// Go skips line ends inside of base64.
	if err != nil || strings.ContainsAny(text, "\r\n") || len(b) != 1+ed25519.PublicKeySize || b[0] != algorithm || keyHash(name, b) != uint32(hash) {
		return Witness{}, wrong
	}
	return Witness{name, uint32(hash), b[1:]}, nil
}

func isKeyName(name string) bool {
	if name == "" || !utf8.ValidString(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r == '+' || unicode.IsSpace(r) || unicode.IsControl(r) })
}

// keyHash is of the key with its algorithm.
func keyHash(name string, key []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return binary.BigEndian.Uint32(sum[:])
}

// Checkpoints are the notes of one file (6).
type Checkpoints struct {
	Database, ServerID string
	Notes              []Checkpoint
	// Torn are two notes of one witness that contradict each other; nil: none.
	Torn *[2]Checkpoint
}

// Checkpoint is one note. By are the names of the known keys that signed it; a
// note without one says nothing.
type Checkpoint struct {
	State verify.State
	By    []string

	keys []int // places of the witnesses that By names
}

// ErrWrongSignature is a signature of a known key that does not verify.
var ErrWrongSignature = errors.New("wrong signature")

const notePrefix = "immudb/"

// IsCheckpoints says whether a text begins as checkpoints do.
func IsCheckpoints(text []byte) bool { return bytes.HasPrefix(text, []byte(notePrefix)) }

// ReadCheckpoints reads a file of them and checks who signed (6). An error names
// the note.
func ReadCheckpoints(text []byte, witnesses []Witness) (*Checkpoints, error) {
	c := &Checkpoints{}
	for _, b := range text {
		if b < 0x20 && b != '\n' {
			return nil, errors.New("The file has a control character.")
		}
	}
	if !utf8.Valid(text) {
		return nil, errors.New("The text is not UTF-8.")
	}
	for n := 1; len(text) > 0; n++ {
		note, rest, err := cutNote(text)
		if err == nil {
			err = c.read(note, witnesses)
		}
		if err != nil {
			return nil, fmt.Errorf("Note %d: %w", n, err)
		}
		if c.Torn != nil {
			return c, nil
		}
		text = rest
	}
	if len(c.Notes) == 0 {
		return nil, errors.New("The file holds no checkpoint.")
	}
	return c, nil
}

type note struct {
	text  []byte // what is signed: three lines
	lines [3]string
	signs []string
}

// cutNote takes the first note of a text, and the empty line behind it.
func cutNote(text []byte) (n note, rest []byte, err error) {
	cutOff := errors.New("it is cut off")
	line := func() (string, bool) {
		one, after, ok := bytes.Cut(rest, []byte("\n"))
		if ok {
			rest = after
		}
		return string(one), ok
	}
	rest = text
	for i := range n.lines {
		var ok bool
		if n.lines[i], ok = line(); !ok {
			return n, nil, cutOff
		}
	}
	n.text = text[:len(text)-len(rest)]
	if empty, ok := line(); !ok || empty != "" {
		return n, nil, errors.New("line 4 is not empty")
	}
	for len(rest) > 0 {
		one, ok := line()
		if !ok {
			return n, nil, cutOff
		}
		if one == "" {
			if len(rest) == 0 {
				return n, nil, cutOff
			}
			break
		}
		if n.signs = append(n.signs, one); len(n.signs) > 100 {
			return n, nil, errors.New("it has more than 100 signatures")
		}
	}
	if len(n.signs) == 0 {
		return n, nil, errors.New("it has no signature")
	}
	return n, rest, nil
}

func (c *Checkpoints) read(n note, witnesses []Witness) error {
	server, database, ok := strings.Cut(strings.TrimPrefix(n.lines[0], notePrefix), "/")
	if !ok || !strings.HasPrefix(n.lines[0], notePrefix) || server == "" || database == "" {
		return errors.New("line 1 names no server and database")
	}
	if server == "-" {
		server = ""
	}
	if len(c.Notes) > 0 && (server != c.ServerID || database != c.Database) {
		return errors.New("it is of another server or database than the first")
	}
	c.ServerID, c.Database = server, database
	id, err := strconv.ParseInt(n.lines[1], 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != n.lines[1] {
		return errors.New("line 2 is no transaction")
	}
	hash, err := base64.StdEncoding.Strict().DecodeString(n.lines[2])
	if err != nil || len(hash) != 32 {
		return errors.New("line 3 is no hash")
	}
	found := Checkpoint{State: verify.State{TxID: uint64(id), TxHash: [32]byte(hash)}}
	if found.keys, err = n.signers(witnesses); err != nil {
		return err
	}
	for _, i := range found.keys {
		found.By = append(found.By, witnesses[i].Name)
	}
	if len(c.Notes) > 0 {
		if last := c.Notes[len(c.Notes)-1]; found.State.TxID < last.State.TxID || found.State.TxID == last.State.TxID && found.State != last.State {
			if slices.ContainsFunc(found.keys, func(i int) bool { return slices.Contains(last.keys, i) }) {
				c.Torn = &[2]Checkpoint{last, found}
				return nil
			}
			return errors.New("its transaction does not follow the one before, or has another hash")
		}
	}
	c.Notes = append(c.Notes, found)
	return nil
}

// signers are the places of the known keys that signed a note. A wrong signature of one refuses
// it, whatever other lines say.
func (n *note) signers(witnesses []Witness) (by []int, err error) {
	wrong := errors.New("a signature line has another form")
	for _, line := range n.signs {
		name, text, ok := strings.Cut(strings.TrimPrefix(line, "— "), " ")
		if !ok || !strings.HasPrefix(line, "— ") || !isKeyName(name) {
			return nil, wrong
		}
		b, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || len(b) < 5 {
			return nil, wrong
		}
		for i, w := range witnesses {
			if w.Name != name || w.hash != binary.BigEndian.Uint32(b) || slices.Contains(by, i) {
				continue
			}
			if len(b) != 4+ed25519.SignatureSize || !ed25519.Verify(w.key, n.text, b[4:]) {
				return nil, fmt.Errorf("%w of %s", ErrWrongSignature, Quote(name))
			}
			by = append(by, i)
		}
	}
	return by, nil
}

// Known are the notes that a known key signed, as states to compare with.
func (c *Checkpoints) Known() (list []Known) {
	for _, one := range c.Notes {
		if len(one.By) > 0 {
			list = append(list, Known{Database: c.Database, State: one.State, Server: Server{ID: c.ServerID},
				By: "witness " + strings.Join(one.By, ", ")})
		}
	}
	return list
}
