package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// mutated changes one place of a JSON text, at random.
func mutated(random *rand.Rand, text []byte) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return text
	}
	places := 0
	count := func(v any) any { places++; return v }
	walkJSON(value, count)
	at, seen := random.IntN(places), 0
	value = walkJSON(value, func(v any) any {
		if seen++; seen-1 != at {
			return v
		}
		return changedValue(random, v)
	})
	changed, err := json.Marshal(value)
	if err != nil {
		return text
	}
	return changed
}

func walkJSON(value any, change func(any) any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = walkJSON(v[name], change)
		}
	case []any:
		for i := range v {
			v[i] = walkJSON(v[i], change)
		}
	}
	return change(value)
}

func changedValue(random *rand.Rand, value any) any {
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) > 0 && random.IntN(3) > 0 {
			delete(v, names[random.IntN(len(names))])
		} else {
			v["surplus"] = 1
		}
		return v
	case []any:
		switch random.IntN(4) {
		case 0:
			return append(v, v...)
		case 1:
			slices.Reverse(v)
			return v
		case 2:
			return []any{}
		}
		return v[:len(v)/2]
	case string:
		if number, err := strconv.ParseUint(v, 10, 64); err == nil {
			return strconv.FormatUint(number+uint64(random.IntN(5))-2, 10)
		}
		if decoded, err := base64.StdEncoding.DecodeString(v); err == nil && len(decoded) > 0 && random.IntN(4) > 0 {
			decoded[random.IntN(len(decoded))] ^= 1 << random.IntN(8)
			return inBase64(decoded)
		}
		return v + "A"
	case float64:
		return v + float64(random.IntN(3)) - 1
	}
	return nil
}

// Answers are changed at random, and histories exchanged. Whatever it is told, an
// auditor that began with a history keeps points of that history and of no other,
// signs no other, and says of no other that it was proven.
func TestAgainstRandomLies(t *testing.T) {
	rounds := 120
	if text := os.Getenv("WEBCONSOLE_LIES"); text != "" {
		rounds, _ = strconv.Atoi(text)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	h := startHistory(t, numbered("tx", 1, 10)...)
	l := startLiar(t, map[string]*history{"defaultdb": h})
	a := auditorOf(t, l)
	if _, err := NewKey(a.settings.Dir, "auditor"); err != nil {
		t.Fatal(err)
	}
	by, err := a.folder().signer()
	if err != nil {
		t.Fatal(err)
	}
	a.want(ExitInPart)
	isOfHistory := func(at point) bool {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		header, err := h.store.ReadTxHeader(at.TxID, false, false)
		if err != nil {
			return false
		}
		alh := header.Alh()
		return bytes.Equal(alh[:], at.TxHash)
	}
	codes := map[int]int{}
	for round := range rounds {
		h.write(numbered(fmt.Sprintf("round %d", round), 1, 1+random.IntN(3))...)
		if random.IntN(5) == 0 {
			last := int(h.store.LastCommittedTxID())
			other := startHistory(t, numbered("other", 1, max(1, last+random.IntN(5)-2))...)
			l.lie(func() { l.databases["defaultdb"] = other })
		}
		share := 1 + random.IntN(4)
		l.lie(func() {
			l.changed = func(call string, answer []byte) []byte {
				l.mutex.Lock()
				defer l.mutex.Unlock()
				if call == "login" || random.IntN(share) > 0 {
					return answer
				}
				return mutated(random, answer)
			}
		})
		a.settings.Values = random.IntN(2) == 0
		code, events := a.once()
		codes[code]++
		k := a.kept("", "defaultdb")
		walked := pointOf(k.Walk.At())
		if !isOfHistory(k.Trusted) || (walked.TxID > 0 && !isOfHistory(walked)) {
			t.Fatalf("round %d keeps %+v: %+v", round, k, events)
		}
		for _, event := range of(events, "advanced") {
			if hash, _ := base64.StdEncoding.DecodeString(event.Hash); !isOfHistory(point{event.To, hash}) {
				t.Fatalf("round %d: %+v", round, event)
			}
		}
		if last, _, err := a.folder().lastCheckpoint(a.folder().checkpointFile("", "defaultdb"), by); err != nil || !isOfHistory(last.point) {
			t.Fatalf("round %d signed %+v %v", round, last, err)
		}
		list, err := a.folder().findings()
		if err != nil || (code == ExitContradicted) != (len(list) > 0) {
			t.Fatalf("round %d: code %d, %d findings, %v", round, code, len(list), err)
		}
		for _, found := range list {
			text, err := os.ReadFile(a.folder().findingFile(found.name))
			if err != nil {
				t.Fatal(err)
			}
			checkEvidence(t, text)
			if err := os.Remove(a.folder().findingFile(found.name)); err != nil {
				t.Fatal(err)
			}
		}
		l.lie(func() { l.changed, l.databases["defaultdb"] = nil, h })
	}
	a.want(ExitVerified)
	t.Logf("%d rounds, by exit code: %v", rounds, codes)
	if codes[ExitContradicted] == 0 || codes[ExitVerified]+codes[ExitInPart] == 0 {
		t.Error("nothing was tested")
	}
}
