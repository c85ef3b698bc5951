package files

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"immudb-webconsole/embed/verify"
)

// Quote is a text of a file or server as it may reach a terminal: in quotes, cut
// off when long, control characters and marks of direction as escapes.
func Quote(text string) string { return strconv.Quote(shorten(text)) }

const longest = 200

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest]) + "…"
}

// quoteBytes quotes bytes in hex, where they are text as text.
func quoteBytes(digits string) string {
	b, err := hex.DecodeString(digits)
	if err != nil || !utf8.Valid(b) {
		return "0x" + shorten(digits)
	}
	return Quote(string(b))
}

func moment(seconds string) string {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || n < 0 || n > 1<<37 {
		return "at " + seconds + " seconds"
	}
	return time.Unix(n, 0).UTC().Format("on 2 January 2006 at 15:04:05 UTC")
}

// Proven says what was proven, a sentence or a list of lines.
func Proven(found verify.Result) []string {
	byClock := "by the server's clock"
	switch facts := found.Facts.(type) {
	case verify.StateFacts:
		return []string{"The state: transaction " + facts.TxID + " with hash " + facts.Alh}
	case verify.TxFacts:
		h := &facts.Header
		lines := []string{fmt.Sprintf("Transaction %d, written %s %s, with %s", h.ID, moment(strconv.FormatInt(h.Ts, 10)), byClock, count(int(h.NEntries), "entry", "entries"))}
		if len(h.Extra) > 0 {
			lines = append(lines, "Added by the server: "+quoteBytes(hex.EncodeToString(h.Extra)))
		}
		for i, e := range facts.Entries {
			if i == 20 {
				lines = append(lines, fmt.Sprintf("and %s more", count(len(facts.Entries)-i, "entry", "entries")))
				break
			}
			lines = append(lines, "Entry "+entryWords(e))
		}
		return lines
	case verify.KeyFacts:
		line := "Key " + quoteBytes(facts.Key)
		switch facts.Kind {
		case "value":
			line += " with value " + quoteBytes(*facts.Value)
		case "hidden":
			line += " with a value of the hash " + facts.ValueHash
		case "reference":
			line += " as a reference to key " + quoteBytes(facts.ReferencedKey)
			if facts.ReferencedAtTx != "0" {
				line += " of transaction " + facts.ReferencedAtTx
			}
		}
		return []string{line + metaWords(facts.Meta), written(facts.Tx, facts.Ts)}
	case verify.RowFacts:
		lines := []string{fmt.Sprintf("A row of table number %d%s", facts.TableID, deletedWords(facts.Deleted))}
		for _, name := range sorted(facts.Named) {
			if cell := facts.Named[name]; cell == nil {
				lines = append(lines, Quote(name)+": NULL")
			} else {
				lines = append(lines, Quote(name)+": "+jsonWords(cell.Value))
			}
		}
		if len(facts.Hidden) > 0 {
			lines = append(lines, count(len(facts.Hidden), "cell", "cells")+" of dropped columns")
		}
		return append(lines, written(facts.Tx, facts.Ts))
	case verify.DocumentFacts:
		lines := []string{fmt.Sprintf("Document %s of collection number %d%s", facts.DocumentID, facts.CollectionID, deletedWords(facts.Deleted))}
		for _, name := range sorted(facts.Document) {
			lines = append(lines, Quote(name)+": "+jsonWords(facts.Document[name]))
		}
		return append(lines, written(facts.Tx, facts.Ts))
	case verify.AuditFacts:
		return []string{fmt.Sprintf("The history up to transaction %s with hash %s: %s, %s", facts.TxID, facts.Alh,
			count(len(found.Walked)-len(found.Open), "transaction", "transactions"), count(int(facts.Entries), "entry", "entries"))}
	case verify.ForkFacts:
		lines := []string{"Two histories that are the same up to transaction " + facts.After + " and differ in the next one"}
		for i, side := range facts.Sides {
			key := "signed by nobody"
			if side.Key != nil {
				key = "signed with the key " + *side.Key
			}
			lines = append(lines, fmt.Sprintf("Side %d: database %s, state at transaction %s, %s; its next transaction has hash %s",
				i+1, Quote(side.DB), side.StateTx, key, side.Alh))
		}
		return lines
	}
	return nil
}

func written(tx, ts string) string {
	return "Written in transaction " + tx + ", " + moment(ts) + " by the server's clock"
}

func deletedWords(isDeleted bool) string {
	if isDeleted {
		return ", deleted in this transaction; this is its last content"
	}
	return ""
}

func metaWords(meta verify.Meta) string {
	var words string
	if meta.Deleted {
		words += ", deleted"
	}
	if meta.ExpiresAt != nil {
		words += ", expires " + moment(strconv.FormatInt(*meta.ExpiresAt, 10))
	}
	if meta.NonIndexable {
		words += ", in no index"
	}
	return words
}

// entryWords shows a plain key and its value without their prefixes (VERIFY.md
// 3.2), and everything else as it is stored.
func entryWords(e verify.Entry) string {
	key, value := e.Key, e.Value
	isPlain := len(key) > 0 && key[0] == 0
	if isPlain {
		key = key[1:]
	}
	line := quoteBytes(hex.EncodeToString(key))
	if value != nil {
		if isPlain && value[0] == 0 {
			value = value[1:]
		}
		return line + " with value " + quoteBytes(hex.EncodeToString(value)) + metaWords(e.Meta)
	}
	return line + " with a value of the hash " + hex.EncodeToString(e.ValueHash[:]) + metaWords(e.Meta)
}

