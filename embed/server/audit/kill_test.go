package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	webconsole "immudb-webconsole/embed"
)

// asAuditor makes the test program an auditor with the settings in the variable.
const asAuditor = "WEBCONSOLE_TEST_AS_AUDITOR"

type processSettings struct{ URL, Dir, Command string }

func TestMain(m *testing.M) {
	if text := os.Getenv(asAuditor); text != "" {
		var s processSettings
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			panic(err)
		}
		os.Exit(Run(context.Background(), Settings{
			Servers: []webconsole.Server{{URL: s.URL}}, User: testUser, Password: testPassword,
			Every: time.Millisecond, Dir: s.Dir, OnFinding: s.Command, Values: true,
		}, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// killed starts an auditor and kills it in the middle of whatever it does.
func killed(t *testing.T, s processSettings, after time.Duration) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), asAuditor+"="+string(text))
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after) // the moment is what is tested
	_ = command.Process.Kill()
	_ = command.Wait()
}

// A real process is killed again and again: no state is lost, none moves back, no
// finding is lost, each is told. WEBCONSOLE_KILLS=1000 does it that often.
func TestKilledAtAnyMoment(t *testing.T) {
	kills := 20
	if text := os.Getenv("WEBCONSOLE_KILLS"); text != "" {
		kills, _ = strconv.Atoi(text)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	h := startHistory(t, numbered("tx", 1, 300)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "told")
	f := &folder{dir: dir}
	if _, err := NewKey(dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	by, err := f.signer()
	if err != nil {
		t.Fatal(err)
	}
	s := processSettings{l.URL, dir, `echo "$FINDING" >> "` + log + `"`}
	var before *kept
	checkpointed, findings, advances, told := uint64(0), map[string]bool{}, 0, 0
	check := func(when string) {
		k, err := f.load("", "defaultdb")
		switch {
		case err != nil:
			t.Fatalf("%s: the state is lost: %v", when, err)
		case k == nil && before != nil:
			t.Fatalf("%s: the state is gone", when)
		case before != nil && (k.Trusted.TxID < before.Trusted.TxID || k.Walk.At().TxID < before.Walk.At().TxID):
			t.Fatalf("%s: moved back from %+v to %+v", when, before, k)
		case before != nil && k.Trusted.TxID > before.Trusted.TxID:
			advances++
		}
		before = k
		last, _, err := f.lastCheckpoint(f.checkpointFile("", "defaultdb"), by)
		if err != nil || (last == nil && checkpointed > 0) || (last != nil && (last.TxID < checkpointed || last.TxID > k.Trusted.TxID)) {
			t.Fatalf("%s: checkpoints: %+v %v, before %d", when, last, err, checkpointed)
		}
		if last != nil {
			checkpointed = last.TxID
		}
		// As the next start does it, and no process runs.
		if err := f.prepare(); err != nil {
			t.Fatal(err)
		}
		list, err := f.findings()
		if err != nil {
			t.Fatal(err)
		}
		now := map[string]bool{}
		for _, found := range list {
			text, err := os.ReadFile(f.findingFile(found.name))
			if err != nil {
				t.Fatal(err)
			}
			checkEvidence(t, text)
			now[found.name] = true
		}
		for name := range findings {
			if !now[name] {
				t.Fatalf("%s: the finding %s is lost", when, name)
			}
		}
		findings = now
	}
	for i := range kills {
		h.write(numbered(fmt.Sprintf("round %d", i), 1, 1+random.IntN(200))...)
		killed(t, s, time.Duration(20+random.IntN(230))*time.Millisecond)
		check(fmt.Sprintf("kill %d", i))
		if i%10 != 9 || before == nil {
			continue
		}
		// A contradiction, and the process dies while it is found, kept and told.
		shorter := startHistory(t, "other")
		l.lie(func() { l.databases["defaultdb"] = shorter })
		for again := 0; ; again++ {
			if again > 200 {
				t.Fatal("the finding was never told")
			}
			killed(t, s, time.Duration(20+random.IntN(230))*time.Millisecond)
			check(fmt.Sprintf("kill %d, lie %d", i, again))
			text, _ := os.ReadFile(log)
			if len(findings) == 1 && strings.Count(string(text), "\n") > 0 {
				break
			}
		}
		for name := range findings {
			text, _ := os.ReadFile(log)
			if !strings.Contains(string(text), name) {
				t.Fatalf("%s was not told: %s", name, text)
			}
			told++
			// A person moves it away, since the server is mended.
			if err := os.Rename(f.findingFile(name), filepath.Join(dir, findingsDir, acceptedDir, name+".json")); err != nil {
				t.Fatal(err)
			}
		}
		findings = map[string]bool{}
		_ = os.Remove(log)
		l.lie(func() { l.databases["defaultdb"] = h })
	}
	if advances == 0 || (kills >= 10 && told == 0) {
		t.Fatalf("%d advances and %d findings in %d kills: nothing was tested", advances, told, kills)
	}
	t.Logf("%d kills, %d with an advance, %d findings told; transaction %d", kills, advances, told, before.Trusted.TxID)
}
