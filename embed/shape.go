package webconsole

import (
	"bytes"
	"errors"
	"fmt"
)

// What a gateway makes of a body takes far more memory than the body: it copies
// every value once for each list and object around it, and every value becomes
// a message. 1 MiB of lists in lists took 5 GiB, 16 MiB of empty objects 1.4 GiB.
// With these bounds no body takes much more than one plain value of the largest
// size does.
//
// The console's largest writes stay far below: documents go in up to 4 million
// characters at a time, in which at most every second one separates values.
const (
	// mostValues bounds the members and elements of all objects and lists.
	mostValues = 2_000_000
	// mostNesting bounds lists and objects within each other, as encoding/json does.
	// immudb stores documents that are nested thousands deep.
	mostNesting = 10_000
	// mostCopied bounds the sum of all bytes, each as often as lists and objects
	// are around it.
	mostCopied = 8 * callLimit
)

var errShape = errors.New("the shape of the body is beyond our bounds")

// shape follows a JSON text piece by piece and keeps only these few numbers. It
// does not check the text: where that is no JSON, the gateway makes nothing of
// it.
type shape struct {
	isText, isEscaped bool
	nesting, values   int
	copied            int64
	// excess says which bound was passed; "" for none.
	excess string
}

// fits reads the next piece, and is false once a bound is passed.
func (s *shape) fits(piece []byte) bool {
	if s.excess != "" {
		return false
	}
	for i := 0; i < len(piece); i++ {
		if s.isText && !s.isEscaped {
			// Values are mostly long texts, in which only these two mean something.
			n := bytes.IndexAny(piece[i:], `"\`)
			if n < 0 {
				n = len(piece) - i
			}
			s.copied += int64(s.nesting) * int64(n)
			if i += n; i == len(piece) {
				break
			}
		}
		b := piece[i]
		s.copied += int64(s.nesting)
		switch {
		case s.isEscaped:
			s.isEscaped = false
		case s.isText:
			s.isEscaped = b == '\\'
			s.isText = b != '"'
		case b == '"':
			s.isText = true
		case b == ',':
			s.values++
		case b == '{', b == '[':
			s.values++
			s.nesting++
			if s.nesting > mostNesting {
				s.excess = fmt.Sprintf("lists and objects that are nested more than %d deep", mostNesting)
				return false
			}
		case b == '}', b == ']':
			s.nesting = max(s.nesting-1, 0)
		}
	}
	switch {
	case s.values > mostValues:
		s.excess = fmt.Sprintf("more than %d values", mostValues)
	case s.copied > mostCopied:
		s.excess = "too much text deep inside lists and objects"
	}
	return s.excess == ""
}
