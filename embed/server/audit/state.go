package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"immudb-webconsole/embed/verify"
)

// point is a transaction with its hash, in the form that all files here have.
type point struct {
	TxID   uint64 `json:"txId,string"`
	TxHash []byte `json:"txHash"`
}

func pointOf(state verify.State) point { return point{state.TxID, bytes.Clone(state.TxHash[:])} }

func (p point) state() verify.State {
	return verify.State{TxID: p.TxID, TxHash: [32]byte(p.TxHash)}
}

func (p point) isSame(other point) bool {
	return p.TxID == other.TxID && bytes.Equal(p.TxHash, other.TxHash)
}

// read counts what was read of a history.
type read struct {
	Transactions uint64 `json:"transactions,string"`
	Entries      uint64 `json:"entries,string"`
	// Values were seen and have the proven hash. Withheld are all others where
	// values were asked for: expired, deleted by a truncation, of documents.
	Values   uint64 `json:"values,string"`
	Withheld uint64 `json:"withheld,string"`
	// Unlisted transactions have more entries than an answer holds. Their headers
	// are proven.
	Unlisted uint64 `json:"unlisted,string"`
	// Bytes of the answers, as they came.
	Bytes uint64 `json:"bytes,string"`
}

// kept is what an auditor knows of a database.
type kept struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Server   string `json:"server"` // its name; "" where there is one server
	UUID     string `json:"uuid"`   // that the server gave at first contact
	Database string `json:"database"`
	// Trusted is never moved back.
	Trusted      point     `json:"trusted"`
	FirstContact point     `json:"firstContact"`
	FirstAt      time.Time `json:"firstAt"`
	// ProvenAt is when the server last stated Trusted, or proved it.
	ProvenAt time.Time `json:"provenAt"`
	// Walk went through the history from transaction 1, at most to Trusted.
	Walk *verify.Walk `json:"walk"`
	Read read         `json:"read"`
}

const (
	keptFormat  = "immudb webconsole auditor state"
	keptVersion = 1
)

// sealed is the form of a state file. The checksum has no key: it shows damage,
// not intent.
type sealed struct {
	Checksum string          `json:"checksum"`
	Kept     json.RawMessage `json:"kept"`
}

func checksum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (k *kept) seal() ([]byte, error) {
	text, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	whole, err := json.Marshal(sealed{checksum(text), text})
	return append(whole, '\n'), err
}

// errDamaged is about a file of ours whose content is not what was written.
var errDamaged = errors.New("is damaged")

func unseal(text []byte) (*kept, error) {
	var outer sealed
	if err := json.Unmarshal(text, &outer); err != nil {
		return nil, errDamaged
	}
	if outer.Checksum != checksum(outer.Kept) {
		return nil, errDamaged
	}
	k := &kept{}
	decoder := json.NewDecoder(bytes.NewReader(outer.Kept))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(k); err != nil {
		return nil, errDamaged
	}
	switch {
	case k.Format != keptFormat || k.Version != keptVersion:
		return nil, fmt.Errorf("is of another version of this program: %q %d", k.Format, k.Version)
	case len(k.Trusted.TxHash) != sha256.Size || len(k.FirstContact.TxHash) != sha256.Size || k.Walk == nil:
		return nil, errDamaged
	}
	// What follows the record is no part of it, and nothing that was written.
	if whole, err := k.seal(); err != nil || !bytes.Equal(whole, text) {
		return nil, errDamaged
	}
	return k, nil
}

func (f *folder) stateFile(server, database string) string {
	return f.path(statesDir, server, database+".json")
}

// load returns nil where nothing is kept.
func (f *folder) load(server, database string) (*kept, error) {
	path := f.stateFile(server, database)
	text, err := f.read(path)
	if err != nil || text == nil {
		return nil, err
	}
	k, err := unseal(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	if k.Server != server || k.Database != database {
		return nil, fmt.Errorf("%s %w: it is of another database", path, errDamaged)
	}
	return k, nil
}

// save keeps what is known, unless the file knows more. It is called under the
// lock of the folder.
func (f *folder) save(k *kept) error {
	before, err := f.load(k.Server, k.Database)
	if err != nil {
		return err
	}
	if before != nil {
		was, is := before.Trusted, k.Trusted
		if is.TxID < was.TxID || (is.TxID == was.TxID && !is.isSame(was)) || k.Walk.At().TxID < before.Walk.At().TxID {
			return fmt.Errorf("%s is at transaction %d and does not go back to %d",
				f.stateFile(k.Server, k.Database), was.TxID, is.TxID)
		}
	}
	text, err := k.seal()
	if err != nil {
		return err
	}
	return f.writeWhole(f.stateFile(k.Server, k.Database), text)
}

// databases returns those that something is kept of.
func (f *folder) databases(server string) ([]string, error) {
	files, err := os.ReadDir(f.path(statesDir, server))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		if name, isState := strings.CutSuffix(file.Name(), ".json"); isState && !file.IsDir() {
			names = append(names, name)
		}
	}
	return names, nil
}

func inBase64(hash []byte) string { return base64.StdEncoding.EncodeToString(hash) }
