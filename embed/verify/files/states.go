package files

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"immudb-webconsole/embed/verify"
)

// maxStates bounds a file of trusted states (5.1).
const maxStates = 1_000_000

// IsStates says whether a text is meant as trusted states: as text, as immuclient
// keeps them, or one state as JSON.
func IsStates(text []byte) bool {
	if _, err := ReadStates(text); err == nil {
		return true
	}
	return bytes.Contains(bytes.ToLower(text[:min(len(text), 4096)]), []byte("immudb trusted state"))
}

// ReadStates reads trusted states: as text (5.1), as immuclient keeps them (5.2),
// or one as JSON with db, txId and txHash, as GET /db/state answers.
func ReadStates(text []byte) ([]Known, error) {
	if len(text) > maxStates {
		return nil, errors.New("A file of trusted states has at most 1,000,000 bytes.")
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, errors.New("The text is not UTF-8.")
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		return readStateJSON(trimmed)
	}
	if known, err := readClientStates(text); err == nil {
		return known, nil
	}
	return readStateText(string(text))
}

func readStateJSON(text []byte) ([]Known, error) {
	if why := verify.WellFormed(text); why != "" {
		return nil, errors.New(why)
	}
	fields := membersOf(text)
	var known Known
	if kept := membersOf(fields["kept"]); kept != nil { // of webconsole audit
		known.Server.ID, _ = textOf(kept["uuid"])
		fields = map[string]json.RawMessage{"db": kept["database"]}
		text = kept["trusted"]
	}
	err := json.Unmarshal(text, &known.State)
	known.Database, _ = textOf(fields["db"])
	if err != nil || known.Database == "" || known.State.TxID == 0 {
		return nil, errors.New("This is no state: it needs db, txId and txHash.")
	}
	return []Known{known}, nil
}

// readStateText is 5.1.
func readStateText(text string) ([]Known, error) {
	var blocks []map[string]string
	for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		name, value, ok := strings.Cut(line, ":")
		name = strings.ToLower(strings.TrimSpace(strings.TrimLeftFunc(name, func(r rune) bool { return r == '>' || unicode.IsSpace(r) })))
		switch name {
		case "database", "transaction", "hash", "server", "address", "recorded":
		default:
			ok = false
		}
		if !ok {
			continue
		}
		// A block begins where a name comes again.
		last := len(blocks) - 1
		if last < 0 {
			blocks, last = append(blocks, map[string]string{}), 0
		} else if _, isAgain := blocks[last][name]; isAgain {
			blocks, last = append(blocks, map[string]string{}), last+1
		}
		blocks[last][name] = strings.TrimSpace(value)
	}
	if len(blocks) == 0 {
		return nil, errors.New("The text holds no trusted state.")
	}
	var list []Known
	for i, block := range blocks {
		bad := func(name string) ([]Known, error) {
			return nil, fmt.Errorf("Trusted state %d has no right “%s”.", i+1, name)
		}
		known := Known{Database: block["database"], Server: Server{block["server"], block["address"]}, Recorded: block["recorded"]}
		if known.Database == "" {
			return bad("database")
		}
		digits := strings.NewReplacer(",", "", " ", "").Replace(block["transaction"])
		id, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || len(digits) > 19 || digits[0] == '0' || digits[0] == '+' {
			return bad("transaction")
		}
		hash, ok := readHash(block["hash"])
		if !ok {
			return bad("hash")
		}
		known.State = verify.State{TxID: id, TxHash: hash}
		list = append(list, known)
	}
	return list, nil
}

// readHash takes 64 hex digits or base64 of 32 bytes.
func readHash(text string) (hash [32]byte, ok bool) {
	text = strings.Join(strings.Fields(text), "")
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		b, err = base64.RawStdEncoding.Strict().DecodeString(strings.TrimSuffix(text, "="))
	}
	if err != nil || len(b) != 32 {
		return hash, false
	}
	return [32]byte(b), true
}

// readClientStates is 5.2.
func readClientStates(text []byte) ([]Known, error) {
	wrong := errors.New("This is no state file of immuclient.")
	var list []Known
	for _, line := range bytes.Split(bytes.TrimRight(text, "\r\n"), []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		at := bytes.LastIndexByte(line, ':')
		if at < 0 {
			return nil, wrong
		}
		b, err := base64.StdEncoding.Strict().DecodeString(string(line[at+1:]))
		if err != nil || len(b) == 0 || bytes.IndexByte(line, '\r') >= 0 { // Go skips one inside of base64
			return nil, wrong
		}
		known, ok := readImmutableState(b)
		if !ok || known.Database == "" || at > 0 && string(line[:at]) != known.Database ||
			known.State.TxID == 0 || known.State.TxID > 1<<53-1 {
			return nil, wrong
		}
		list = append(list, known)
	}
	return list, nil
}

// readImmutableState reads the protobuf message of immudb; the last of a repeated
// field counts.
func readImmutableState(b []byte) (known Known, ok bool) {
	hasHash := false
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > math.MaxInt32 {
			return known, false
		}
		b = b[n:]
		var number uint64
		var part []byte
		switch tag & 7 {
		case 0:
			if number, n = binary.Uvarint(b); n <= 0 {
				return known, false
			}
		case 1:
			n = 8
		case 2:
			size, m := binary.Uvarint(b)
			if m <= 0 || size > uint64(len(b)-m) {
				return known, false
			}
			b, n = b[m:], int(size)
			part = b[:size]
		case 5:
			n = 4
		default:
			return known, false
		}
		if n > len(b) {
			return known, false
		}
		b = b[n:]
		switch tag {
		case 1<<3 | 2:
			known.Database = string(part)
		case 2 << 3:
			known.State.TxID = number
		case 3<<3 | 2:
			if hasHash = len(part) == 32; hasHash {
				known.State.TxHash = [32]byte(part)
			}
		}
	}
	return known, hasHash && utf8.ValidString(known.Database)
}
