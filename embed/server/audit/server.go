package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	webconsole "immudb-webconsole/embed"
)

// server is an immudb, or a webconsole in front of one, as this auditor calls
// it: plain HTTP, one user, and a token for each database.
type server struct {
	name   string
	origin string // its address as text
	base   *url.URL
	client *http.Client
	user   string
	secret string // the password; it goes into one call and nowhere else

	patience time.Duration // the longest that one call may take
	waits    backoff       // after a refused login

	calls, bytes atomic.Uint64

	mutex  sync.Mutex
	login  string
	tokens map[string]string
	uuid   string
}

// The most bytes of an answer. immudb sends no message above 4 MiB, which as
// JSON is less than three times as long.
const (
	mostOfPage  = 24 << 20
	mostOfState = 1 << 20
)

func newServer(of webconsole.Server, s Settings) (*server, error) {
	address, transport, err := of.Reach()
	if err != nil {
		return nil, err
	}
	patience := s.patience
	if patience == 0 {
		patience = 2 * time.Minute
	}
	if of.Timeout > 0 {
		transport.ResponseHeaderTimeout = of.Timeout
	}
	return &server{
		name: of.Name, origin: strings.TrimSuffix(address.String(), "/"), base: address,
		user: s.User, secret: s.Password, patience: patience,
		waits: backoff{first: max(s.Every, time.Minute), most: time.Hour},
		client: &http.Client{
			Transport: transport,
			// A login goes to the named address and to no other.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		tokens: map[string]string{},
	}, nil
}

// callError is why a call brought nothing. It says nothing about the history.
type callError struct {
	kind  callFault
	words string
}

type callFault int

const (
	noAnswer   callFault = iota // the network, a timeout, no JSON
	tooLarge                    // the answer, for the server or for this auditor
	loggedOut                   // the login has ended
	noLogin                     // name or password are wrong
	noDatabase                  // the token is of a database that is gone
	refused                     // the server said something else
)

// Error is part of error.
func (e *callError) Error() string { return e.words }

func isFault(err error, kind callFault) bool {
	var failed *callError
	return errors.As(err, &failed) && failed.kind == kind
}

// uuidShape keeps what is no id out of files.
var uuidShape = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// call sends one request and returns the JSON of the answer as it came.
func (s *server) call(ctx context.Context, token, method, path string, query url.Values, body any, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	address := s.base.JoinPath("api", path)
	address.RawQuery = query.Encode()
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, address.String(), sent)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	s.calls.Add(1)
	answer, err := s.client.Do(request)
	if err != nil {
		return nil, &callError{noAnswer, "no answer: " + reasonOf(err)}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	s.bytes.Add(uint64(len(text)))
	switch {
	case err != nil:
		return nil, &callError{noAnswer, "the answer broke off: " + reasonOf(err)}
	case int64(len(text)) > most:
		return nil, &callError{tooLarge, fmt.Sprintf("the answer has more than %d MiB", most>>20)}
	case answer.StatusCode >= 300:
		return nil, errorOf(answer.StatusCode, text)
	case !json.Valid(text):
		return nil, &callError{noAnswer, "the answer is not JSON"}
	}
	if uuid := answer.Header.Get(webconsole.IdentityHeader); uuidShape.MatchString(uuid) {
		s.mutex.Lock()
		s.uuid = uuid
		s.mutex.Unlock()
	}
	return text, nil
}

// reasonOf leaves the address out of an error of the client: it may be long, and
// every line says already which server it is about.
func reasonOf(err error) string {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it took too long"
	}
	return plain(err.Error())
}

// errorOf reads what immudb, or something in front of it, said in place of an answer.
func errorOf(status int, text []byte) error {
	var said struct {
		Error string `json:"error"`
		Code  int    `json:"code"`
	}
	if json.Unmarshal(text, &said) != nil || said.Error == "" {
		return &callError{noAnswer, "the answer has the status " + strconv.Itoa(status) + " and is none of immudb"}
	}
	words := said.Error
	for strings.HasPrefix(words, "rpc error: code = ") {
		_, after, isPrefix := strings.Cut(words, " desc = ")
		if !isPrefix {
			break
		}
		words = after
	}
	kind := refused
	switch {
	case status == http.StatusTooManyRequests && said.Code == 8 && strings.Contains(words, "larger than max"):
		kind = tooLarge
	case webconsole.SaysLoggedOut(words):
		kind = loggedOut
	case strings.HasPrefix(words, "database does not exist"):
		kind = noDatabase
	case strings.HasPrefix(words, "invalid user name or password"), strings.HasPrefix(words, "user is not active"):
		kind = noLogin
	case status == http.StatusBadGateway, status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		kind = noAnswer
	}
	return &callError{kind, "the server said: " + plain(words)}
}

