// Command answers checks answers for a differential run. It reads lines of JSON
// {"kind", "context", "request", "response"} and writes a line for each:
// {"verdict", "why", "reason", "step", "part", "next", "firstUse", "signed",
// "open", "facts"}. The three texts are taken as they came, so a doubled name in
// them is seen. A line that is no such object gets {"verdict": "unreadable"}.
//
// A line {"file", "states", "keys"} has a whole file, as base64, and trusted states and
// keys that a reader gives. It gets {"verdict": "file", "word"}, as FORMAT.md 7.3 calls it.
//
// It writes what it has whenever no further line waits, so that a program may
// also ask line by line.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"

	"immudb-webconsole/embed/verify"
	"immudb-webconsole/embed/verify/files"
)

type line struct {
	Kind                       string
	Context, Request, Response json.RawMessage
	File                       []byte
	States                     []struct{ Database, TxID, TxHash, Server, Address string }
	Keys                       []string
}

type answer struct {
	Verdict  verify.Verdict `json:"verdict"`
	Why      string         `json:"why,omitempty"`
	Reason   string         `json:"reason,omitempty"`
	Step     string         `json:"step,omitempty"`
	Part     string         `json:"part,omitempty"`
	Expected string         `json:"expected,omitempty"`
	Received string         `json:"received,omitempty"`
	Next     *verify.State  `json:"next"`
	FirstUse bool           `json:"firstUse"`
	Signed   bool           `json:"signed"`
	Open     []string       `json:"open"`
	Facts    any            `json:"facts"`
	Word     files.Word     `json:"word,omitempty"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		os.Stderr.WriteString("answers: " + err.Error() + "\n")
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	lines, results := bufio.NewReaderSize(in, 1<<20), bufio.NewWriterSize(out, 1<<20)
	write := json.NewEncoder(results)
	for {
		text, err := lines.ReadBytes('\n')
		if len(text) > 1 {
			if err := write.Encode(check(text)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return results.Flush()
		}
		if err != nil {
			return err
		}
		if lines.Buffered() == 0 {
			if err := results.Flush(); err != nil {
				return err
			}
		}
	}
}

func check(text []byte) answer {
	var asked line
	if json.Unmarshal(text, &asked) != nil {
		return answer{Verdict: "unreadable", Open: []string{}}
	}
	if asked.File != nil {
		return checkFile(&asked)
	}
	r := verify.Answer(asked.Kind, asked.Context, asked.Request, asked.Response)
	open := r.Open
	if open == nil {
		open = []string{}
	}
	return answer{r.Verdict, r.Why, r.Reason, r.Step, r.Part, r.Expected, r.Received, r.Next, r.FirstUse, r.Signed, open, r.Facts, ""}
}

func checkFile(asked *line) answer {
	found := answer{Verdict: "file", Word: files.Unreadable, Open: []string{}}
	evidence, err := files.ReadEvidence(asked.File)
	if err != nil {
		found.Why = err.Error()
		return found
	}
	var given files.Given
	for _, s := range asked.States {
		known := files.Known{Database: s.Database, Server: files.Server{ID: s.Server, Origin: s.Address}}
		text, _ := json.Marshal(map[string]string{"txId": s.TxID, "txHash": s.TxHash})
		if err := json.Unmarshal(text, &known.State); err != nil {
			found.Verdict, found.Why = "unreadable", err.Error()
			return found
		}
		given.States = append(given.States, known)
	}
	for _, text := range asked.Keys {
		key, err := verify.ReadKey(text)
		if err != nil {
			found.Verdict, found.Why = "unreadable", err.Error()
			return found
		}
		given.Keys = append(given.Keys, key)
	}
	report := evidence.Check(given)
	found.Word, found.Why = report.Word, report.Is
	return found
}
