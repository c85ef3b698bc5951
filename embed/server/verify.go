package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"immudb-webconsole/embed/verify"
	"immudb-webconsole/embed/verify/files"
)

// verifyUsage is what `webconsole verify --help` prints.
//
//go:embed verify.txt
var verifyUsage string

// verifyFlags is the command line of `webconsole verify`.
type verifyFlags struct {
	files                             []string
	states, keys, points, witnessKeys []string
	isJSON                            bool
}

func (v *verifyFlags) define(flags *flag.FlagSet) {
	add := func(to *[]string) func(string) error {
		return func(text string) error { *to = append(*to, text); return nil }
	}
	flags.Func("state", "", add(&v.states))
	flags.Func("key", "", add(&v.keys))
	flags.Func("checkpoints", "", add(&v.points))
	flags.Func("witness", "", add(&v.witnessKeys))
	flags.BoolVar(&v.isJSON, "json", false, "")
}

// parse takes flags before, between and behind the files.
func (v *verifyFlags) parse(args []string) error {
	flags := flag.NewFlagSet("webconsole verify", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	v.define(flags)
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			return err
		}
		rest := flags.Args()
		if used := len(args) - len(rest); used > 0 && args[used-1] == "--" {
			v.files, rest = append(v.files, rest...), nil
		}
		if len(rest) == 0 {
			break
		}
		v.files, args = append(v.files, rest[0]), rest[1:]
	}
	if len(v.files) == 0 {
		return errors.New("name a file to look at")
	}
	return nil
}

// runVerify is `webconsole verify`. It returns the exit code.
func runVerify(args []string, stdout, stderr io.Writer) int {
	v := &verifyFlags{}
	unusable := func(err error) int {
		fmt.Fprintf(stderr, "webconsole verify: %v\n", err)
		return files.Unreadable.Code()
	}
	if err := v.parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, verifyUsage)
		return 0
	} else if err != nil {
		return unusable(fmt.Errorf("%w (see --help)", err))
	}
	known, witnesses, err := v.given()
	if err != nil {
		return unusable(err)
	}
	var all []verifiedFile
	var codes []int
	for _, name := range v.files {
		one := verifyFile(name, known, witnesses)
		all, codes = append(all, one), append(codes, one.Verdict.Code())
		if !v.isJSON {
			if len(all) > 1 {
				fmt.Fprintln(stdout)
			}
			one.print(stdout)
		}
	}
	code := files.Gravest(codes...)
	if v.isJSON {
		text, err := json.MarshalIndent(map[string]any{"files": all, "exit": code}, "", "  ")
		if err != nil {
			return unusable(err)
		}
		fmt.Fprintln(stdout, files.ASCII(text))
	}
	return code
}

// given reads what the files are compared with.
func (v *verifyFlags) given() (known files.Given, witnesses []files.Witness, err error) {
	wrong := func(flag, name string, err error) error {
		return fmt.Errorf("--%s %s: %w", flag, shownName(name), err)
	}
	for _, name := range v.states {
		text, err := readPlain(name)
		if err != nil {
			return known, nil, wrong("state", name, err)
		}
		states, err := files.ReadStates(text)
		if err != nil {
			return known, nil, wrong("state", name, err)
		}
		for _, state := range states {
			state.By = name
			known.States = append(known.States, state)
		}
	}
	for _, name := range v.keys {
		text, err := textOrFile(name)
		if err != nil {
			return known, nil, wrong("key", name, err)
		}
		key, err := verify.ReadKey(text)
		if err != nil {
			return known, nil, wrong("key", name, err)
		}
		known.Keys = append(known.Keys, key)
	}
	for _, name := range v.witnessKeys {
		text, err := textOrFile(name)
		if err != nil {
			return known, nil, wrong("witness", name, err)
		}
		for line := range strings.Lines(strings.TrimSpace(text)) {
			witness, err := files.ReadWitness(line)
			if err != nil {
				return known, nil, wrong("witness", name, err)
			}
			witnesses = append(witnesses, witness)
		}
	}
	if len(v.points) > 0 && len(witnesses) == 0 {
		return known, nil, errors.New("--checkpoints needs the auditor's public key: --witness FILE")
	}
	for _, name := range v.points {
		text, err := readPlain(name)
		if err != nil {
			return known, nil, wrong("checkpoints", name, err)
		}
		points, err := files.ReadCheckpoints(text, witnesses)
		if err != nil {
			return known, nil, wrong("checkpoints", name, err)
		}
		if points.Torn != nil {
			return known, nil, wrong("checkpoints", name, errors.New("the auditor contradicts itself in it; look at the file alone"))
		}
		vouching := points.Known()
		if len(vouching) == 0 {
			return known, nil, wrong("checkpoints", name, errors.New("no known key signed a checkpoint in it"))
		}
		known.States = append(known.States, vouching...)
	}
	return known, witnesses, nil
}

