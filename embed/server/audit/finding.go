package audit

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	webconsole "immudb-webconsole/embed"
	"immudb-webconsole/embed/verify"
)

// evidence is a check with all that is needed to repeat it, as
// src/proof/FORMAT.md has it.
type evidence struct {
	Format       string          `json:"format"`
	Version      int             `json:"version"`
	What         string          `json:"what"`
	Kind         string          `json:"kind"`
	CheckedAt    string          `json:"checkedAt"`
	Server       fromServer      `json:"server"`
	Console      byConsole       `json:"console"`
	FirstContact *firstContact   `json:"firstContact"`
	Context      known           `json:"context"`
	Request      json.RawMessage `json:"request"`
	Response     json.RawMessage `json:"response"`
	Outcome      any             `json:"outcome"`
}

type fromServer struct {
	UUID   *string `json:"uuid"`
	Origin string  `json:"origin"`
}

type byConsole struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Bundle  string `json:"bundle"`
}

type firstContact struct {
	point
	At string `json:"at"`
}

// known is the context of a check (VERIFY.md 1).
type known struct {
	DB        string  `json:"db"`
	Trusted   *point  `json:"trusted"`
	PublicKey *string `json:"publicKey"`
}

func (k known) verifier(key *ecdsa.PublicKey) verify.Context {
	against := verify.Context{Database: k.DB, Key: key}
	if k.Trusted != nil {
		state := k.Trusted.state()
		against.Trusted = &state
	}
	return against
}

type refusal struct {
	Verdict  string  `json:"verdict"`
	Reason   string  `json:"reason"`
	Step     string  `json:"step"`
	Part     string  `json:"part"`
	Expected *string `json:"expected"`
	Received *string `json:"received"`
}

type agreement struct {
	Verdict  string `json:"verdict"`
	FirstUse bool   `json:"firstUse"`
	Signed   bool   `json:"signed"`
	Facts    any    `json:"facts"`
}

// nothingToCheck is the outcome of a file without an answer.
type nothingToCheck struct {
	Verdict string `json:"verdict"`
	Why     string `json:"why"`
}

const (
	evidenceFormat  = "immudb webconsole evidence"
	evidenceVersion = 1
	kindDamaged     = "damaged"
	noticeFormat    = "immudb webconsole auditor finding"
)

func recorded(result verify.Result) any {
	if result.Verdict == verify.Refused {
		return refusal{"refused", result.Reason, result.Step, result.Part, hashOrNull(result.Expected), hashOrNull(result.Received)}
	}
	return agreement{"ok", result.FirstUse, result.Signed, result.Facts}
}

