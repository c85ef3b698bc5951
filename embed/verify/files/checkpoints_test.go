package files

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"immudb-webconsole/embed/verify"
)

// The example of FORMAT.md 6.
const (
	exampleNote = `immudb/cq0000000000000000/defaultdb
42
UNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw=

— auditor.example Dt/Rx0+rd2f8lZz5Ev8+SNqaWqW1hOdHR2MHYrDBq17BcZCgPhcA8S0dEcGHyeysfnXlSb2x7WvgNWxlWpjMgxuEOA0=
`
	exampleWitness = "auditor.example+0edfd1c7+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
)

func TestTheExampleIsSigned(t *testing.T) {
	witness, err := ReadWitness(exampleWitness + "\n")
	if err != nil {
		t.Fatal(err)
	}
	points, err := ReadCheckpoints([]byte(exampleNote), []Witness{witness})
	if err != nil {
		t.Fatal(err)
	}
	known := points.Known()
	if len(known) != 1 || known[0].State.TxID != 42 || known[0].Database != "defaultdb" ||
		known[0].Server.ID != "cq0000000000000000" || known[0].By != "witness auditor.example" {
		t.Errorf("%+v", known)
	}
	unsigned, err := ReadCheckpoints([]byte(exampleNote), nil)
	if err != nil || len(unsigned.Known()) != 0 {
		t.Errorf("without the key: %+v %v", unsigned, err)
	}
}

// author signs notes for tests.
type author struct {
	name string
	key  ed25519.PrivateKey
}

func authorOf(name string, seed byte) author {
	return author{name, ed25519.NewKeyFromSeed([]byte(strings.Repeat(string([]byte{seed}), 32)))}
}

func (a author) witness() Witness {
	public := a.key.Public().(ed25519.PublicKey)
	return Witness{a.name, keyHash(a.name, append([]byte{algorithm}, public...)), public}
}

func (a author) line(text string) string {
	b := binary.BigEndian.AppendUint32(nil, a.witness().hash)
	return "— " + a.name + " " + base64.StdEncoding.EncodeToString(append(b, ed25519.Sign(a.key, []byte(text))...)) + "\n"
}

func (a author) note(id int, word string) string {
	hash := sha256.Sum256([]byte(word))
	text := fmt.Sprintf("immudb/s1/db\n%d\n%s\n", id, base64.StdEncoding.EncodeToString(hash[:]))
	return text + "\n" + a.line(text)
}

func TestAFileOfNotes(t *testing.T) {
	a, b := authorOf("a.example", 1), authorOf("b.example", 2)
	both := []Witness{a.witness(), b.witness()}
	one := a.note(1, "x")
	text := one[:strings.Index(one, "\n\n")+1]
	for name, given := range map[string]struct {
		file  string
		notes int
		known int
	}{
		"three":                            {a.note(1, "x") + "\n" + a.note(2, "y") + "\n" + a.note(2, "y"), 3, 3},
		"of an unknown key":                {authorOf("c.example", 3).note(1, "x"), 1, 0},
		"of two keys":                      {one + b.line(text), 1, 1},
		"a key twice":                      {one + a.line(text), 1, 1},
		"an unknown one beside":            {one + "— x.example AAAAAAA=\n", 1, 1},
		"the other hash is not by one key": {a.note(1, "x") + "\n" + b.note(2, "y"), 2, 2},
	} {
		points, err := ReadCheckpoints([]byte(given.file), both)
		if err != nil || points.Torn != nil || len(points.Notes) != given.notes || len(points.Known()) != given.known {
			t.Errorf("%s: %+v %v", name, points, err)
		}
	}
}

func TestAWitnessThatContradictsItself(t *testing.T) {
	a, b := authorOf("a.example", 1), authorOf("b.example", 2)
	both := []Witness{a.witness(), b.witness()}
	for _, file := range []string{a.note(2, "x") + "\n" + a.note(2, "y"), a.note(2, "x") + "\n" + a.note(1, "x")} {
		if points, err := ReadCheckpoints([]byte(file), both); err != nil || points.Torn == nil {
			t.Errorf("%q: %+v %v", file, points, err)
		}
	}
	// Of two keys, or of nobody, it is no contradiction but no file either.
	for _, file := range []string{a.note(2, "x") + "\n" + b.note(2, "y"), b.note(2, "x") + "\n" + a.note(1, "x")} {
		if points, err := ReadCheckpoints([]byte(file), both); err == nil {
			t.Errorf("%q: %+v", file, points)
		}
	}
}

