// Package files reads the files that carry proofs and says what they show. It
// was written from src/proof/FORMAT.md; comments cite its sections. What decides
// whether a proof is right is package verify; here is what a file is compared with
// and what the result is called.
package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"time"
	"unicode/utf16"

	"immudb-webconsole/embed/verify"
)

// MaxSize bounds a file (1.1).
const MaxSize = 64 << 20

// Read reads at most MaxSize bytes; more is an error.
func Read(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxSize {
		return nil, errors.New("it is over 64 MiB")
	}
	return text, nil
}

// Evidence is an evidence file, a fork certificate or an audit file (2). What,
// Server, Console, FirstContact and Report are its own words: quoted, never
// stated.
type Evidence struct {
	What, Kind, CheckedAt string
	Server                Server
	Database              string
	Trusted               *verify.State
	PublicKey             string // base64 of the key that was pinned, or ""
	Request, Response     json.RawMessage

	context json.RawMessage // what is used of the context (2.1)
	outcome outcome
	sides   [2]Server // of a fork
	names   [2]string
}

// Server is what a server calls itself and where it was reached.
type Server struct{ ID, Origin string }

type outcome struct {
	verdict, reason  string
	firstUse, signed bool
	facts            json.RawMessage
}

const evidenceFormat = "immudb webconsole evidence"

var kinds = map[string]bool{"state": true, "tx": true, "get": true, "write": true, "row": true,
	"document": true, "audit": true, "fork": true, "none": true, "error": true}

// ReadEvidence reads one (2). An error says which field is wrong.
func ReadEvidence(text []byte) (*Evidence, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // 1.2
	if why := verify.WellFormed(text); why != "" {
		return nil, errors.New(why)
	}
	top := &object{fields: membersOf(bytes.TrimSpace(text))}
	if top.fields == nil {
		return nil, errors.New("The file is no object.")
	}
	if format, _ := textOf(top.fields["format"]); format != evidenceFormat {
		return nil, errors.New("This is no evidence file of the console.")
	}
	if version := top.fields["version"]; !sameNumber(version, 1) {
		return nil, fmt.Errorf("The file has version %s. This program reads version 1.", shorten(string(version)))
	}
	e := &Evidence{What: top.text("what"), Kind: top.text("kind"), CheckedAt: top.moment("checkedAt")}
	if !kinds[e.Kind] {
		top.damaged("kind")
	}
	server := top.object("server")
	e.Server = Server{server.textOrNull("uuid"), server.text("origin")}
	console := top.object("console")
	console.text("version")
	console.text("commit")
	console.text("bundle")
	if first := top.objectOrNull("firstContact"); first != nil {
		first.moment("at")
		first.id("txId")
		first.text("txHash")
	}
	e.readContext(top.object("context"))
	e.Request, e.Response = top.any("request"), top.any("response")
	e.readOutcome(top.object("outcome"))
	if e.Kind == "fork" && top.bad == nil {
		e.readSides()
	}
	return e, top.bad
}

// readContext keeps what is used (2.1). A file cannot say what its reader has
// read, and every pin is one that was only seen.
func (e *Evidence) readContext(c *object) {
	e.Database = c.text("db")
	if trusted := c.objectOrNull("trusted"); trusted != nil {
		trusted.id("txId")
		trusted.text("txHash")
		// Whether it is a state is a part of the check.
		var state verify.State
		if json.Unmarshal(c.fields["trusted"], &state) == nil {
			e.Trusted = &state
		}
	}
	e.PublicKey = c.textOrNull("publicKey")
	kept := map[string]json.RawMessage{"isOnlySeen": json.RawMessage("true")}
	for _, name := range []string{"db", "trusted", "publicKey", "schema", "collectionId", "hasNewerForm"} {
		if raw, ok := c.fields[name]; ok {
			kept[name] = raw
		}
	}
	if raw := c.fields["schema"]; isThere(raw) && raw[0] != '{' {
		c.damaged("schema")
	}
	if raw := c.fields["collectionId"]; isThere(raw) {
		if n, ok := numberOf(raw); !ok || n != math.Trunc(n) || n < 0 || n > math.MaxUint32 {
			c.damaged("collectionId")
		}
	}
	c.flagOrMissing("hasNewerForm")
	e.context, _ = json.Marshal(kept)
}

