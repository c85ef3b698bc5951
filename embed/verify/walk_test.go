package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAWalkGoesOnAfterItRested(t *testing.T) {
	h := historyOf(40, "a")
	for size := 1; size <= 41; size += 3 {
		walk := NewWalk()
		for from := 1; from <= 40; from += size {
			to := min(from+size-1, 40)
			found := walk.Page(h.known(40), h.page(from, to, false))
			if wanted := map[bool]Verdict{true: Verified, false: Unproven}[to == 40]; found.Verdict != wanted || walk.At() != h.state(to) {
				t.Fatalf("pages of %d, to %d: %s %s", size, to, found.Verdict, found.Reason)
			}
			kept, err := json.Marshal(walk)
			if err != nil {
				t.Fatal(err)
			}
			resumed := NewWalk()
			if err := json.Unmarshal(kept, resumed); err != nil {
				t.Fatal(err)
			}
			if again, _ := json.Marshal(resumed); !bytes.Equal(again, kept) || resumed.Entries() != uint64(to) {
				t.Fatalf("kept %s, then %s", kept, again)
			}
			walk = resumed
		}
	}
}

func TestAWalkBegunBehindStandsWhereOneFromTheFirstStands(t *testing.T) {
	h := historyOf(70, "a")
	walk := NewWalk()
	for tx := 1; tx <= 70; tx++ {
		walk.Page(Context{}, h.page(tx, tx, false))
		behind, found := WalkBehind(h.known(tx), h.proof(tx, tx))
		if behind == nil {
			t.Fatalf("behind %d: %s %s", tx, found.Verdict, found.Reason)
		}
		one, _ := json.Marshal(map[string]any{"a": walk.tree.peaks, "b": walk.queue, "c": walk.At()})
		other, _ := json.Marshal(map[string]any{"a": behind.tree.peaks, "b": behind.queue, "c": behind.At()})
		if !bytes.Equal(one, other) || behind.tree.size != walk.tree.size {
			t.Fatalf("behind %d", tx)
		}
		if tx < 70 {
			if found := behind.Page(h.known(70), h.page(tx+1, 70, false)); found.Verdict != Verified || fmt.Sprint(found.Open) != "[before]" || behind.Began() != uint64(tx) {
				t.Errorf("on from %d: %s %s %v", tx, found.Verdict, found.Reason, found.Open)
			}
		}
	}
	lagging := historyOf(10, "a")
	lagging.grow(9, plain("x", "v"))
	lagging.grow(9, plain("y", "v"))
	if behind, found := WalkBehind(lagging.known(12), lagging.proof(12, 12)); behind != nil || found.Verdict != Unproven {
		t.Errorf("behind a tree that lags: %s", found.Verdict)
	}
	other := historyOf(12, "b")
	if behind, found := WalkBehind(h.known(12), other.proof(12, 12)); behind != nil || found.Verdict != Refused {
		t.Errorf("behind another history: %s", found.Verdict)
	}
}

func TestAPageThatIsWrongLeavesTheWalkWhereItWas(t *testing.T) {
	h, other := historyOf(12, "a"), historyOf(12, "b")
	begin := func() *Walk {
		walk := NewWalk()
		if found := walk.Page(h.known(12), h.page(1, 6, false)); found.Verdict != Unproven {
			t.Fatal(found.Why)
		}
		return walk
	}
	swapped := strings.Replace(string(h.page(7, 8, false)), `"id":"8"`, `"id":"9"`, 1)
	bent := func(from, to string) []byte {
		page := string(h.page(7, 12, false))
		if !strings.Contains(page, from) {
			t.Fatal(from)
		}
		return []byte(strings.Replace(page, from, to, 1))
	}
	for name, page := range map[string][]byte{
		"of another history": other.page(7, 12, false),
		"of a gap":           h.page(8, 12, false),
		"again":              h.page(6, 12, false),
		"beyond the end":     append(bytes.Clone(h.page(7, 12, false)), ' ', '}'),
		"empty":              []byte(`{}`),
		"swapped":            []byte(swapped),
		"with another root":  bent(b64(h.headers[9].BlRoot), b64(h.headers[8].BlRoot)),
		"with another entry": bent(b64(h.entries[8][0].ValueHash), b64(emptyHash)),
		"without entries":    bent(`"entries":`, `"entries":null,"kvEntries":[],"zEntries":[],"more":`),
	} {
		walk := begin()
		before, _ := json.Marshal(walk)
		if found := walk.Page(h.known(12), page); found.Verdict != Refused {
			t.Errorf("a page %s is %s", name, found.Verdict)
		}
		if after, _ := json.Marshal(walk); !bytes.Equal(before, after) {
			t.Errorf("a page %s moved the walk", name)
		}
		if found := walk.Page(h.known(12), h.page(7, 12, false)); found.Verdict != Verified {
			t.Errorf("after a page %s: %s %s", name, found.Verdict, found.Reason)
		}
	}
	for _, trusted := range []Context{h.known(11), {Database: "db", Trusted: &State{12, other.headers[11].Alh}}} {
		if found := begin().Page(trusted, h.page(7, 12, false)); found.Reason != "audit" {
			t.Errorf("past the trusted state: %s %s", found.Verdict, found.Reason)
		}
	}
	for _, record := range []string{`{}`, `{"txId":"1"}`, `{"txId":"2","alh":"` + b64(emptyHash) + `","size":1,"peaks":[],"queue":["` + b64(emptyHash) + `"]}`,
		`{"txId":"3","alh":"` + b64(emptyHash) + `","queue":[]}`, `[]`, `{"txId":"0","txId":"0","alh":"` + b64(emptyHash) + `"}`} {
		if err := json.Unmarshal([]byte(record), NewWalk()); err == nil {
			t.Errorf("resumed from %s", record)
		}
	}
}

