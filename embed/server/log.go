package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	webconsole "immudb-webconsole/embed"
)

// newLog is nil without --log-format. Then the few lines about the start and
// about trouble are plain text, and requests leave none.
func newLog(format string, to io.Writer) *slog.Logger {
	switch format {
	case "json":
		return slog.New(slog.NewJSONHandler(to, nil))
	case "text":
		return slog.New(slog.NewTextHandler(to, nil))
	}
	return nil
}

// logLines makes a record of each line that is written to it.
type logLines struct {
	log *slog.Logger

	mutex sync.Mutex
	rest  []byte
}

// Write is part of io.Writer.
func (l *logLines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.rest = append(l.rest, p...)
	for {
		line, rest, isWhole := bytes.Cut(l.rest, []byte("\n"))
		if !isWhole {
			return len(p), nil
		}
		l.rest = rest
		level := slog.LevelInfo
		text, isWarning := strings.CutPrefix(string(line), "Warning: ")
		if isWarning {
			level = slog.LevelWarn
		}
		if text != "" {
			l.log.Log(context.Background(), level, text)
		}
	}
}

// Nothing of a client is logged beyond these lengths.
const (
	longestMethod    = 20
	longestPath      = 200
	longestForwarded = 200
)

// logRequests writes a record for each request: no query, no header that could
// hold a login, no body, and of a call only its name. Probes that succeed are
// left out.
func logRequests(log *slog.Logger, s settings, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		answer := &countedAnswer{ResponseWriter: w}
		from, _, err := net.SplitHostPort(r.RemoteAddr)
		if err != nil {
			from = r.RemoteAddr
		}
		fields := []any{
			"method", shortened(r.Method, longestMethod), "path", shortened(loggedPath(r.URL.Path, s.prefix), longestPath), "from", from,
		}
		if forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ", "); forwarded != "" {
			fields = append(fields, "forwarded", shortened(forwarded, longestForwarded))
		}
		if user := webconsole.UserOf(r.Header, s.userHeader); user != "" {
			fields = append(fields, "user", user)
		}
		isProbe := isHealthPath(r.URL.Path, s.prefix)
		isWhole := false
		// Also where the handler drops the connection, by a panic.
		defer func() {
			if isProbe && answer.status == http.StatusOK {
				return
			}
			fields = append(fields, "status", answer.status, "bytes", answer.bytes, "ms", time.Since(begun).Milliseconds())
			if !isWhole {
				fields = append(fields, "cut", true)
			}
			log.Info("request", fields...)
		}()
		next.ServeHTTP(answer, r)
		isWhole = true
		if answer.status == 0 {
			answer.status = http.StatusOK
		}
	})
}

func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// callWords are the words in the paths of immudb's calls. All else there is a
// name, a key or a number.
var callWords = wordSet("api v2 audit authorization change changepermission changesqlprivileges close collection " +
	"collections compactindex count countall create createwith db delete deletekey document documents execall " +
	"field flushindex get getall health history index keepalive list load login logout open password proof replace " +
	"scan search serverinfo session set setactiveuser setreference settings sqlexec sqlget sqlquery state table " +
	"tables truncate tx unload update use user verifiable zadd zscan")

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// loggedPath leaves out of the path of a call what is not its name: keys, names
// of databases and users, ids.
func loggedPath(asked, prefix string) string {
	// As a mux redirects it, which may be to a call.
	plain := path.Clean(asked)
	if strings.HasSuffix(asked, "/") && plain != "/" {
		plain += "/"
	}
	below, isBelow := strings.CutPrefix(plain, prefix)
	before := ""
	if isBelow {
		before = prefix
	}
	if rest, isNamed := strings.CutPrefix(below, "/s/"); isNamed {
		name, call, _ := strings.Cut(rest, "/")
		before, below = before+"/s/"+name, "/"+call
	}
	if strings.HasPrefix(below, checkpointsPath) && len(below) > len(checkpointsPath) {
		return before + checkpointsPath + "*"
	}
	if below != "/api" && !strings.HasPrefix(below, "/api/") {
		return asked
	}
	segments := strings.Split(below, "/")
	for i, segment := range segments {
		if segment != "" && !callWords[strings.ToLower(segment)] {
			segments[i] = "*"
		}
	}
	return before + strings.Join(segments, "/")
}

// countedAnswer notes what is sent. http.ResponseController finds what it needs
// by Unwrap.
type countedAnswer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap is for http.ResponseController.
func (a *countedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader is part of http.ResponseWriter. Interim answers come before the
// one that counts.
func (a *countedAnswer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write is part of http.ResponseWriter.
func (a *countedAnswer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}