// hashOrNull is what a file has of what was compared: hashes, and nothing else.
func hashOrNull(text string) *string {
	if hash, err := hex.DecodeString(text); err != nil || len(hash) != sha256.Size {
		return nil
	}
	return &text
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// keyText is base64 of the point 04 || x || y.
func keyText(key *ecdsa.PublicKey) *string {
	if key == nil {
		return nil
	}
	text, err := key.Bytes()
	if err != nil {
		return nil
	}
	point := inBase64(text)
	return &point
}

// inNames is the form of a time in the name of a file.
const inNames = "20060102T150405Z"

func inISO(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func thisProgram() byConsole {
	version, commit := webconsole.Version()
	return byConsole{Version: version, Commit: commit, Bundle: "webconsole audit"}
}

// finding is a file in the folder of findings.
type finding struct {
	name     string // without its ending
	servers  []string
	database string
	about    Event

	told    told
	waits   map[string]*backoff
	content []byte // until it is written
}

// told says which ways of telling have succeeded.
type told map[string]bool

// nameShape is TIME-NUMBER-SERVER-DATABASE; a fork names two servers with a plus
// sign between. Only servers have dashes in their names.
var nameShape = regexp.MustCompile(`^(\d{8}T\d{6}Z)-(\d{6,})-(.*)-([^-]+)$`)

func (f *folder) findingFile(name string) string { return f.path(findingsDir, name+".json") }
func (f *folder) toldFile(name string) string    { return f.path(findingsDir, name+".told") }

// findings returns those that are open, in order.
func (f *folder) findings() ([]*finding, error) {
	files, err := os.ReadDir(f.path(findingsDir))
	if err != nil {
		return nil, err
	}
	var list []*finding
	for _, file := range files {
		name, isFinding := strings.CutSuffix(file.Name(), ".json")
		parts := nameShape.FindStringSubmatch(name)
		if !isFinding || parts == nil || file.IsDir() {
			continue
		}
		found := &finding{name: name, servers: strings.Split(parts[3], "+"), database: parts[4], told: told{}}
		text, err := f.read(f.findingFile(name))
		if err != nil {
			return nil, err
		}
		found.about = eventOf(f.findingFile(name), found, text)
		// It is told again where this cannot be read.
		if text, err := f.read(f.toldFile(name)); err == nil && text != nil {
			_ = json.Unmarshal(text, &found.told)
		}
		list = append(list, found)
	}
	return list, nil
}

// nextName has a number above all that were ever given, so that no clock can
// make a name twice.
func (f *folder) nextName(at time.Time, servers []string, database string) (string, error) {
	highest := uint64(0)
	for _, dir := range []string{f.path(findingsDir), f.path(findingsDir, acceptedDir)} {
		files, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			parts := nameShape.FindStringSubmatch(strings.TrimSuffix(file.Name(), filepath.Ext(file.Name())))
			if parts == nil {
				continue
			}
			if number, err := strconv.ParseUint(parts[2], 10, 64); err == nil {
				highest = max(highest, number)
			}
		}
	}
	return fmt.Sprintf("%s-%06d-%s-%s", at.UTC().Format(inNames), highest+1, strings.Join(servers, "+"), database), nil
}

// keep writes a finding. Nothing may be said of it before.
func (f *folder) keep(found *finding, at time.Time) error {
	name, err := f.nextName(at, found.servers, found.database)
	if err != nil {
		return err
	}
	if err := f.writeNew(f.findingFile(name), found.content); err != nil {
		return err
	}
	found.name = name
	found.about = eventOf(f.findingFile(name), found, found.content)
	found.content = nil
	return nil
}

// eventOf reads from a file what is told of it.
func eventOf(path string, of *finding, text []byte) Event {
	var file struct {
		What      string `json:"what"`
		Kind      string `json:"kind"`
		CheckedAt string `json:"checkedAt"`
		Outcome   struct {
			Reason string `json:"reason"`
		} `json:"outcome"`
	}
	event := Event{
		Event: "finding", Server: strings.Join(of.servers, "+"), Database: of.database,
		Finding: path, SHA256: checksum(text),
	}
	if json.Unmarshal(text, &file) != nil {
		event.Words = "The file of this finding cannot be read."
		return event
	}
	event.Words, event.Kind, event.Reason, event.Time = file.What, file.Kind, file.Outcome.Reason, file.CheckedAt
	return event
}

// halts reports whether the finding is about a database of a server.
func (found *finding) halts(server, database string) bool {
	return found.database == database && slices.Contains(found.servers, server)
}

func (f *folder) saveTold(found *finding) error {
	text, err := json.Marshal(found.told)
	if err != nil {
		return err
	}
	return f.writeWhole(f.toldFile(found.name), append(text, '\n'))
}

// accept is a person's word that a finding is known, and that the history of its
// database starts over. Nothing is deleted: the finding, the kept state and the
// checkpoints get names of their own. It goes on where it was killed.
func (f *folder) accept(name string, at time.Time) (string, error) {
	name = strings.TrimSuffix(filepath.Base(name), ".json")
	list, err := f.findings()
	if err != nil {
		return "", err
	}
	index := slices.IndexFunc(list, func(found *finding) bool { return found.name == name })
	if index < 0 {
		return "", fmt.Errorf("there is no open finding %q in %s; nothing was changed", name, f.path(findingsDir))
	}
	found := list[index]
	until := ".until-" + at.UTC().Format(inNames) + "-" + nameShape.FindStringSubmatch(name)[2]
	for _, server := range found.servers {
		for _, path := range []string{f.stateFile(server, found.database), f.checkpointFile(server, found.database)} {
			if _, err := os.Stat(path); err != nil {
				continue
			}
			if err := f.move(path, path+until); err != nil {
				return "", err
			}
		}
	}
	if err := os.Remove(f.toldFile(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	kept := f.path(findingsDir, acceptedDir, name+".json")
	return kept, f.move(f.findingFile(name), kept)
}
