package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/mod/sumdb/note"

	"immudb-webconsole/embed/verify"
)

const savedFiles = "../../test/fixtures/files"

// verifying runs the command and returns its code and what it printed.
func verifying(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = run(t.Context(), append([]string{"verify"}, args...), &out, &out)
	return code, out.String()
}

func saved(name string) string { return filepath.Join(savedFiles, name) }

// written is a file in the test's own folder.
func written(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// stateOf is the trusted state that a file has, as the console saves it.
func stateIn(t *testing.T, name string) (path, database string) {
	t.Helper()
	var file struct {
		Context struct {
			DB      string
			Trusted struct{ TxID, TxHash string }
		}
	}
	text, err := os.ReadFile(saved(name))
	if err != nil || json.Unmarshal(text, &file) != nil {
		t.Fatal(err)
	}
	trusted := file.Context.Trusted
	return written(t, "states.txt", fmt.Appendf(nil, "immudb trusted state\ndatabase: %s\ntransaction: %s\nhash: %s\n",
		file.Context.DB, trusted.TxID, trusted.TxHash)), file.Context.DB
}

func TestVerifySaysInItsExitCodeWhatAFileProves(t *testing.T) {
	state, _ := stateIn(t, "get.json")
	other, _ := stateIn(t, "fork.json")
	wrong := written(t, "wrong.txt", []byte("database: kvd1\ntransaction: 14\nhash: "+strings.Repeat("07", 32)))
	for _, one := range []struct {
		args string
		code int
		says string
	}{
		{"get.json", 2, "unproven"},
		{"get.json --state STATE", 0, "verified"},
		{"--state STATE get.json", 0, "from \"" + state},
		{"--state STATE -- get.json", 0, "verified"},
		{"get.json --state WRONG", 1, "contradicted"},
		{"get.json --state OTHER", 2, "unproven"},
		{"altered.json --state STATE", 1, "was changed after it was saved"},
		{"refused.json", 1, "anyone can make a wrong one"},
		{"row.json", 2, "names of the table"},
		{"fork.json", 2, "which of the two is the true history"},
		{"audit-report-alone.json", 2, "nothing in the file to check"},
		{"get.json row.json --state STATE", 2, "verified"},
		{"get.json index.json --state STATE", 3, "unreadable"},
		{"get.json index.json refused.json --state STATE", 1, "unreadable"},
	} {
		var args []string
		for _, arg := range strings.Fields(one.args) {
			switch arg {
			case "STATE":
				arg = state
			case "WRONG":
				arg = wrong
			case "OTHER":
				arg = other
			default:
				if strings.HasSuffix(arg, ".json") {
					arg = saved(arg)
				}
			}
			args = append(args, arg)
		}
		code, said := verifying(t, args...)
		if code != one.code || !strings.Contains(said, one.says) {
			t.Errorf("verify %s: %d, want %d with %q:\n%s", one.args, code, one.code, one.says, said)
		}
	}
}

func TestVerifyTakesAKeyAndAnAuditor(t *testing.T) {
	var file struct {
		Context struct {
			DB        string
			PublicKey string
			Trusted   verify.State
		}
	}
	text, _ := os.ReadFile(saved("get.json"))
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	key := file.Context.PublicKey
	if code, said := verifying(t, saved("get.json"), "--key", key); code != 0 || !strings.Contains(said, "Signed with a given key") {
		t.Errorf("%d %s", code, said)
	}
	if code, _ := verifying(t, saved("get.json"), "--key", written(t, "key", []byte(key+"\n"))); code != 0 {
		t.Errorf("the key as a file: %d", code)
	}
	example := "immudb/cq0000000000000000/defaultdb\n42\nUNhY4JhezH9gQYqvDMWrWH9CwlcKiECVqejMrND2VFw=\n\n— auditor.example Dt/Rx0+rd2f8lZz5Ev8+SNqaWqW1hOdHR2MHYrDBq17BcZCgPhcA8S0dEcGHyeysfnXlSb2x7WvgNWxlWpjMgxuEOA0=\n"
	witness := "auditor.example+0edfd1c7+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
	points := written(t, "db.txt", []byte(example))
	bent := written(t, "bent.txt", []byte(strings.Replace(example, "\n42\n", "\n43\n", 1)))
	against := written(t, "against.txt", []byte("database: defaultdb\ntransaction: 42\nhash: "+strings.Repeat("07", 32)))
	for _, one := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{points}, 2, "not signed by a known key"},
		{[]string{points, "--witness", witness}, 2, "1 of 1 checkpoints are signed with a known key"},
		{[]string{points, "--witness", written(t, "w", []byte(witness+"\n")), "--state", against}, 1, "Another hash"},
		{[]string{bent, "--witness", witness}, 1, "wrong signature"},
		{[]string{saved("get.json"), "--checkpoints", points}, 3, "--witness"},
		{[]string{saved("get.json"), "--checkpoints", points, "--witness", witness}, 2, "unproven"},
		{[]string{saved("get.json"), "--checkpoints", bent, "--witness", witness}, 3, "wrong signature"},
		{[]string{against, "--checkpoints", points, "--witness", witness}, 1, "contradicted"},
	} {
		if code, said := verifying(t, one.args...); code != one.code || !strings.Contains(said, one.says) {
			t.Errorf("%q: %d, want %d with %q:\n%s", one.args, code, one.code, one.says, said)
		}
	}
}

