package verify

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"
)

// keyPrefix is what stands before the point in the 91 bytes of a key (5).
var keyPrefix, _ = hex.DecodeString("3059301306072a8648ce3d020106082a8648ce3d030107034200")

// ReadKey reads a public key (5): PEM, base64 of its 91 bytes, or base64 of the
// point 04 || x || y, which must be on the curve P-256.
func ReadKey(text string) (*ecdsa.PublicKey, error) {
	text = string(bytes.TrimSpace([]byte(text)))
	var der []byte
	if block, rest := pem.Decode([]byte(text)); block != nil {
		if block.Type != "PUBLIC KEY" || len(bytes.TrimSpace(rest)) > 0 {
			return nil, errors.New("the PEM text is not one public key")
		}
		der = block.Bytes
	} else if der, _ = decode([]byte(text)); len(der) == 65 {
		der = append(bytes.Clone(keyPrefix), der...)
	}
	if len(der) != 91 || !bytes.HasPrefix(der, keyPrefix) {
		return nil, errors.New("this is no public key of the curve P-256, as PEM or base64")
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), der[26:])
	if err != nil {
		return nil, errors.New("the key is no point of the curve P-256")
	}
	return key, nil
}

// keyBytes are the 91 bytes of a key.
func keyBytes(key *ecdsa.PublicKey) []byte {
	point, err := key.Bytes()
	if err != nil {
		return nil
	}
	return append(bytes.Clone(keyPrefix), point...)
}

// Fingerprint is SHA-256 of the key's 91 bytes, in hex (5).
func Fingerprint(key *ecdsa.PublicKey) string {
	sum := sha256.Sum256(keyBytes(key))
	return hex.EncodeToString(sum[:])
}

// signature is what an answer has of one (5).
type signature struct {
	isThere        bool
	publicKey, der []byte
}

func readSignature(m *message) signature {
	s := m.sub("signature", "publicKey", "signature")
	return signature{m.has("signature"), s.bytes("publicKey"), s.bytes("signature")}
}

// payloadHash is what is signed of a state of a database (5).
func payloadHash(db string, state State) digest {
	payload := binary.BigEndian.AppendUint32(nil, uint32(len(db)))
	payload = append(payload, db...)
	payload = binary.BigEndian.AppendUint64(payload, state.TxID)
	payload = append(payload, state.TxHash[:]...)
	return sha256.Sum256(payload)
}

// isBy says whether it is the key's, over a state of a database (5).
func (s signature) isBy(key *ecdsa.PublicKey, db string, state State) bool {
	sum := payloadHash(db, state)
	return s.isThere && bytes.Equal(s.publicKey, keyBytes(key)[26:]) && ecdsa.VerifyASN1(key, sum[:], s.der)
}

// check refuses what a pinned key did not sign (5). Without one nothing is checked.
func (s signature) check(known *Context, state State) *refusal {
	if known.hasWrongKey {
		return refuse("malformed", "context", "publicKey", "The pinned key is no point of the curve P-256.")
	}
	if known.Key == nil || s.isBy(known.Key, known.Database, state) {
		return nil
	}
	bad := refuse("signature", "signature", "signature", "The signature is not one of the pinned key over this state.")
	switch {
	case !s.isThere:
		bad.why = "The pinned key signed nothing here."
	case !bytes.Equal(s.publicKey, keyBytes(known.Key)[26:]):
		bad.part, bad.why = "publicKey", "The signature is of another key than the pinned one."
	}
	bad.received = hexOf(payloadHash(known.Database, state))
	return bad
}