// plain makes text of others fit for a line: short, and without signs that a
// terminal obeys.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	const longest = 300
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// logIn gets a token for the user, or the one that is there.
func (s *server) logIn(ctx context.Context) (string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.login != "" {
		return s.login, nil
	}
	if left := s.waits.left(); left > 0 {
		return "", &callError{noLogin, fmt.Sprintf("the login was refused; it is tried again in %s", left.Round(time.Second))}
	}
	s.mutex.Unlock()
	answer, err := s.call(ctx, "", http.MethodPost, "login", nil,
		map[string][]byte{"user": []byte(s.user), "password": []byte(s.secret)}, mostOfState)
	s.mutex.Lock()
	if err != nil {
		if !isFault(err, noAnswer) {
			s.waits.failed()
		}
		if isFault(err, noLogin) {
			return "", &callError{noLogin, err.Error() + fmt.Sprintf(
				" (user %q; the next try is in %s)", s.user, s.waits.left().Round(time.Second))}
		}
		return "", err
	}
	var token struct{ Token string }
	if json.Unmarshal(answer, &token) != nil || token.Token == "" || strings.ContainsFunc(token.Token, unicode.IsSpace) {
		return "", &callError{noAnswer, "the login has no token"}
	}
	s.waits.reset()
	s.login = token.Token
	return s.login, nil
}

// use gets a token for a database.
func (s *server) use(ctx context.Context, database string) (string, error) {
	login, err := s.logIn(ctx)
	if err != nil {
		return "", err
	}
	s.mutex.Lock()
	token := s.tokens[database]
	s.mutex.Unlock()
	if token != "" {
		return token, nil
	}
	answer, err := s.call(ctx, login, http.MethodGet, "db/use/"+database, nil, nil, mostOfState)
	if err != nil {
		return "", err
	}
	var given struct{ Token string }
	if json.Unmarshal(answer, &given) != nil || given.Token == "" || strings.ContainsFunc(given.Token, unicode.IsSpace) {
		return "", &callError{noAnswer, "there is no token for the database " + database}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.tokens[database] = given.Token
	return given.Token, nil
}

// secrets are what may stand in no line: the password, also as it is sent, and
// the tokens.
func (s *server) secrets() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	list := []string{s.secret, inBase64([]byte(s.secret)), s.login}
	for _, token := range s.tokens {
		list = append(list, token)
	}
	return list
}

func (s *server) forgetLogin() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.login, s.tokens = "", map[string]string{}
}

// ask calls as the user, in a database if one is named. A login that has ended,
// and a token whose database is gone, are renewed once.
func (s *server) ask(ctx context.Context, database, method, path string, query url.Values, body any, most int64) ([]byte, error) {
	for again := false; ; again = true {
		var token string
		var err error
		if database == "" {
			token, err = s.logIn(ctx)
		} else {
			token, err = s.use(ctx, database)
		}
		var answer []byte
		if err == nil {
			answer, err = s.call(ctx, token, method, path, query, body, most)
		}
		switch {
		case isFault(err, loggedOut):
			s.forgetLogin()
		case isFault(err, noDatabase) && database != "":
			// It may have been deleted and made again: the old token does not lead there.
			s.mutex.Lock()
			delete(s.tokens, database)
			s.mutex.Unlock()
		default:
			return answer, err
		}
		if again {
			return nil, err
		}
	}
}

// logOut ends the login, so that none is left behind on the server.
func (s *server) logOut(ctx context.Context) {
	s.mutex.Lock()
	token := s.login
	s.mutex.Unlock()
	if token != "" {
		_, _ = s.call(ctx, token, http.MethodPost, "logout", nil, struct{}{}, mostOfState)
		s.forgetLogin()
	}
}

// mostDatabases keeps a server from filling the folder of the auditor.
const mostDatabases = 1000