// Checkpoints that Go's own package signed vouch for a file, or contradict it.
func TestVerifyComparesWithCheckpointsOfOthers(t *testing.T) {
	private, public, err := note.GenerateKey(rand.Reader, "auditor.example.org")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Context struct {
			DB      string
			Trusted struct{ TxID, TxHash string }
		}
		Server struct{ UUID string }
	}
	text, _ := os.ReadFile(saved("get.json"))
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	signed := func(server, id, hash string) string {
		text, err := note.Sign(&note.Note{Text: fmt.Sprintf("immudb/%s/%s\n%s\n%s\n", server, file.Context.DB, id, hash)}, signer)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	trusted, earlier := file.Context.Trusted, "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
	for _, one := range []struct {
		notes string
		code  int
		says  string
	}{
		{signed(file.Server.UUID, "3", earlier) + "\n" + signed(file.Server.UUID, trusted.TxID, trusted.TxHash), 0, "from \"witness auditor.example.org\""},
		{signed("-", trusted.TxID, trusted.TxHash), 0, "verified"},
		{signed(file.Server.UUID, "3", earlier), 2, "unproven"},
		{signed("another-server", trusted.TxID, trusted.TxHash), 2, "unproven"},
		{signed(file.Server.UUID, trusted.TxID, earlier), 1, "contradicted"},
		{signed(file.Server.UUID, trusted.TxID, trusted.TxHash) + "\n" + signed(file.Server.UUID, trusted.TxID, earlier), 3, "the auditor contradicts itself"},
	} {
		points := written(t, "points", []byte(one.notes))
		code, said := verifying(t, saved("get.json"), "--checkpoints", points, "--witness", public)
		if code != one.code || !strings.Contains(said, one.says) {
			t.Errorf("%s: %d, want %d with %q:\n%s", one.notes, code, one.code, one.says, said)
		}
		if one.code == 3 {
			if code, said := verifying(t, points, "--witness", public); code != 1 || !strings.Contains(said, "contradicts itself") {
				t.Errorf("alone: %d\n%s", code, said)
			}
		}
	}
}