// textOrFile is a key: the text itself, or the content of a file. A name of a
// file is no base64 with padding, no PEM and no line with a plus.
func textOrFile(text string) (string, error) {
	if _, err := verify.ReadKey(text); err == nil {
		return text, nil
	}
	if _, err := files.ReadWitness(text); err == nil {
		return text, nil
	}
	content, err := readPlain(text)
	return string(content), err
}

// readPlain reads a file of at most 64 MiB. A pipe could hang, and a device has
// no end.
func readPlain(name string) ([]byte, error) {
	about, err := os.Stat(name)
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, err
	}
	switch {
	case about.IsDir():
		return nil, errors.New("this is a folder")
	case !about.Mode().IsRegular():
		return nil, errors.New("this is a pipe, device or socket, and no plain file")
	case about.Size() > files.MaxSize:
		return nil, errors.New("this is over 64 MiB")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, errors.New("this cannot be opened: " + errors.Unwrap(err).Error())
	}
	defer file.Close()
	return files.Read(file)
}

// verifiedFile is what is said of one file.
type verifiedFile struct {
	File         string        `json:"file"`
	Kind         string        `json:"kind"` // evidence, fork, audit, checkpoints, states, or ""
	Verdict      files.Word    `json:"verdict"`
	Is           string        `json:"is,omitempty"` // altered, refused, redescribed, forked
	Why          string        `json:"why"`
	Reason       string        `json:"reason,omitempty"`
	Step         string        `json:"step,omitempty"`
	Part         string        `json:"part,omitempty"`
	Expected     string        `json:"expected,omitempty"`
	Received     string        `json:"received,omitempty"`
	Facts        any           `json:"facts"`
	Next         *verify.State `json:"next"`
	FirstUse     bool          `json:"firstUse"`
	Signed       bool          `json:"signed"`
	Open         []string      `json:"open"`
	ComparedWith []string      `json:"comparedWith"`
	NotShown     []string      `json:"notShown"`
	Says         []string      `json:"saysOfItself"`

	proven []string
}

func verifyFile(name string, known files.Given, witnesses []files.Witness) (one verifiedFile) {
	one = verifiedFile{File: name, Verdict: files.Unreadable}
	defer func() {
		for _, list := range []*[]string{&one.Open, &one.ComparedWith, &one.NotShown, &one.Says} {
			if *list == nil {
				*list = []string{}
			}
		}
	}()
	text, err := readPlain(name)
	if err != nil {
		one.Why = "The file cannot be read: " + err.Error() + "."
		return one
	}
	evidence, err := files.ReadEvidence(text)
	switch {
	case err == nil:
		one.ofEvidence(evidence, known)
	case files.IsCheckpoints(text):
		one.ofCheckpoints(text, known, witnesses)
	case files.IsStates(text):
		one.ofStates(text, known)
	default:
		one.Why = err.Error()
	}
	return one
}

func (one *verifiedFile) ofEvidence(e *files.Evidence, known files.Given) {
	report := e.Check(known)
	found := &report.Result
	if one.Kind = "evidence"; e.Kind == "fork" || e.Kind == "audit" {
		one.Kind = e.Kind
	}
	one.Verdict, one.Is, one.Why = report.Word, report.Is, e.Words(&report)
	if found.Verdict == verify.Refused {
		one.Reason, one.Step, one.Part, one.Expected, one.Received = found.Reason, found.Step, found.Part, found.Expected, found.Received
	}
	one.Next, one.FirstUse, one.Signed, one.Open = found.Next, found.FirstUse, found.Signed, found.Open
	one.Says, one.ComparedWith, one.NotShown = e.Claims(), report.ComparedWith(), e.NotShown(&report)
	// What an altered file proves is not what its author saw.
	if one.Verdict != files.Failed {
		one.Facts, one.proven = found.Facts, files.Proven(*found)
	}
}

