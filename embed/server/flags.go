package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	webconsole "immudb-webconsole/embed"
)

// settings is the command line after checking.
type settings struct {
	address        string
	port           int
	socket         string // "": the console listens on a port
	tlsCert        string // "": plain http
	tlsKey         string
	logFormat      string // "", "text" or "json"
	userHeader     string // "": no gateway in front is believed
	dir            string
	grpcPort       portWish
	metricsPort    portWish
	prefix         string // "" or "/ops/immudb": no slash at the end
	demo           bool
	replicas       int                 // servers beside the primary of the demo
	server         string              // "": the database is in this process, or servers has names
	metrics        string              // "": where the database says
	servers        *webconsole.Servers // nil without names
	serversFile    string              // "" when the names come from flags
	checkpoints    string              // "": no checkpoints of auditors are served
	frameAncestors string
	allowHosts     []string
	auth           bool
	maintenance    bool
	signingKey     string
	tokenMinutes   int
	auditLog       bool
	auditEvents    string // "all", "write" or "admin"
	adminPassword  string // "" leaves immudb's own default
	passwordFrom   string // the flag or variable that named it
}

// passwordVariable is the name that immudb itself reads. There is no flag for
// the password: command lines are public, immudb even serves its own on the
// metrics port under /debug/vars.
const passwordVariable = "IMMUDB_ADMIN_PASSWORD"

// embeddedOnly are the flags that mean nothing in front of another server.
var embeddedOnly = []string{
	"dir", "grpc-port", "metrics-port", "demo", "replicas", "auth", "maintenance",
	"signing-key", "token-expiry-time", "admin-password-file",
	"audit-log", "audit-log-events",
}

// usage is what --help prints. `npm start -- --help` prints the same file before
// anything is built.
//
//go:embed usage.txt
var usage string

// parseFlags reads and checks the command line and the variables. For --help and
// --version it prints a text to stdout and returns flag.ErrHelp.
func parseFlags(args []string, getenv func(string) string, stdout io.Writer) (settings, error) {
	s, given, err := parseGiven(args, getenv, stdout)
	if err != nil {
		return s, err
	}
	if err := s.readPassword(given.passwordFile); err != nil {
		return s, err
	}
	return s, s.chooseServers(given.servers)
}

// parseListening does the same without the files that flags name: who only wants
// to know where a console listens needs none of them.
func parseListening(args []string, getenv func(string) string, stdout io.Writer) (settings, error) {
	s, _, err := parseGiven(args, getenv, stdout)
	return s, err
}

func parseGiven(args []string, getenv func(string) string, stdout io.Writer) (settings, *given, error) {
	s := settings{
		grpcPort:      portWish{number: 3322},
		metricsPort:   portWish{number: 9497},
		adminPassword: getenv(passwordVariable),
	}
	if s.adminPassword != "" {
		s.passwordFrom = passwordVariable
	}
	flags := flag.NewFlagSet("webconsole", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	given := s.define(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(stdout, usage)
			return s, given, err
		}
		return s, given, fmt.Errorf("%w (see --help)", err)
	}
	if flags.NArg() > 0 {
		return s, given, fmt.Errorf("unexpected argument %q (see --help)", flags.Arg(0))
	}
	if given.version {
		fmt.Fprintln(stdout, versions())
		return s, given, flag.ErrHelp
	}
	if err := readEnvironment(flags, getenv); err != nil {
		return s, given, err
	}
	return s, given, s.check(flags)
}

// given are the values of flags that settings hold in another form.
type given struct {
	passwordFile string
	servers      []webconsole.Server
	version      bool
}

// versions names what is in this binary.
func versions() string {
	version, commit := webconsole.Version()
	if version == "" {
		version, commit = "without a console", "dev"
	}
	return fmt.Sprintf("webconsole %s (%s), immudb %s", version, commit, immudbVersion)
}