// Every recorded answer, as a file, has the outcome that the console recorded,
// and proves something only beside its trusted state.
func TestVerifyTakesEveryRecordedAnswerAsAFile(t *testing.T) {
	paths, _ := filepath.Glob("../../test/fixtures/proofs/0*.json")
	count := 0
	for _, path := range paths {
		var read struct {
			Vectors []struct {
				Name, Verify               string
				Context, Request, Response json.RawMessage
				Expect                     struct{ Verdict, Reason string }
			}
		}
		text, err := os.ReadFile(path)
		if err != nil || json.Unmarshal(text, &read) != nil {
			t.Fatal(path, err)
		}
		for _, v := range read.Vectors {
			if v.Context == nil {
				continue
			}
			count++
			outcome := map[string]any{"verdict": "unproven", "why": "x"}
			found := verify.Answer(v.Verify, v.Context, v.Request, v.Response)
			switch v.Expect.Verdict {
			case "ok":
				outcome = map[string]any{"verdict": "ok", "firstUse": found.FirstUse, "signed": found.Signed, "facts": found.Facts}
			case "fail":
				outcome = map[string]any{"verdict": "refused", "reason": v.Expect.Reason, "step": "", "part": "", "expected": nil, "received": nil}
			}
			if v.Request == nil {
				v.Request = json.RawMessage("null")
			}
			file, err := json.Marshal(map[string]any{"format": "immudb webconsole evidence", "version": 1, "what": v.Name, "kind": v.Verify,
				"checkedAt": "2026-01-02T03:04:05.000Z", "server": map[string]any{"uuid": nil, "origin": ""},
				"console": map[string]any{"version": "", "commit": "", "bundle": ""}, "firstContact": nil,
				"context": v.Context, "request": v.Request, "response": v.Response, "outcome": outcome})
			if err != nil {
				t.Fatal(err)
			}
			name := written(t, "one.json", file)
			wanted := map[string]int{"ok": 2, "fail": 1, "unproven": 2}[v.Expect.Verdict]
			if v.Expect.Reason == "schema-changed" {
				wanted = 1
			}
			code, said := verifying(t, name)
			if code != wanted {
				t.Errorf("%s %s: %d, want %d\n%s", path, v.Name, code, wanted, said)
			}
			if v.Expect.Verdict != "ok" || found.Next.TxID == 0 {
				continue
			}
			next := written(t, "next.txt", fmt.Appendf(nil, "database: %s\ntransaction: %d\nhash: %x\n", databaseOf(v.Context), found.Next.TxID, found.Next.TxHash))
			code, said = verifying(t, name, "--state", next)
			isWhole := strings.Contains(said, ": verified\n")
			if code != 0 && !strings.Contains(said, "verified in part") || isWhole != (code == 0) {
				t.Errorf("%s %s beside its state: %d\n%s", path, v.Name, code, said)
			}
		}
	}
	if count < 230 {
		t.Errorf("only %d", count)
	}
}

func databaseOf(context []byte) string {
	var known struct{ DB string }
	_ = json.Unmarshal(context, &known)
	return known.DB
}