func jsonWords(value any) string {
	if text, isText := value.(string); isText {
		return Quote(text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return shorten(ASCII(text))
}

// ASCII is JSON in which everything that is not printable is an escape.
func ASCII(text []byte) string {
	var out strings.Builder
	for _, r := range string(text) {
		switch {
		case strconv.IsPrint(r):
			out.WriteRune(r)
		case r == '\n' || r == ' ':
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

func sorted[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// ComparedWith says what vouches for a file, or contradicts it.
func (r *Report) ComparedWith() []string {
	var lines []string
	of := func(known Known) string {
		line := fmt.Sprintf("transaction %d of %s", known.State.TxID, Quote(known.Database))
		if known.By != "" {
			line += ", from " + Quote(known.By)
		}
		return line
	}
	for i, known := range r.Vouching {
		if i == 10 {
			lines = append(lines, fmt.Sprintf("and %s more", count(len(r.Vouching)-i, "state", "states")))
			break
		}
		lines = append(lines, "The same as the given state at "+of(known))
	}
	for i, known := range r.Against {
		if i == 10 {
			break
		}
		lines = append(lines, fmt.Sprintf("Another hash than the given state at %s, which has %x", of(known), known.State.TxHash))
	}
	if r.VouchedKey {
		lines = append(lines, "Signed with a given key")
	}
	if r.AgainstKey {
		lines = append(lines, "Another key than the given ones")
	}
	return lines
}

// NotShown names what a file never shows, of what applies to it (7.4).
func (e *Evidence) NotShown(r *Report) []string {
	found := &r.Result
	lines := []string{"that the server ever gave this answer, and still does"}
	if found.Verdict == verify.Refused {
		lines[0] = "that the server ever gave this answer: anyone can make a wrong one"
	}
	add := func(applies bool, line string) {
		if applies {
			lines = append(lines, line)
		}
	}
	isOK := found.Verdict == verify.Verified
	isOpen := func(part string) bool { return isOK && slices.Contains(found.Open, part) }
	add(e.Kind == "fork", "which of the two is the true history")
	add(e.Kind != "fork" && len(r.Vouching) == 0 && !r.VouchedKey, "whose history this is: compare the trusted state in the file with one that you know")
	add(isOK && found.FirstUse, "that the history had this transaction before: it was a first contact")
	add(isOK && e.PublicKey == "" && e.Kind != "fork", "that the server signed it")
	add(isOK && e.PublicKey != "" && !r.VouchedKey, "whose key signed it")
	add(isOK && e.Trusted != nil && found.Next != nil && found.Next.TxID > e.Trusted.TxID && !found.FirstUse && e.Kind != "audit" && e.Kind != "fork",
		"that the history you know went on from the older state to this one")
	add(isOK && (e.Kind == "get" || e.Kind == "row" || e.Kind == "document"), "that it is the newest value, or still there")
	add(isOpen("description") && e.Kind == "row", "the names of the table and its columns, which are the server's word")
	add(isOpen("description") && e.Kind == "document", "the name of the collection, which is the server's word")
	add(isOpen("tree"), "its place in the chain: it was found in the tree")
	add(isOpen("entries"), "the other entries of the transaction: another one could have the same key")
	add(isOpen("before"), "what came before the place where the audit continued")
	if facts, ok := found.Facts.(verify.TxFacts); ok {
		add(!facts.IsListed, "the entries of the transaction, which are not in the answer")
		isHashed := func(entry verify.Entry) bool { return entry.Value == nil && !entry.Meta.Deleted }
		add(slices.ContainsFunc(facts.Entries, isHashed), "the values that only have a hash")
	}
	if facts, ok := found.Facts.(verify.KeyFacts); ok {
		add(facts.Kind == "reference", "what the reference refers to")
		add(facts.Kind == "hidden", "the value, which only has a hash")
	}
	add(e.Kind == "audit", "which transactions and values the audit read before, and what its report says")
	return lines
}

// Words are sentences for the first lines of a report.
func (e *Evidence) Words(r *Report) string {
	found := &r.Result
	switch {
	case r.Is == "altered":
		return "The file was changed after it was saved: checking it gives another result than it says."
	case r.Word == Failed:
		return "The answer in the file is wrong: " + found.Why
	case r.Is == "forked":
		return "Both histories are known here, and they part."
	case r.Is == "redescribed":
		return "The server describes it otherwise than before: " + found.Why
	case r.Word == Contradicted:
		return "The file contradicts what you gave to compare with."
	case r.Word == Verified:
		return "The content is proven, in the history that you know."
	case r.Word == InPart:
		return "The content is proven, in the history that you know, but for what is named below."
	case found.Verdict == verify.Unproven:
		return found.Why
	case e.Kind == "fork":
		return "The certificate is right in itself. It shows a fork once both histories are known here."
	case found.FirstUse:
		return "The file is consistent in itself. Nothing that you gave vouches for it."
	}
	return "The file is consistent with the trusted state in it. Nothing that you gave vouches for that state."
}

// Claims quotes what a file says of itself.
func (e *Evidence) Claims() []string {
	lines := []string{"It calls itself " + Quote(e.What) + ", checked at " + Quote(e.CheckedAt)}
	if e.Kind == "fork" {
		for i := range e.sides {
			lines = append(lines, fmt.Sprintf("It calls side %d %s, at %s", i+1, Quote(e.names[i]), Quote(e.sides[i].Origin)))
		}
		return lines
	}
	server := "It names the server " + Quote(e.Server.Origin)
	if e.Server.ID != "" {
		server += " with the id " + Quote(e.Server.ID)
	}
	return append(lines, server)
}