// readOutcome reads the result that the author had (2.2).
func (e *Evidence) readOutcome(o *object) {
	e.outcome.verdict = o.text("verdict")
	switch e.outcome.verdict {
	case "ok":
		e.outcome.firstUse, e.outcome.signed = o.flag("firstUse"), o.flag("signed")
		if e.outcome.facts = o.any("facts"); isThere(e.outcome.facts) && e.outcome.facts[0] != '{' {
			o.damaged("facts")
		}
	case "refused":
		e.outcome.reason = o.text("reason")
		o.text("step")
		o.text("part")
		o.textOrNull("expected")
		o.textOrNull("received")
	case "unproven":
		o.text("why")
	default:
		o.damaged("verdict")
	}
}

// readSides takes the names of a fork's servers, which are only quoted (3.8).
func (e *Evidence) readSides() {
	response := membersOf(e.Response)
	for i, name := range []string{"first", "second"} {
		side := membersOf(response[name])
		server := membersOf(side["server"])
		e.names[i], _ = textOf(side["name"])
		e.sides[i].Origin, _ = textOf(server["origin"])
		e.sides[i].ID, _ = textOf(server["uuid"])
	}
}

// object reads the fields of the file itself. The first one with another form is
// an error.
type object struct {
	fields map[string]json.RawMessage
	path   string
	bad    error
	above  *object
}

func (o *object) damaged(name string) {
	if o.above != nil {
		o.above.damaged(o.path + "." + name)
		return
	}
	if o.bad == nil {
		o.bad = fmt.Errorf("The file is damaged: “%s” cannot be read.", name)
	}
}

// membersOf are the fields of an object, which are cut from the text; nil for
// anything else.
func membersOf(raw []byte) map[string]json.RawMessage {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	fields := map[string]json.RawMessage{}
	verify.Members(raw, func(name string, value []byte) { fields[name] = value })
	return fields
}

func isThere(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

func textOf(raw json.RawMessage) (string, bool) {
	var text string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, true
}

// maxUnits bounds a text of the file itself, in units of UTF-16 (1).
const maxUnits = 100_000

func (o *object) text(name string) string {
	raw := o.fields[name]
	if len(raw) > 6*maxUnits+2 { // an escape has six bytes
		o.damaged(name)
		return ""
	}
	text, ok := textOf(raw)
	if !ok || len(text) > maxUnits && len(utf16.Encode([]rune(text))) > maxUnits {
		o.damaged(name)
		return ""
	}
	return text
}

func (o *object) textOrNull(name string) string {
	if string(o.fields[name]) == "null" {
		return ""
	}
	return o.text(name)
}

// any is a field that must be there and may be null.
func (o *object) any(name string) json.RawMessage {
	raw, ok := o.fields[name]
	if !ok {
		o.damaged(name)
	}
	return raw
}

func (o *object) object(name string) *object {
	below := &object{fields: membersOf(o.fields[name]), path: name, above: o}
	if below.fields == nil {
		o.damaged(name)
	}
	return below
}

func (o *object) objectOrNull(name string) *object {
	if string(o.fields[name]) == "null" {
		return nil
	}
	return o.object(name)
}

func (o *object) flag(name string) bool {
	switch string(o.fields[name]) {
	case "true":
		return true
	case "false":
	default:
		o.damaged(name)
	}
	return false
}

func (o *object) flagOrMissing(name string) {
	if isThere(o.fields[name]) {
		o.flag(name)
	}
}

var (
	isID     = regexp.MustCompile(`^[0-9]{1,20}$`).MatchString
	isMoment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$`).MatchString
)

func (o *object) id(name string) string {
	text := o.text(name)
	if !isID(text) {
		o.damaged(name)
	}
	return text
}

func (o *object) moment(name string) string {
	text := o.text(name)
	if _, err := time.Parse(time.RFC3339Nano, text); err != nil || !isMoment(text) {
		o.damaged(name)
	}
	return text
}

func numberOf(raw json.RawMessage) (float64, bool) {
	var n float64
	if len(raw) == 0 || raw[0] == 'n' || json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	return n, true
}

func sameNumber(raw json.RawMessage, wanted float64) bool {
	n, ok := numberOf(raw)
	return ok && n == wanted
}

// isSame compares two JSON values: objects in any order, numbers as doubles (3).
func isSame(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
