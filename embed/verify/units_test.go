package verify

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"testing"
)

type units struct {
	EmptyRoot string
	Headers   []struct {
		Header         json.RawMessage
		InnerHash, Alh string
	}
	EntryDigests []struct {
		Version  uint16
		Key      []byte
		Metadata json.RawMessage
		Value    []byte
		Digest   string
	}
	EntryTrees []struct {
		Digests []string
		Root    string
	}
	GrowingTree []struct {
		Size           uint64
		Appended, Root string
	}
	StatePayload []struct {
		DB, TxID, TxHash, Payload string
	}
	PkEncodings []struct {
		Type    string
		Value   json.RawMessage
		MaxLen  uint32
		Encoded string
	}
	ZaddKey        string
	PublicKeyPem   string
	PublicKeyPoint string
}

func digestOf(t *testing.T, text string) digest {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		t.Fatal(text)
	}
	return digest(b)
}

func TestBuildingBlocksAreThoseOfTheVectors(t *testing.T) {
	var u units
	readJSON(t, "00-unit.json", &u)
	if hexOf(emptyHash) != u.EmptyRoot {
		t.Error("the hash of nothing is another one")
	}
	for _, v := range u.Headers {
		in := &reading{step: "answer"}
		h := readHeader(in.root(v.Header, headerFields...))
		if in.bad != nil || hexOf(h.inner()) != v.InnerHash || hexOf(h.Alh) != v.Alh {
			t.Errorf("header %s: %v", v.Header, in.bad)
		}
	}
	for _, v := range u.EntryDigests {
		in := &reading{step: "answer"}
		e := Entry{Key: v.Key, ValueHash: sha256.Sum256(v.Value)}
		e.Meta = readMeta(in.root([]byte(`{"metadata":`+string(v.Metadata)+`}`), "metadata"))
		if d, ok := e.digest(v.Version); in.bad != nil || !ok || hexOf(d) != v.Digest {
			t.Errorf("entry %x: %v", v.Key, in.bad)
		}
	}
	for _, v := range u.EntryTrees {
		var grown tree
		for _, d := range v.Digests {
			grown.add(digestOf(t, d))
		}
		if hexOf(grown.root(emptyHash)) != v.Root {
			t.Errorf("tree of %d entries", len(v.Digests))
		}
	}
	var grown tree
	for _, v := range u.GrowingTree {
		grown.add(digestOf(t, v.Appended))
		if grown.size != v.Size || hexOf(grown.root(digest{})) != v.Root {
			t.Errorf("tree of %d transactions", v.Size)
		}
	}
	for _, v := range u.PkEncodings {
		in := &reading{step: "request"}
		column := Column{Type: v.Type, MaxLen: v.MaxLen}
		_, key, ok := column.keyPart(in.root(v.Value, "n", "ts", "f", "b", "s", "bs"))
		if !ok || "80"+hex.EncodeToString(key) != v.Encoded {
			t.Errorf("%s %s: %x", v.Type, v.Value, key)
		}
	}
	if key := setKey([]byte("set"), -2.5, []byte("b"), 0); u.ZaddKey != hex.EncodeToString(key) {
		t.Errorf("set: %x", key)
	}
	key, err := ReadKey(u.PublicKeyPem)
	if err != nil {
		t.Fatal(err)
	}
	if hex.EncodeToString(keyBytes(key)[26:]) != u.PublicKeyPoint {
		t.Error("the key has another point")
	}
	for _, form := range [][]byte{keyBytes(key), keyBytes(key)[26:]} {
		again, err := ReadKey(base64.StdEncoding.EncodeToString(form))
		if err != nil || !again.Equal(key) || Fingerprint(again) != Fingerprint(key) {
			t.Errorf("%d bytes: %v", len(form), err)
		}
	}
}