func (s *settings) define(flags *flag.FlagSet) *given {
	given := &given{}
	flags.StringVar(&s.address, "address", "127.0.0.1", "")
	flags.IntVar(&s.port, "port", 8080, "")
	flags.StringVar(&s.socket, "socket", "", "")
	flags.StringVar(&s.tlsCert, "tls-cert", "", "")
	flags.StringVar(&s.tlsKey, "tls-key", "", "")
	flags.StringVar(&s.logFormat, "log-format", "", "")
	flags.StringVar(&s.userHeader, "trust-user-header", "", "")
	flags.BoolVar(&given.version, "version", false, "")
	flags.StringVar(&s.dir, "dir", "./.immudb", "")
	flags.Var(&s.grpcPort, "grpc-port", "")
	flags.Var(&s.metricsPort, "metrics-port", "")
	flags.StringVar(&s.prefix, "prefix", "", "")
	flags.BoolVar(&s.demo, "demo", false, "")
	flags.IntVar(&s.replicas, "replicas", 0, "")
	flags.Func("server", "", func(text string) error {
		name, address := splitServer(text)
		if err := checkAddress(address); err != nil {
			return err
		}
		if strings.HasPrefix(text, "=") {
			return errors.New("want a name before the equals sign")
		}
		given.servers = append(given.servers, webconsole.Server{Name: name, URL: address})
		return nil
	})
	flags.StringVar(&s.serversFile, "servers", "", "")
	flags.Func("metrics", "", func(text string) error {
		s.metrics = text
		return checkAddress(text)
	})
	flags.StringVar(&s.checkpoints, "checkpoints", "", "")
	flags.StringVar(&s.frameAncestors, "frame-ancestors", "", "")
	flags.Func("allow-host", "", func(name string) error {
		s.allowHosts = append(s.allowHosts, name)
		return checkHost(name)
	})
	flags.BoolVar(&s.auth, "auth", true, "")
	flags.BoolVar(&s.maintenance, "maintenance", false, "")
	flags.StringVar(&s.signingKey, "signing-key", "", "")
	flags.IntVar(&s.tokenMinutes, "token-expiry-time", 1440, "")
	flags.BoolVar(&s.auditLog, "audit-log", false, "")
	flags.StringVar(&s.auditEvents, "audit-log-events", "all", "")
	flags.StringVar(&given.passwordFile, "admin-password-file", "", "")
	return given
}

// readPassword reads the first password of user immudb.
func (s *settings) readPassword(file string) (err error) {
	if file == "" {
		return nil
	}
	s.passwordFrom = "--admin-password-file"
	s.adminPassword, err = passwordIn(file, s.passwordFrom)
	return err
}

// passwordIn takes the file's content without its last line break: a password
// may itself begin or end with spaces.
func passwordIn(file, flag string) (string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if password == "" {
		return "", fmt.Errorf("%s: %s is empty", flag, file)
	}
	return password, nil
}

func (s *settings) check(flags *flag.FlagSet) error {
	if err := s.normalisePrefix(); err != nil {
		return err
	}
	if s.port < 0 || s.port > 65535 {
		return fmt.Errorf("--port: %d is not a port number", s.port)
	}
	s.address = strings.TrimSuffix(strings.TrimPrefix(s.address, "["), "]")
	if strings.Contains(s.address, "%") && !wasSet(flags, "server") && !wasSet(flags, "servers") {
		return fmt.Errorf("--address: %s is an address of one network alone, at which the database cannot listen: choose another, or :: for all", s.address)
	}
	if s.socket != "" && wasSet(flags, "port") {
		return errors.New("--socket takes the place of --port: leave one of them out")
	}
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return errors.New("--tls-cert and --tls-key are a pair: give both")
	}
	if s.logFormat != "" && s.logFormat != "text" && s.logFormat != "json" {
		return fmt.Errorf("--log-format: %q is not text or json", s.logFormat)
	}
	if s.userHeader != "" && (!headerShape.MatchString(s.userHeader) || meansElse[http.CanonicalHeaderKey(s.userHeader)]) {
		return fmt.Errorf("--trust-user-header: %q is not a header that a gateway could set, such as X-Forwarded-User", s.userHeader)
	}
	if s.checkpoints != "" {
		if err := checkFolder(s.checkpoints); err != nil {
			return fmt.Errorf("--checkpoints: %w", err)
		}
	}
	if s.tokenMinutes < 1 {
		return errors.New("--token-expiry-time must be at least 1 minute")
	}
	if s.maintenance && s.auth {
		return errors.New("--maintenance needs --auth=false: immudb refuses to start otherwise")
	}
	if s.demo && !s.auth {
		return errors.New("--demo needs a login and does not work with --auth=false")
	}
	if s.auditEvents != "all" && s.auditEvents != "write" && s.auditEvents != "admin" {
		return fmt.Errorf("--audit-log-events: %q is not all, write or admin", s.auditEvents)
	}
	if wasSet(flags, "audit-log-events") && !s.auditLog {
		return errors.New("--audit-log-events needs --audit-log")
	}
	if err := s.checkReplicas(flags); err != nil {
		return err
	}
	for _, elsewhere := range []string{"server", "servers"} {
		for _, name := range embeddedOnly {
			if wasSet(flags, elsewhere) && wasSet(flags, name) {
				return fmt.Errorf("--%s is about the database in this process and does not go with --%s", name, elsewhere)
			}
		}
	}
	return nil
}