// databases returns those that the user may read.
func (s *server) databases(ctx context.Context) ([]string, error) {
	answer, err := s.ask(ctx, "", http.MethodPost, "db/list", nil, struct{}{}, mostOfState)
	if err != nil {
		return nil, err
	}
	var list struct {
		Databases []struct {
			DatabaseName string `json:"databaseName"`
		} `json:"databases"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, &callError{noAnswer, "the list of databases cannot be read"}
	}
	if len(list.Databases) > mostDatabases {
		return nil, &callError{refused, fmt.Sprintf(
			"the server lists %d databases, and an auditor follows %d at most: name some with --database", len(list.Databases), mostDatabases)}
	}
	var names []string
	for _, each := range list.Databases {
		names = append(names, each.DatabaseName)
	}
	return names, nil
}

// IsDatabaseName is what immudb takes for a name, and what a file can have.
func IsDatabaseName(name string) bool {
	if len(name) == 0 || len(name) > 128 {
		return false
	}
	for _, r := range name {
		if r != '_' && !unicode.IsDigit(r) && !(unicode.IsLetter(r) && !unicode.IsUpper(r)) {
			return false
		}
	}
	return true
}

// rights says what the user may do beyond reading, "" for nothing.
func (s *server) rights(ctx context.Context) (string, error) {
	answer, err := s.ask(ctx, "", http.MethodGet, "user/list", nil, nil, mostOfState)
	if err != nil {
		return "", err
	}
	var list struct {
		Users []struct {
			User        []byte `json:"user"`
			Permissions []struct {
				Database   string `json:"database"`
				Permission int    `json:"permission"`
			} `json:"permissions"`
		} `json:"users"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		return "", &callError{noAnswer, "the list of users cannot be read"}
	}
	var more []string
	for _, each := range list.Users {
		if string(each.User) != s.user {
			continue
		}
		for _, has := range each.Permissions {
			switch has.Permission {
			case 1:
			case 2:
				more = append(more, "write to "+plain(has.Database))
			case 254:
				more = append(more, "administer "+plain(has.Database))
			default:
				more = append(more, "administer the server")
			}
		}
	}
	if len(more) > 5 {
		more = append(more[:5], "…")
	}
	return strings.Join(more, ", "), nil
}

// backoff is a wait that doubles. It goes by the monotonic clock, so a clock
// that jumps changes nothing.
type backoff struct {
	first, most time.Duration
	wait        time.Duration
	until       time.Time
}

func (b *backoff) failed() {
	b.wait = min(b.most, max(b.first, 2*b.wait))
	b.until = time.Now().Add(b.wait)
}

func (b *backoff) reset() { b.wait, b.until = 0, time.Time{} }

func (b *backoff) left() time.Duration {
	if b.until.IsZero() {
		return 0
	}
	return max(0, time.Until(b.until))
}

// readState is GET /db/state.
func (s *server) readState(ctx context.Context, database string) ([]byte, error) {
	return s.ask(ctx, database, http.MethodGet, "db/state", nil, nil, mostOfState)
}

// readTx is the proof of a transaction since another one, without entries.
func (s *server) readTx(ctx context.Context, database string, tx, since uint64) ([]byte, error) {
	query := url.Values{
		"proveSinceTx":                     {strconv.FormatUint(since, 10)},
		"entriesSpec.kvEntriesSpec.action": {"EXCLUDE"},
	}
	return s.ask(ctx, database, http.MethodGet, "db/verifiable/tx/"+strconv.FormatUint(tx, 10), query, nil, mostOfPage)
}

type entriesSpec struct {
	Action string `json:"action"`
}

// readPage is a list of transactions, with digests of all entries or with the
// values that the server gives.
func (s *server) readPage(ctx context.Context, database string, first uint64, limit int, withValues bool) ([]byte, error) {
	body := map[string]any{"initialTx": strconv.FormatUint(first, 10), "limit": limit}
	if withValues {
		raw := entriesSpec{"RAW_VALUE"}
		body["entriesSpec"] = map[string]entriesSpec{"kvEntriesSpec": raw, "zEntriesSpec": raw, "sqlEntriesSpec": raw}
	}
	return s.ask(ctx, database, http.MethodPost, "db/tx", nil, body, mostOfPage)
}

// readHeaders is a transaction without its entries.
func (s *server) readHeaders(ctx context.Context, database string, tx uint64) ([]byte, error) {
	body := map[string]any{
		"initialTx": strconv.FormatUint(tx, 10), "limit": 1,
		"entriesSpec": map[string]entriesSpec{"kvEntriesSpec": {"EXCLUDE"}},
	}
	return s.ask(ctx, database, http.MethodPost, "db/tx", nil, body, mostOfPage)
}