func TestValuesBelongToThePageBefore(t *testing.T) {
	h := historyOf(6, "a")
	h.grow(6, plain("x", "1"), plain("y", "22"), plain("z", ""))
	walk := NewWalk()
	walk.Page(h.known(7), h.page(1, 7, false))
	seen := 0
	found := walk.Values(h.page(1, 7, true), func(tx *Header, e *Entry, value []byte) {
		if seen++; !bytes.Equal(value, h.entries[tx.ID-1][map[bool]int{true: seen - 7, false: 0}[tx.ID == 7]].Value) {
			t.Errorf("transaction %d, %q: %q", tx.ID, e.Key, value)
		}
	})
	if facts := found.Facts.(ValueFacts); found.Verdict != Verified || seen != 9 || facts != (ValueFacts{9, 9, 18}) {
		t.Errorf("%s %s %+v, %d seen", found.Verdict, found.Reason, found.Facts, seen)
	}
	left := func(change func(object)) []byte {
		var page object
		_ = json.Unmarshal(h.page(1, 7, true), &page)
		last := page["txs"].([]any)[6].(object)
		change(last)
		return text(page)
	}
	entries := func(tx object) []any { return tx["entries"].([]any) }
	for name, one := range map[string]struct {
		page    []byte
		verdict Verdict
		reason  string
		seen    uint64
	}{
		"left out":         {left(func(tx object) { tx["entries"] = entries(tx)[1:] }), Verified, "", 8},
		"all left out":     {left(func(tx object) { delete(tx, "entries") }), Verified, "", 6},
		"in another order": {left(func(tx object) { e := entries(tx); e[0], e[1] = e[1], e[0] }), Refused, "tx-mismatch", 0},
		"twice":            {left(func(tx object) { tx["entries"] = append(entries(tx)[:1], entries(tx)...) }), Refused, "tx-mismatch", 0},
		"of another hash":  {left(func(tx object) { entries(tx)[0].(object)["value"] = "AAAA" }), Refused, "value-mismatch", 0},
		"of other keys":    {historyOf(7, "a").page(1, 7, true), Refused, "tx-mismatch", 0},
		"too few":          {h.page(1, 6, true), Refused, "tx-mismatch", 0},
		"too many":         {text(object{"txs": append([]object{h.tx(1, true)}, h.tx(1, true), h.tx(1, true), h.tx(1, true), h.tx(1, true), h.tx(1, true), h.tx(1, true), h.tx(1, true))}), Refused, "tx-mismatch", 0},
	} {
		found := walk.Values(one.page, nil)
		if found.Verdict != one.verdict || found.Reason != one.reason {
			t.Errorf("values %s: %s %s (%s)", name, found.Verdict, found.Reason, found.Why)
		} else if facts, ok := found.Facts.(ValueFacts); ok && facts.Seen != one.seen {
			t.Errorf("values %s: %d seen, want %d", name, facts.Seen, one.seen)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	h := &history{db: "db"}
	for i := range 1000 {
		h.grow(0, plain(fmt.Sprintf("key %d", i), "a value of some length"))
	}
	// The tree grows with the walk; the prover above is too slow for that.
	var grown tree
	for i := range h.headers {
		header := &h.headers[i]
		if i > 0 {
			header.PrevAlh = h.headers[i-1].Alh
			grown.add(header.PrevAlh)
		}
		header.BlTxID, header.BlRoot = uint64(i), grown.root(digest{})
		header.Alh = chain(header.ID, header.PrevAlh, header.inner())
	}
	page, values := h.page(1, 1000, false), h.page(1, 1000, true)
	b.Run("digests", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			if NewWalk().Page(h.known(1000), page).Verdict != Verified {
				b.Fatal("not proven")
			}
		}
	})
	b.Run("values", func(b *testing.B) {
		b.SetBytes(int64(len(page) + len(values)))
		for b.Loop() {
			walk := NewWalk()
			if walk.Page(h.known(1000), page).Verdict != Verified || walk.Values(values, nil).Verdict != Verified {
				b.Fatal("not proven")
			}
		}
	})
}