func TestWhatIsNoNoteIsRefused(t *testing.T) {
	a := authorOf("a.example", 1)
	one := a.note(7, "x")
	hash := strings.Split(one, "\n")[2]
	for name, file := range map[string]string{
		"nothing":                "",
		"cut off":                one[:len(one)-1],
		"a line too few":         strings.Replace(one, "7\n", "", 1),
		"a line too many":        strings.Replace(one, "\n\n", "\nextension\n\n", 1),
		"no signature":           one[:strings.Index(one, "—")],
		"CR":                     strings.ReplaceAll(one, "\n", "\r\n"),
		"a tab":                  strings.Replace(one, "/db", "/d\tb", 1),
		"no UTF-8":               strings.Replace(one, "/db", "/d\xffb", 1),
		"another origin":         strings.Replace(one, "immudb/", "other/", 1),
		"no database":            strings.Replace(one, "/db", "/", 1),
		"no server":              strings.Replace(one, "/s1/", "//", 1),
		"a zero in front":        strings.Replace(one, "\n7\n", "\n07\n", 1),
		"transaction 0":          strings.Replace(one, "\n7\n", "\n0\n", 1),
		"a sign":                 strings.Replace(one, "\n7\n", "\n+7\n", 1),
		"more than 63 bits":      strings.Replace(one, "\n7\n", "\n9223372036854775808\n", 1),
		"a short hash":           strings.Replace(one, hash, "AAAA", 1),
		"a hash without its end": strings.Replace(one, hash, strings.TrimSuffix(hash, "="), 1),
		"a dash for a dash":      strings.Replace(one, "—", "-", 1),
		"two spaces":             strings.Replace(one, "— a", "—  a", 1),
		"a bare name":            one + "— b.example\n",
		"a short signature":      one + "— b.example AAAA\n",
		"101 signatures":         one + strings.Repeat("— x.example AAAAAAA=\n", 100),
		"two empty lines":        one + "\n\n" + a.note(8, "x"),
		"an empty line behind":   one + "\n",
		"another database":       one + "\n" + strings.Replace(a.note(8, "x"), "/db", "/other", 1),
	} {
		if points, err := ReadCheckpoints([]byte(file), nil); err == nil {
			t.Errorf("%s: %+v", name, points)
		}
	}
	for name, file := range map[string]string{
		"another number":   strings.Replace(one, "\n7\n", "\n8\n", 1),
		"another database": strings.Replace(one, "/db", "/dc", 1),
		"a short one":      one[:strings.Index(one, "—")] + "— a.example " + base64.StdEncoding.EncodeToString(append(binary.BigEndian.AppendUint32(nil, a.witness().hash), 0)) + "\n",
	} {
		_, err := ReadCheckpoints([]byte(file), []Witness{a.witness()})
		if !errors.Is(err, ErrWrongSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, line := range []string{"", "a", exampleWitness + "x", strings.Replace(exampleWitness, "0edf", "0EDF", 1),
		strings.Replace(exampleWitness, "auditor", "other", 1), strings.Replace(exampleWitness, "+AQ", "+Ag", 1), "a b+0edfd1c7+AQOh",
		strings.Replace(exampleWitness, "+AQ", "+A\rQ", 1), strings.Replace(exampleWitness, "+AQ", "+A\nQ", 1)} {
		if _, err := ReadWitness(line); err == nil {
			t.Errorf("the key %q", line)
		}
	}
}

func FuzzReadCheckpoints(f *testing.F) {
	a := authorOf("a.example", 1)
	f.Add([]byte(exampleNote))
	f.Add([]byte(a.note(1, "x") + "\n" + a.note(2, "y")))
	witness, _ := ReadWitness(exampleWitness)
	f.Fuzz(func(t *testing.T, text []byte) {
		if points, err := ReadCheckpoints(text, []Witness{witness, a.witness()}); err == nil && points.Torn == nil {
			for i := range points.Notes[1:] {
				if points.Notes[i].State.TxID > points.Notes[i+1].State.TxID {
					t.Fatal("ids fall")
				}
			}
		}
	})
}

func TestTrustedStates(t *testing.T) {
	hash := sha256.Sum256(nil)
	digits, text := fmt.Sprintf("%x", hash), base64.StdEncoding.EncodeToString(hash[:])
	block := "immudb trusted state\ndatabase: db\ntransaction: 42\nhash: " + digits + "\nserver: s1\naddress: https://x\n"
	want := Known{Database: "db", State: verify.State{TxID: 42, TxHash: hash}}
	for name, given := range map[string]string{
		"as it is written":                     block,
		"of a mail":                            "Dear Ann,\r\n> Database : db\r\n> transaction: 4 2\r\n> HASH:  " + strings.ToUpper(digits[:32]) + " " + digits[32:] + "\r\nBye",
		"in base64":                            "database:db\ntransaction:42\nhash:" + strings.TrimSuffix(text, "="),
		"as JSON":                              `{"db":"db","txId":"42","txHash":"` + text + `","precommittedTxId":"42"}`,
		"of an auditor":                        `{"checksum":"x","kept":{"database":"db","uuid":"s1","trusted":{"txId":"42","txHash":"` + text + `"}}}`,
		"of immuclient":                        ":" + base64.StdEncoding.EncodeToString(append([]byte("\x0a\x02db\x10\x2a\x1a\x20"), hash[:]...)) + "\n",
		"of immuclient with its name and more": "db:" + base64.StdEncoding.EncodeToString(append(append([]byte("\x0a\x02db\x10\x2a\x1a\x20"), hash[:]...), 0x22, 1, 0)),
	} {
		states, err := ReadStates([]byte(given))
		if err != nil || len(states) != 1 || states[0].Database != want.Database || states[0].State != want.State {
			t.Errorf("%s: %+v %v", name, states, err)
		}
	}
	if two, err := ReadStates([]byte(block + "\n" + block)); err != nil || len(two) != 2 || two[1].Server != (Server{"s1", "https://x"}) {
		t.Errorf("%+v %v", two, err)
	}
	for name, given := range map[string]string{
		"nothing":          "",
		"no hash":          "database: db\ntransaction: 42",
		"a short hash":     "database: db\ntransaction: 42\nhash: " + digits[1:],
		"transaction 0":    "database: db\ntransaction: 0\nhash: " + digits,
		"a zero in front":  "database: db\ntransaction: 042\nhash: " + digits,
		"20 digits":        "database: db\ntransaction: 10000000000000000000\nhash: " + digits,
		"words for digits": "database: db\ntransaction: tx 42\nhash: " + digits,
		"no database":      "database:\ntransaction: 42\nhash: " + digits,
		"one wrong of two": block + "\ndatabase: other\ntransaction: 1\n",
		"no UTF-8":         block + "\xff",
		"JSON of none":     `{"db":"db"}`,
		"a doubled field":  `{"db":"db","db":"db","txId":"42","txHash":"` + text + `"}`,
		"too long":         block + strings.Repeat("x", maxStates),
		"a line in two":    ":Cg\r" + base64.StdEncoding.EncodeToString(append([]byte("\x0a\x02db\x10\x2a\x1a\x20"), hash[:]...))[2:],
		"another name":     "other:" + base64.StdEncoding.EncodeToString(append([]byte("\x0a\x02db\x10\x2a\x1a\x20"), hash[:]...)),
	} {
		if states, err := ReadStates([]byte(given)); err == nil {
			t.Errorf("%s: %+v", name, states)
		}
	}
}

func FuzzReadEvidence(f *testing.F) {
	for _, name := range []string{"get.json", "fork.json", "audit.json", "refused.json"} {
		f.Add(fixture(f, "files/"+name))
	}
	hash := sha256.Sum256(nil)
	given := Given{States: []Known{{Database: "kvd1", State: verify.State{TxID: 14, TxHash: hash}}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := ReadEvidence(text)
		if err != nil {
			return
		}
		// Nothing vouches for a state that was made up here.
		report := e.Check(given)
		if report.Word == Verified || report.Word == InPart {
			t.Fatalf("%s without a state that vouches", report.Word)
		}
		e.Words(&report)
		e.NotShown(&report)
		e.Claims()
		Proven(report.Result)
		ReadStates(text)
	})
}
