package verify

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// Text is checked as a whole first: size, grammar, depth, doubled names (FORMAT.md
// 1). What is asked of it later is cut from the same bytes, so a text of 64 MiB
// takes little more memory than itself.

const (
	maxText  = 64 << 20
	maxDepth = 500
	maxNames = 1_000_000 // of one object
	maxSigns = 3_000_000 // of , { and [ outside of texts
)

// WellFormed says why text is no JSON that is read here, or "".
func WellFormed(text []byte) string {
	switch {
	case len(text) > maxText:
		return "The text is over 64 MiB."
	case !utf8.Valid(text):
		return "The text is not UTF-8."
	case !json.Valid(text):
		return "The text is not JSON, or nested far too deep."
	}
	l := limits{text: text}
	l.value(skipSpace(text, 0), 0)
	return l.why
}

// limits walks over text that is JSON.
type limits struct {
	text  []byte
	signs int
	why   string
}

// sign counts a sign that begins another value. It says whether to go on.
func (l *limits) sign() bool {
	if l.signs++; l.signs > maxSigns {
		l.why = "The text has too many parts."
	}
	return l.why == ""
}

// value goes over the value at i and returns where it ends.
func (l *limits) value(i, depth int) int {
	open := l.text[i]
	if open != '{' && open != '[' {
		return skipValue(l.text, i)
	}
	if depth++; depth > maxDepth {
		l.why = "The text is nested deeper than 500 levels."
	}
	var few [16]span
	names := few[:0]
	for l.sign() {
		if i = skipSpace(l.text, i+1); l.text[i] == '}' || l.text[i] == ']' {
			break // an empty one
		}
		if open == '{' {
			end := skipString(l.text, i)
			names = append(names, span{i, end})
			i = skipSpace(l.text, skipSpace(l.text, end)+1)
		}
		if i = skipSpace(l.text, l.value(i, depth)); l.why != "" || l.text[i] != ',' {
			break
		}
	}
	switch {
	case l.why != "":
	case len(names) > maxNames:
		l.why = "An object of the text has too many names."
	case l.hasTwice(names):
		l.why = "An object of the text has one name twice."
	}
	return i + 1
}

// span is where a name stands in the text.
type span struct{ from, to int }

// hasTwice compares names as they are meant: "\u0061" is "a".
func (l *limits) hasTwice(names []span) bool {
	compare := func(a, b span) int {
		return bytes.Compare(meant(l.text[a.from:a.to]), meant(l.text[b.from:b.to]))
	}
	if len(names) > 16 {
		slices.SortFunc(names, compare)
		for i := range names[1:] {
			if compare(names[i], names[i+1]) == 0 {
				return true
			}
		}
		return false
	}
	for i := range names {
		for j := range names[:i] {
			if compare(names[i], names[j]) == 0 {
				return true
			}
		}
	}
	return false
}

// meant is a JSON string without its quotes and escapes. Half a surrogate pair is
// U+FFFD (FORMAT.md 1.7).
func meant(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	out := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			out = append(out, inner[i])
			continue
		}
		i++
		if inner[i] != 'u' {
			out = append(out, escapes[inner[i]])
			continue
		}
		r := hexRune(inner[i+1:])
		i += 4
		if r>>10 == 0xd800>>10 && i+6 < len(inner) && inner[i+1] == '\\' && inner[i+2] == 'u' {
			if low := hexRune(inner[i+3:]); low>>10 == 0xdc00>>10 {
				out = utf8.AppendRune(out, 0x10000+(r-0xd800)<<10+(low-0xdc00))
				i += 6
				continue
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func hexDigit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

func hexRune(four []byte) rune {
	return hexDigit(four[0])<<12 | hexDigit(four[1])<<8 | hexDigit(four[2])<<4 | hexDigit(four[3])
}

// What follows cuts text that WellFormed has passed.

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

func skipString(text []byte, i int) int {
	for i++; text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func skipValue(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default: // of a number or a word
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// Members calls each for every name and value of an object, which WellFormed has
// passed as a part of a text.
func Members(object []byte, each func(name string, value []byte)) {
	members(object, func(name, value []byte) bool {
		each(string(meant(name)), value)
		return true
	})
}

// members calls each for every name and value of an object until it says false.
func members(object []byte, each func(name, value []byte) bool) {
	for i := skipSpace(object, 1); object[i] != '}'; {
		end := skipString(object, i)
		name := object[i:end]
		i = skipSpace(object, skipSpace(object, end)+1)
		end = skipValue(object, i)
		if !each(name, object[i:end]) {
			return
		}
		if i = skipSpace(object, end); object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
}

// elements calls each for every value of a list until it says false.
func elements(list []byte, each func(value []byte) bool) {
	for i := skipSpace(list, 1); list[i] != ']'; {
		end := skipValue(list, i)
		if !each(list[i:end]) {
			return
		}
		if i = skipSpace(list, end); list[i] == ',' {
			i = skipSpace(list, i+1)
		}
	}
}