func (one *verifiedFile) ofCheckpoints(text []byte, known files.Given, witnesses []files.Witness) {
	one.Kind = "checkpoints"
	points, err := files.ReadCheckpoints(text, witnesses)
	if err != nil {
		one.Why = strings.TrimSuffix(err.Error(), ".") + "."
		if errors.Is(err, files.ErrWrongSignature) {
			one.Verdict = files.Failed
		}
		return
	}
	if points.Torn != nil {
		one.Verdict = files.Contradicted
		one.Why = fmt.Sprintf("The auditor contradicts itself: it signed transaction %d with hash %x, and then %d with %x.",
			points.Torn[0].State.TxID, points.Torn[0].State.TxHash, points.Torn[1].State.TxID, points.Torn[1].State.TxHash)
		return
	}
	signed := points.Known()
	one.Verdict, one.Why = files.Unproven, "The checkpoints are not signed by a known key. Give the auditor's key with --witness."
	if len(signed) > 0 {
		one.Why = fmt.Sprintf("%d of %d checkpoints are signed with a known key, from transaction %d to %d. They prove no content.",
			len(signed), len(points.Notes), signed[0].State.TxID, signed[len(signed)-1].State.TxID)
	}
	one.compare(signed, known.States)
	one.Says = []string{"It is about the database " + files.Quote(points.Database) + " of the server " + files.Quote(points.ServerID)}
	one.NotShown = []string{"that the checkpoints belong to one history: a walk over all of its transactions shows that"}
}

func (one *verifiedFile) ofStates(text []byte, known files.Given) {
	one.Kind = "states"
	states, err := files.ReadStates(text)
	if err != nil {
		one.Why = err.Error()
		return
	}
	one.Verdict, one.Why = files.Unproven, fmt.Sprintf("The file holds trusted states: %d. They are there to compare with, by --state; they prove nothing.", len(states))
	one.compare(states, known.States)
	one.NotShown = []string{"whose states these are"}
}

// compare finds equal and contradicting states.
func (one *verifiedFile) compare(own, given []files.Known) {
	for _, known := range given {
		at := slices.IndexFunc(own, func(o files.Known) bool {
			isOther := o.Server.ID != "" && known.Server.ID != "" && o.Server.ID != known.Server.ID
			return o.Database == known.Database && o.State.TxID == known.State.TxID && !isOther
		})
		switch {
		case at < 0:
		case own[at].State == known.State:
			one.ComparedWith = append(one.ComparedWith, fmt.Sprintf("The same as the given state at transaction %d of %s", known.State.TxID, files.Quote(known.Database)))
		default:
			one.Verdict, one.Why = files.Contradicted, "The file contradicts what you gave to compare with."
			one.ComparedWith = append(one.ComparedWith, fmt.Sprintf("Another hash than the given state at transaction %d of %s, which has %x", known.State.TxID, files.Quote(known.Database), known.State.TxHash))
		}
	}
}

// shownName is the name of a file as its user gave it, as far as it is harmless.
func shownName(name string) string {
	if quoted := files.Quote(name); quoted != `"`+name+`"` {
		return quoted
	}
	return filepath.Clean(name)
}

// print says it in words. Everything that a file chose is quoted in it.
func (one *verifiedFile) print(to io.Writer) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s\n  %s\n", shownName(one.File), one.Verdict, one.Why)
	if one.Reason != "" {
		fmt.Fprintf(&out, "  Reason: %s, in step %s", one.Reason, one.Step)
		if one.Part != "" {
			fmt.Fprintf(&out, ", at %s", files.Quote(one.Part))
		}
		out.WriteByte('\n')
		if one.Expected != "" && one.Received != "" {
			fmt.Fprintf(&out, "  Expected %s, received %s\n", one.Expected, one.Received)
		}
	}
	heading := "Consistent in itself, and not proven"
	switch {
	case one.Verdict == files.Verified || one.Verdict == files.InPart:
		heading = "Proven"
	case one.Is == "forked":
		heading = "Shown"
	}
	for _, part := range []struct {
		heading string
		lines   []string
	}{{heading, one.proven}, {"Compared with what you gave", one.ComparedWith}, {"Not shown", one.NotShown}, {"The file says of itself, which nothing here confirms", one.Says}} {
		if len(part.lines) == 0 {
			continue
		}
		fmt.Fprintf(&out, "  %s:\n", part.heading)
		for _, line := range part.lines {
			fmt.Fprintf(&out, "    %s\n", line)
		}
	}
	to.Write(out.Bytes())
}