// headerShape is the name of a header of HTTP.
var headerShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// meansElse are headers that have a meaning of their own. Some hold logins, which
// must not come into the log as a name.
var meansElse = map[string]bool{
	"Authorization": true, "Cookie": true, "Host": true, "Origin": true, "Forwarded": true, "X-Forwarded-For": true,
	"Connection": true, "Proxy-Authorization": true, "Sessionid": true,
	webconsole.TokenHeader: true, webconsole.FreshHeader: true, webconsole.WriteHeader: true,
	webconsole.ServerHeader: true, webconsole.ServersHeader: true, webconsole.IssuerHeader: true,
}

// mostReplicas keeps the demo within the memory of a small machine.
const mostReplicas = 5

func (s *settings) checkReplicas(flags *flag.FlagSet) error {
	if !wasSet(flags, "replicas") {
		return nil
	}
	if s.replicas < 1 || s.replicas > mostReplicas {
		return fmt.Errorf("--replicas: choose 1 to %d", mostReplicas)
	}
	if !s.demo {
		return errors.New("--replicas is for the demo: add --demo")
	}
	for _, name := range []string{"grpc-port", "metrics-port", "metrics"} {
		if wasSet(flags, name) {
			return fmt.Errorf("--%s does not go with --replicas: each of its servers takes free ports", name)
		}
	}
	return nil
}

// chooseServers decides between one server and a list.
func (s *settings) chooseServers(list []webconsole.Server) (err error) {
	source := "--server"
	if s.serversFile != "" {
		if len(list) > 0 {
			return errors.New("--server and --servers do not go together: put all servers into the file")
		}
		source = "--servers"
		if list, err = webconsole.ReadServers(s.serversFile); err != nil {
			return fmt.Errorf("--servers: %w", err)
		}
	} else if len(list) == 0 {
		return nil
	}
	if s.serversFile == "" && len(list) == 1 && list[0].Name == "" {
		s.server = list[0].URL
		return nil
	}
	if s.metrics != "" {
		return errors.New("--metrics is for a single server without a name: with --servers FILE each server can have its own")
	}
	if s.serversFile == "" && slices.ContainsFunc(list, func(server webconsole.Server) bool { return server.Name == "" }) {
		return errors.New("--server: with several servers each needs a name, such as --server eu=http://db.example:8080")
	}
	if s.servers, err = webconsole.NewServers(list); err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	return nil
}

func wasSet(flags *flag.FlagSet, name string) bool {
	set := false
	flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// prefixShape refuses characters with a meaning for the router or in a URL.
var prefixShape = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*$`)

func (s *settings) normalisePrefix() error {
	prefix := strings.TrimRight(s.prefix, "/")
	if prefix != "" && !strings.HasPrefix(prefix, "/") {
		prefix = "/" + prefix
	}
	if !prefixShape.MatchString(prefix) || (prefix != "" && path.Clean(prefix) != prefix) {
		return fmt.Errorf("--prefix: %q is not a plain path such as /ops/immudb", s.prefix)
	}
	s.prefix = prefix
	return nil
}

// splitServer separates NAME=URL. An address may itself have an equals sign,
// but only after its scheme.
func splitServer(text string) (name, address string) {
	before, after, found := strings.Cut(text, "=")
	if !found || strings.Contains(before, "://") {
		return "", text
	}
	return before, after
}

// hostShape is a name or an address as the Host header has it, with or without a
// port, or the star.
var hostShape = regexp.MustCompile(`^(\*|[A-Za-z0-9_.-]+(:[0-9]+)?|\[?[0-9A-Fa-f:.]+\]?(:[0-9]+)?)$`)

// checkHost refuses what no request could ever name.
func checkHost(name string) error {
	switch {
	case hostShape.MatchString(name):
		return nil
	case strings.Contains(name, ","):
		return errors.New("want one host name; several go into the flag once for each, in the variable with spaces between")
	}
	return errors.New("not the name of a host, such as immudb.example")
}

// checkAddress accepts only absolute http and https addresses. A bare host:port
// parses as a URL with a strange scheme and would fail later with a less clear
// message.
func checkAddress(text string) error {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return errors.New("want an address such as http://db.example:8080")
	}
	return nil
}