func TestVerifyRefusesWhatIsNoFile(t *testing.T) {
	get, err := os.ReadFile(saved("get.json"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	huge := filepath.Join(folder, "huge")
	if os.WriteFile(huge, nil, 0o600) != nil || os.Truncate(huge, 64<<20+1) != nil {
		t.Fatal("no huge file")
	}
	change := func(from, to string) []byte { return bytes.Replace(get, []byte(from), []byte(to), 1) }
	for name, one := range map[string]struct{ path, says string }{
		"a folder":         {folder, "folder"},
		"missing":          {filepath.Join(folder, "none"), "no such file"},
		"over 64 MiB":      {huge, "64 MiB"},
		"empty":            {written(t, "a", nil), "not JSON"},
		"words":            {written(t, "a", []byte("hello")), "not JSON"},
		"UTF-16":           {written(t, "a", []byte("\xff\xfe{\x00}\x00")), "UTF-8"},
		"Latin-1":          {written(t, "a", change("get-latest", "get-l\xe4test")), "UTF-8"},
		"deep":             {written(t, "a", change(`"request": {`, `"request": {"x":`+strings.Repeat("[", 501)+strings.Repeat("]", 501)+`,`)), "500 levels"},
		"a field twice":    {written(t, "a", change(`"kind": "get"`, `"kind": "get", "\u006bind": "none"`)), "one name twice"},
		"a later version":  {written(t, "a", change(`"version": 1`, `"version": 2`)), "version 2"},
		"another format":   {written(t, "a", change("immudb webconsole evidence", "x")), "no evidence file"},
		"an unknown kind":  {written(t, "a", change(`"kind": "get"`, `"kind": "got"`)), "“kind”"},
		"a moment of none": {written(t, "a", change("2026-01-02T03:04:05.000Z", "2026-02-30T03:04:05.000Z")), "“checkedAt”"},
		"no context":       {written(t, "a", change(`"db": "kvd1"`, `"db": 7`)), "“context.db”"},
		"something behind": {written(t, "a", append(bytes.Clone(get), "{}"...)), "not JSON"},
	} {
		code, said := verifying(t, one.path)
		if code != 3 || !strings.Contains(said, one.says) {
			t.Errorf("%s: %d, want 3 with %q\n%s", name, code, one.says, said)
		}
		if code, _ := verifying(t, saved("get.json"), "--state", one.path); code != 3 {
			t.Errorf("%s as a state: %d", name, code)
		}
	}
	if code, said := verifying(t, written(t, "a", append([]byte("\xef\xbb\xbf"), get...))); code != 2 {
		t.Errorf("a byte order mark: %d %s", code, said)
	}
	for _, args := range [][]string{{}, {"--json"}, {"--nonsense", saved("get.json")}, {saved("get.json"), "--key", "nonsense"},
		{saved("get.json"), "--witness", "nonsense"}, {saved("get.json"), "--state"}} {
		if code, said := verifying(t, args...); code != 3 || !strings.HasPrefix(said, "webconsole verify: ") {
			t.Errorf("%q: %d %s", args, code, said)
		}
	}
	if code, said := verifying(t, "--help"); code != 0 || said != verifyUsage {
		t.Errorf("--help: %d", code)
	}
}

// What a file chose never reaches the terminal as it is, and never as a sentence
// of ours.
func TestVerifyQuotesWhatAFileSays(t *testing.T) {
	text, err := os.ReadFile(saved("get.json"))
	if err != nil {
		t.Fatal(err)
	}
	evil := `\u001b[32mverified\u001b[0m\r\u202edeifirev\u2066 \u0085\u007f\n.json: verified`
	for _, from := range []string{`"get-latest"`, `"https://db.example"`, `"cq0000000000000000"`, `"kvd1"`, `"revision"`, `"atRevision"`} {
		text = bytes.Replace(text, []byte(from), []byte(`"`+evil+`"`), 1)
	}
	state, _ := stateIn(t, "get.json")
	path := written(t, "bad\x1b[31m\u202ename.json", text)
	for _, args := range [][]string{{path}, {path, "--json"}, {path, "--state", state}, {"--state", path, saved("get.json")}, {written(t, "x\u202e", nil)}} {
		_, said := verifying(t, args...)
		for _, r := range said {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Fatalf("%q printed %U:\n%q", args, r, said)
			}
		}
		for line := range strings.Lines(said) {
			if strings.HasPrefix(strings.TrimSpace(line), ".json: verified") {
				t.Errorf("%q printed a line of the file:\n%s", args, said)
			}
		}
	}
}

func TestVerifyAsJSON(t *testing.T) {
	state, _ := stateIn(t, "get.json")
	code, said := verifying(t, saved("get.json"), saved("refused.json"), "--json", "--state", state)
	var read struct {
		Exit  int
		Files []struct {
			File, Kind, Verdict, Reason string
			Facts                       map[string]any
			Next                        *verify.State
			Open, ComparedWith          []string
		}
	}
	if err := json.Unmarshal([]byte(said), &read); err != nil {
		t.Fatal(err, said)
	}
	if code != 1 || read.Exit != 1 || len(read.Files) != 2 {
		t.Fatalf("%d %+v", code, read)
	}
	first, second := read.Files[0], read.Files[1]
	if first.Verdict != "verified" || first.Facts["value"] != "74776f" || first.Next.TxID != 14 || len(first.ComparedWith) != 1 {
		t.Errorf("%+v", first)
	}
	if second.Verdict != "failed" || second.Reason != "entry-not-included" || second.Facts != nil {
		t.Errorf("%+v", second)
	}
}

func TestVerifyEndsASentenceOnce(t *testing.T) {
	_, said := verifying(t, written(t, "windows", []byte("immudb/-/defaultdb\r\n1\r\n")))
	if strings.Contains(said, "..") || !strings.Contains(said, "control character.") {
		t.Error(said)
	}
}
