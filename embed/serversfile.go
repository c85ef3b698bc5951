package webconsole

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// serverEntry is one server as a file has it.
type serverEntry struct {
	Name        string `json:"name"`
	URL         string `json:"url"`
	Metrics     string `json:"metrics"`
	CA          string `json:"ca"`
	Certificate string `json:"cert"`
	Key         string `json:"key"`
	Timeout     string `json:"timeout"`
}

// ReadServers reads a list from a JSON file:
//
//	[{"name": "eu", "url": "https://db1:8080", "metrics": "https://db1:9497/metrics",
//	  "ca": "ca.pem", "cert": "client.pem", "key": "client.key", "timeout": "30s"}]
//
// Only name and url are required. Names of files are relative to the folder of
// the list. NewServers and Set check the rest.
func ReadServers(file string) ([]Server, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var entries []serverEntry
	if err := decoder.Decode(&entries); err != nil {
		return nil, fmt.Errorf("%s: want a JSON list of servers: %w", file, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is more text after the list", file)
	}
	list := make([]Server, len(entries))
	for i, entry := range entries {
		if list[i], err = entry.server(filepath.Dir(file)); err != nil {
			return nil, fmt.Errorf("%s: server %q: %w", file, entry.Name, err)
		}
	}
	return list, nil
}

func (e serverEntry) server(folder string) (Server, error) {
	server := Server{Name: e.Name, URL: e.URL, Metrics: e.Metrics}
	for _, file := range []struct {
		from string
		to   *string
	}{{e.CA, &server.CA}, {e.Certificate, &server.Certificate}, {e.Key, &server.Key}} {
		*file.to = file.from
		if file.from != "" && !filepath.IsAbs(file.from) {
			*file.to = filepath.Join(folder, file.from)
		}
	}
	if e.Timeout == "" {
		return server, nil
	}
	timeout, err := time.ParseDuration(e.Timeout)
	if err != nil || timeout <= 0 {
		return server, fmt.Errorf("the timeout %q is not a time such as \"30s\"", e.Timeout)
	}
	server.Timeout = timeout
	return server, nil
}
