package webconsole

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		header string // "-" is no header at all
		want   string // "" is nothing acceptable
	}{
		{"-", "identity"},
		{"", "identity"},
		{"gzip", "gzip"},
		{"br", "br"},
		{"gzip, deflate, br, zstd", "br"},
		{"GZIP", "gzip"},
		{"x-gzip", "gzip"},
		{"br;q=0.5, gzip", "gzip"},
		{"br;q=0.5, gzip;q=0.8", "gzip"},
		{"br; q=1.0 , gzip; q=0.9", "br"},
		{"br;q=0, gzip;q=0", "identity"},
		{"br;q=0", "identity"},
		{"*", "br"},
		{"*;q=0", ""},
		{"*;q=0, gzip", "gzip"},
		{"br;q=0, *", "gzip"},
		{"identity;q=0", ""},
		{"identity;q=0, gzip;q=0.1", "gzip"},
		{"identity, gzip;q=0.5", "identity"},
		{"gzip;q=0.5, *;q=0.7", "br"},
		{"zstd", "identity"},
		{"gzip;q=2", "identity"},
		{"gzip;q=x", "identity"},
		{"gzip;q=NaN", "identity"},
		{"gzip;level=3;q=0", "identity"},
	} {
		headers := []string{c.header}
		if c.header == "-" {
			headers = nil
		}
		got, ok := negotiate(headers, "br", "gzip", identity)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, %v; want %q", c.header, got, ok, c.want)
		}
	}
}

func TestEncodings(t *testing.T) {
	handler := testSite(t)
	for _, c := range []struct {
		path, accept string
		status       int
		encoding     string
	}{
		{"/assets/main-ABCD.js", "br, gzip", 200, "br"},
		{"/assets/main-ABCD.js", "gzip", 200, "gzip"},
		{"/assets/main-ABCD.js", "gzip;q=0", 200, ""},
		{"/assets/main-ABCD.js", "*;q=0", 406, ""},
		{"/licences.txt", "br, gzip", 200, "gzip"}, // the build made no brotli copy
		{"/licences.txt", "br", 200, ""},
		{"/assets/dot-EFGH.png", "br, gzip", 200, ""}, // compressed already
		{"/assets/dot-EFGH.png", "gzip, identity;q=0", 200, "gzip"},
		{"/", "br", 200, ""}, // the copy has the policy for plain file servers
		{"/", "br, gzip", 200, "gzip"},
		{"/query/", "br", 200, ""},
		{"/query/", "gzip", 200, "gzip"},
		{"/nowhere", "gzip", 404, "gzip"},
	} {
		answer := ask(handler, http.MethodGet, c.path, "Accept-Encoding", c.accept)
		got := answer.Header().Get("Content-Encoding")
		if answer.Code != c.status || got != c.encoding {
			t.Errorf("%s with %q: %d %q, want %d %q", c.path, c.accept, answer.Code, got, c.status, c.encoding)
		}
		if vary := answer.Header().Get("Vary"); vary != "Accept-Encoding" {
			t.Errorf("%s: Vary %q", c.path, vary)
		}
	}
}

func TestGzipHoldsTheSameBytes(t *testing.T) {
	answer := ask(testSite(t), http.MethodGet, "/licences.txt", "Accept-Encoding", "gzip")
	reader, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(reader)
	if err != nil || string(body) != testFiles()["licences.txt"] {
		t.Errorf("unpacked %q, %v", body, err)
	}
}

func TestConditionalRequests(t *testing.T) {
	handler := testSite(t)
	tags := map[string]string{}
	for _, accept := range []string{"identity", "gzip", "br"} {
		answer := ask(handler, http.MethodGet, "/assets/main-ABCD.js", "Accept-Encoding", accept)
		tag := answer.Header().Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || tags[tag] != "" {
			t.Errorf("%s: tag %s is weak or that of %s", accept, tag, tags[tag])
		}
		tags[tag] = accept
	}
	for tag, accept := range tags {
		for _, c := range []struct {
			match  string
			status int
		}{
			{tag, 304},
			{"W/" + tag, 304},
			{`"other", ` + tag, 304},
			{"*", 304},
			{`"other"`, 200},
			{strings.Trim(tag, `"`), 200},
		} {
			answer := ask(handler, http.MethodGet, "/assets/main-ABCD.js", "Accept-Encoding", accept, "If-None-Match", c.match)
			if answer.Code != c.status || (c.status == 304) != (answer.Body.Len() == 0) {
				t.Errorf("%s, If-None-Match %s: %d with %d bytes", accept, c.match, answer.Code, answer.Body.Len())
			}
			if c.status == 304 && (answer.Header().Get("ETag") != tag || answer.Header().Get("Cache-Control") != cacheForever) {
				t.Errorf("304 without its headers: %v", answer.Header())
			}
		}
	}
	if other := ask(handler, http.MethodGet, "/assets/main-ABCD.js", "Accept-Encoding", "gzip", "If-None-Match", "*"); other.Header().Get("Content-Type") != "" {
		t.Error("304 with a content type")
	}
}

func TestErrorPageIsNeverNotModified(t *testing.T) {
	answer := ask(testSite(t), http.MethodGet, "/nowhere", "If-None-Match", "*")
	if answer.Code != 404 || answer.Header().Get("ETag") != "" {
		t.Errorf("%d, ETag %q", answer.Code, answer.Header().Get("ETag"))
	}
}
